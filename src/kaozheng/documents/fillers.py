"""Sounds and phrases of speech that say nothing: 嗯, 呃, 哈哈, um, you know. What could be of the matter stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.span import Span

_LIGHT: Final = "，,、"
_STRONG: Final = "。！？；!?;."
_BLANKS: Final = 20
_CLAUSE = r"(?<![^\s。！？；：，、!?;:,.…—“‘（(])"
_BREAK = r"(?=[\s。！？；，、!?;,…）)]|$)"
_HESITATION = rf"嗯+|呃+(?!逆)|(?<!呜)啊+(?!呀|哟)|{_CLAUSE}(?:[哦噢诶欸唔]+|[额哎唉]{_BREAK})"
_LAUGHTER = rf"{_CLAUSE}(?:哈{{2,}}|呵{{2,}}|嘿{{2,}}|嘻{{2,}})(?!镜)|(?<=[\u4e00-\u9fff])(?<!娃)哈{{2,}}{_BREAK}"
# 这个，那个，都要: two of them after each other may be meant.
_THIS = "(?:(?<!那个[，、])(?:这个)+(?![，、]那个[，、])|(?<!这个[，、])(?:那个)+(?![，、]这个[，、]))"
_STOPGAP = rf"{_CLAUSE}(?:{_THIS}(?=\s*[，、,…])|就是说(?![明得不的了过服])|怎么说呢(?=\s*[，、,…]))"
_DOUBLED = r"(?P<twice>那个|这个)(?=(?P=twice))"
_SOUND = r"(?<![\w'’-])(?:[Uu]m+|[Uu]h+m?(?!\s+oh)|[Ee]rm*|[Hh]mm+|[Hh]a(?:[\s-]?ha)+)(?![\w'’-])"
_PHRASE = (
    r"(?:(?<![^.!?,;:…—])|(?<=[.!?,;:…—]\s))(?:[Yy]ou know|I mean)(?=\s*,)"
    r"|(?<=,\s)(?:you know(?=[.!?])|like(?=\s*,))"
)
_NOTE = (
    r"[（(\[【]\s*(?:(?:大|众人?|齐|全场|会场)?(?:笑声?|掌声|鼓掌)|咳嗽声?|停顿|沉默|杂音|音乐|"
    r"(?i:laugh(?:s|ter|ing)?|chuckl(?:es|ing)|applause|cough(?:s|ing)?|pause|sighs?|music))\s*[）)\]】]"
)
_SOUNDS = re.compile(f"{_HESITATION}|{_LAUGHTER}|{_SOUND}|{_NOTE}")
_ALL = re.compile(f"{_NOTE}|{_HESITATION}|{_LAUGHTER}|{_STOPGAP}|{_DOUBLED}|{_SOUND}|{_PHRASE}")
_WORD = re.compile(r"\w")


def hesitates(text: str) -> bool:
    """Whether a sound of hesitation or laughter stands in it, as in no text that was written."""
    return bool(_SOUNDS.search(text))


def without_fillers(text: str) -> list[Span]:
    """The stretches of an utterance that stay, in order, none when nothing is said in it. The comma that belongs to a
    filler goes with it; no other character does."""
    kept = list(_gaps(len(text), list(_deleted(text))))
    return kept if any(_WORD.search(text, one.start, one.end) for one in kept) else []


def _deleted(text: str) -> Iterator[Span]:
    """Fillers that follow on each other as one, with the signs that would be left over."""
    at = 0
    while found := _ALL.search(text, at):
        start, before = found.start(), _before(text, found.start())
        begins = before == "" or before in _STRONG
        apart = begins or before in _LIGHT
        signs = _LIGHT + "…" + (_STRONG if begins else "") if apart else ""
        end = found.end()
        while found:
            end = found.end() if found["twice"] else _past(text, found.end(), signs)
            found = _ALL.match(text, end)
        if not begins and (text[end : end + 1] or "。") in _STRONG:
            while start and text[start - 1] in _LIGHT + " \u3000":
                start -= 1
        yield Span(start, end)
        at = end


def _before(text: str, at: int) -> str:
    """The last character before `at` that is no blank; "" at the beginning."""
    return text[max(0, at - _BLANKS) : at].rstrip()[-1:]


def _past(text: str, at: int, signs: str) -> int:
    while at < len(text) and (text[at] in signs or text[at].isspace()):
        at += 1
    return at


def _gaps(length: int, deleted: list[Span]) -> Iterator[Span]:
    at = 0
    for gone in deleted:
        if gone.start > at:
            yield Span(at, gone.start)
        at = max(at, gone.end)
    if at < length:
        yield Span(at, length)
