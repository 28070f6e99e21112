"""No spoken fillers.

What:   A filler of speech stands in written text: one of `words` anywhere, one of `openers` at the start of a sentence.
Why:    They cost reading time and say nothing; they come in with transcripts and generated text.
Bad:    然后呢，我们再看一下配置。
Good:   接着查看配置。
Fix:    unsafe: the filler is deleted, at the start of a clause with its comma
Settings: words = [嗯, 呃, …, "you know,", "kind of", …], openers = [basically, actually, …], allow = [也就是说, …]
Source: house rule
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.placeholders import MARK
from kaozheng.documents.prose import Prose
from kaozheng.documents.sentences import sentences
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.phrases import listed, occurrences, phrase_pattern

_WORDS = [
    *listed("嗯 呃 那个啥 这个啥 然后呢 的话呢 就是说 基本上来说 其实吧 怎么说呢 你知道吧 对吧 反正就是"),
    *("you know,", "kind of", "sort of", "um,", "uh,"),
]
_OPENERS = ["basically", "actually", "well,", "okay,", "so yeah"]
_ALLOW = ["也就是说", "这就是说", "那就是说", "呃逆", "不是就是说"]
_NOUN_BEFORE = re.compile(
    r"\b(?:an?|the|this|that|these|those|what|which|whatever|each|every|some|any|another|other|one|no|same|new|different"
    r"|certain|special|specific|particular|first|second|last|only|best|right|wrong|similar|common|main|basic|simple|many"
    r"|most|all|few|several|two|three|four|its|his|her|their|our|my|your)\s+$",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[，,、]?\s*")
_STOPS = "。！？；：.!?;:，,、\n"


def check(context: Context) -> Iterator[Finding]:
    """One finding for each filler."""
    words = phrase_pattern(context.settings["words"])
    openers = phrase_pattern(context.settings["openers"])
    allowed = phrase_pattern(context.settings["allow"])
    for prose in context.document.prose:
        if words:
            for found in occurrences(prose, words, allowed):
                if not _is_noun(prose.masked, found):
                    yield _finding(context, prose, *found.span())
        if openers and openers.search(prose.masked):
            for place in sentences(prose):
                found_opener = openers.match(prose.masked, place.start - prose.span.start)
                if found_opener:
                    yield _finding(context, prose, *found_opener.span())


def _is_noun(masked: str, found: re.Match[str]) -> bool:
    """`This kind of store` talks about kinds; `it is kind of slow` does not."""
    if found[0].split()[-1].casefold() != "of":
        return False
    return _NOUN_BEFORE.search(masked, max(0, found.start() - 20), found.start()) is not None


def _finding(context: Context, prose: Prose, start: int, end: int) -> Finding:
    word = prose.masked[start:end]
    message = context.say(f"口语填充词“{word}”", f"Spoken filler {word!r}.")
    edit = _deletion(prose, start, end)
    span = prose.sub(start, max(end, edit.span.end - prose.span.start))
    return finding(span, message, [edit], safe=False)


def _deletion(prose: Prose, start: int, end: int) -> TextEdit:
    """At the start of a clause its comma goes too, and the next word begins the sentence if the filler did."""
    masked = prose.masked
    left = masked[:start].rstrip(" " + MARK)
    if left and left[-1] not in _STOPS:
        after = end + 1 if masked[end : end + 1] == " " else end
        return TextEdit(prose.sub(start, after), "")
    after = end if masked[end - 1] == "," and masked[end : end + 1] != " " else _past_comma(masked, end)
    following = masked[after : after + 1]
    if masked[start].isupper() and following.islower():
        return TextEdit(prose.sub(start, after + 1), following.upper())
    return TextEdit(prose.sub(start, after), "")


def _past_comma(masked: str, end: int) -> int:
    comma = _COMMA.match(masked, end)
    return comma.end() if comma else end


CHECK = Check(
    "filler-words",
    family="content_style",
    run=check,
    fix="unsafe",
    settings={"words": _WORDS, "openers": _OPENERS, "allow": _ALLOW},
    order=80,
)
