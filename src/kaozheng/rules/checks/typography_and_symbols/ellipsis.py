"""The Chinese ellipsis.

What:   In Chinese prose an ellipsis is written `...`, `。。。`, a single `…` or longer than two of them.
Why:    The national standard for punctuation (GB/T 15834) gives it six dots in the width of two characters: ……
Bad:    支持多种语言...
Good:   支持多种语言……
Fix:    safe: ……
Settings: none
Source: GB/T 15834-2011, 4.11; Chinese Copywriting Guidelines, "省略號"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.script import before, count_han, is_han, is_latin

_DOTS = re.compile(r"\.{3,}|。{3,}|[…⋯]+")
_RIGHT = "……"


def check(context: Context) -> Iterator[Finding]:
    """One finding for each ellipsis in Chinese prose that is not ……"""
    for prose in context.document.prose:
        for dots in _DOTS.finditer(prose.masked):
            if dots[0] != _RIGHT and _is_chinese(context, prose.masked, dots):
                place = prose.sub(*dots.span())
                message = context.say(
                    f"省略号“{dots[0]}”应为“{_RIGHT}”", f"The ellipsis {dots[0]!r} should be {_RIGHT!r}."
                )
                yield finding(place, message, [TextEdit(place, _RIGHT)])


def _is_chinese(context: Context, masked: str, dots: re.Match[str]) -> bool:
    start, end = dots.span()
    left, right = masked[start - 1 : start] if start else "", masked[end : end + 1]
    if dots[0][0] == "." and _is_code(masked, start, left, right):
        return False
    letter = before(masked, start, " 0123456789")
    if letter >= 0 and is_han(masked[letter]):
        return True
    return count_han(masked) > 0 and context.language == "zh"


def _is_code(masked: str, start: int, left: str, right: str) -> bool:
    """Spread operators (`...args`), calls (`super(...)`), ranges (`1...10`), rows (`1, 2, ..., n`): no ellipses."""
    if is_han(left):
        return False
    operator = is_latin(right) or right.isdigit() or right == "_"
    call = left != "" and left in "([{<"
    row = masked[max(0, start - 2) : start].rstrip(" ")[-1:] == ","
    return operator or call or row


CHECK = Check("ellipsis", family="typography_and_symbols", run=check, fix="safe", order=20)
