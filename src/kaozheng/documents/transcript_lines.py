"""The lines of a transcript as speech recognition writes them: who speaks, from when, and where the words stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from kaozheng.documents.span import Span

_STAMP = r"(?:(?:(?P<{0}h>\d{{1,3}})[:：])?(?P<{0}m>\d{{1,2}})[:：](?P<{0}s>[0-5]\d)(?:[.,]\d{{1,3}})?)"
_DATE = r"(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?\s+)?"
_TO = r"(?:\s*(?:-{1,2}>?|[–—~～至])\s*[\d:：.,]{4,12})?"


def _bracketed(name: str) -> str:
    return rf"[\[（(【]\s*{_STAMP.format(name)}{_TO}\s*[\]）)】]"


_NAME = r"(?P<name>[^\W\d_](?:[^\W_]|[ .·（）()'’/_-]){0,39}?)"
_CUE = re.compile(rf"\s*{_STAMP.format('a')}\s*-->\s*[\d:.,]+.*$")
_VOICE = re.compile(r"\s*<v(?:\.[\w.]+)?\s+(?P<name>[^<>\n]{1,40})>")
_HEAD = re.compile(
    rf"\s*\**{_NAME}\**\s*[:：]?\**\s*"
    rf"(?:{_bracketed('a')}|(?<=[\s*:：]){_DATE}{_STAMP.format('b')}(?=\s|[:：]|$))\s*\**[:：]?\**"
)
_ALONE = _NAME.replace("<name>", "<alone>")
_STAMPED = re.compile(
    rf"\s*(?:{_bracketed('a')}|{_STAMP.format('b')}(?=[\s:：*]|$))\s*[-–—]?[:：]?\s*"
    rf"(?:\**{_NAME}\**\s*[:：]\**|\**{_ALONE}\**\s*$)?"
)
_LABEL = re.compile(rf"\s*\**{_NAME}\**\s*[:：]\**(?!//)")
_TAIL = re.compile(rf"\s*{_bracketed('a')}\s*$")
_LEVEL = re.compile(r"^\W*[\d:.,\s\]]*\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b")
_OWN = re.compile(r"\s{0,3}(?:#{1,6}\s|\||>|```|~~~|[-*_]{3,}\s*$|[-*+]\s)")
_LOOKED_AT: Final = 120
_SIGNS = re.compile(r"[。！？；，、!?;,]")

Kind = Literal["cue", "head", "stamped", "label", "words", "own", "blank", "log"]


@dataclass(frozen=True, slots=True)
class Spoken:
    """One line. `name` is the stretch of the speaker's name, `words` that of what was said, `tail` that of a stamp
    behind it. `seconds` is the stamp's time, -1.0 without one; `style` tells its form, so that a time that was spoken
    of is not taken for one."""

    kind: Kind
    words: Span
    name: Span | None = None
    seconds: float = -1.0
    style: str = ""
    tail: Span | None = None


def spoken_line(text: str, line: Span) -> Spoken:
    """How a line of the text reads."""
    start, end = line.start, line.end
    body = text[start : min(end, start + _LOOKED_AT)]
    if not body.strip():
        return Spoken("blank", line)
    if _LEVEL.match(body):
        return Spoken("log", line)
    if _OWN.match(body):
        return Spoken("own", line)
    if found := _CUE.match(body):
        return Spoken("cue", Span(end, end), None, _seconds(found, "a"), "cue")
    if found := _VOICE.match(body):
        return Spoken("label", Span(start + found.end(), end), _named(found, start), style="voice")
    for kind, pattern in (("stamped", _STAMPED), ("head", _HEAD)):
        if (found := pattern.match(body)) and not _is_sentence(found):
            return _stamped("stamped" if kind == "stamped" else "head", found, line)
    found = _LABEL.match(body)
    name = _named(found, start) if found and not _is_sentence(found) else None
    words = Span(start + found.end(), end) if found and name else line
    tail = _TAIL.search(text, max(words.start, end - 40), end)
    if tail is None:
        return Spoken("label" if name else "words", words, name)
    seconds = _seconds(tail, "a")
    return Spoken(
        "label" if name else "words",
        Span(words.start, tail.start()),
        name,
        seconds,
        _style("tail", tail),
        Span(tail.start(), end),
    )


def _stamped(kind: Literal["stamped", "head"], found: re.Match[str], line: Span) -> Spoken:
    prefix = "a" if found["as"] else "b"
    name = _named(found, line.start)
    return Spoken(kind, Span(line.start + found.end(), line.end), name, _seconds(found, prefix), _style(kind, found))


def _named(found: re.Match[str], offset: int) -> Span | None:
    group = "name" if found["name"] else "alone"
    if group not in found.groupdict() or not found[group]:
        return None
    return Span(offset + found.start(group), offset + found.start(group) + len(found[group].rstrip()))


def _is_sentence(found: re.Match[str]) -> bool:
    name = found["name"] or found.groupdict().get("alone") or ""
    return bool(_SIGNS.search(name)) or (not name.isascii() and len(name) > 16)


def _seconds(found: re.Match[str], prefix: str) -> float:
    return int(found[prefix + "h"] or 0) * 3600.0 + int(found[prefix + "m"]) * 60 + int(found[prefix + "s"])


def _style(kind: str, found: re.Match[str]) -> str:
    prefix = "a" if found["as"] else "b"
    mark = found[0].strip().lstrip("*")[0] if prefix == "a" and kind != "head" else prefix
    return f"{kind} {mark} {3 if found[prefix + 'h'] else 2}"
