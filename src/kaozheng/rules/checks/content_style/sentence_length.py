"""Sentences of a readable length.

What:   A Chinese sentence has more than `max_zh` characters, or another one more than `max_en` words.
        Code, formulas, link targets and footnote marks do not count; nor do blanks.
Why:    Long sentences hide who does what.
Bad:    one sentence over five lines
Good:   three sentences, or a list
Fix:    unsafe (a full stop instead of the semicolon nearest to the middle of a Chinese sentence; else none)
Settings: max_zh = 100, max_en = 40
Source: ruanyf document style guide, "句子"; Google developer documentation style guide
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.placeholders import ALL
from kaozheng.documents.sentences import sentences
from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.script import LATIN, count_han

_UNCOUNTED = re.compile(rf"[{ALL}\s]+")
_WORD = re.compile(r"[^\W_](?:[\w'’.-]*[^\W_])?")
_SHORTEST_HALF = 10
_OPENING, _CLOSING = "（(【[“‘「『《", "）)】]”’」』》"
_LATIN_WORD = re.compile(f"[{LATIN}]+")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each sentence that is too long."""
    longest_zh, longest_en = context.settings["max_zh"], context.settings["max_en"]
    for prose in context.document.prose:
        if len(prose.masked) <= min(longest_zh, longest_en):
            continue
        for place in sentences(prose):
            text = prose.masked[place.start - prose.span.start : place.end - prose.span.start]
            if _is_chinese(text):
                length, longest = len(_UNCOUNTED.sub("", text)), longest_zh
                message = context.say(
                    f"句子有 {length} 个字符（上限 {longest}）",
                    f"The sentence has {length} characters (limit {longest}).",
                )
            else:
                length, longest = len(_WORD.findall(text)), longest_en
                message = context.say(
                    f"句子有 {length} 个词（上限 {longest}）", f"The sentence has {length} words (limit {longest})."
                )
            if length > longest:
                yield finding(place, message, _split(text, place), safe=False)


def _split(text: str, place: Span) -> list[TextEdit]:
    """A full stop instead of the semicolon nearest to the middle; none inside brackets or quotation marks."""
    open_marks = 0
    borders = []
    for at, sign in enumerate(text):
        open_marks += (sign in _OPENING) - (sign in _CLOSING)
        if sign == "；" and open_marks == 0 and min(at, len(text) - at) >= _SHORTEST_HALF:
            borders.append(at)
    if not borders:
        return []
    at = place.start + min(borders, key=lambda border: abs(border - len(text) // 2))
    return [TextEdit(Span(at, at + 1), "。")]


def _is_chinese(text: str) -> bool:
    """One Han character weighs as much as one word."""
    han = count_han(text)
    return han > 0 and han >= len(_LATIN_WORD.findall(text))


CHECK = Check(
    "sentence-length",
    family="content_style",
    run=check,
    fix="unsafe",
    settings={"max_zh": 100, "max_en": 40},
)
