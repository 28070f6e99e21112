"""Half-width digits and Latin letters.

What:   Digits or Latin letters are written with full-width characters.
Why:    They can't be searched, copied into commands or sorted like ordinary ones.
Bad:    共有１２个节点
Good:   共有 12 个节点
Fix:    safe: the half-width forms
Settings: none
Source: Chinese Copywriting Guidelines, "數字使用半形字元"
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.rules.check import Check, Context, Finding, finding

_FULL_WIDTH = re.compile("[０-９Ａ-Ｚａ-ｚ]+")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each run of such characters."""
    for prose in context.document.prose:
        for run in _FULL_WIDTH.finditer(prose.masked):
            place = prose.sub(*run.span())
            half = unicodedata.normalize("NFKC", run[0])
            message = context.say(f"全角字符“{run[0]}”应为“{half}”", f"Full-width {run[0]!r} should be {half!r}.")
            yield finding(place, message, [TextEdit(place, half)])


CHECK = Check("full-width-digits", family="typography_and_symbols", run=check, fix="safe", order=10)
