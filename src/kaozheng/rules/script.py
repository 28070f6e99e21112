"""Writing systems in masked prose: which characters are Han or Latin, and what stands around a mark."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.documents.placeholders import HTML, MARK, NOTE, URL

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
"""Han characters, for a character class of a pattern."""
LATIN: Final = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
"""Latin letters with their accented forms, for a character class of a pattern."""
CLOSING: Final = ")]}）］｝】》〉」』〕”’\"'"
"""Quotes and brackets that can close."""

_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(f"[{LATIN}]")


def is_han(char: str) -> bool:
    """Whether this one character is Han (the empty text is not)."""
    return _HAN.match(char) is not None


def is_latin(char: str) -> bool:
    """Whether this one character is a Latin letter."""
    return _LATIN.match(char) is not None


def has_han(text: str) -> bool:
    """Whether there is any Han character."""
    return _HAN.search(text) is not None


def count_han(text: str) -> int:
    """Number of Han characters."""
    return len(_HAN.findall(text))


def before(masked: str, at: int, also: str = "") -> int:
    """Index of the first character left of `at` that is neither markup, a closing mark nor one of `also`; -1 if none.

    The target of a link is part of its markup; a bare address is not.
    """
    at -= 1
    while at >= 0:
        char = masked[at]
        target = char == URL and masked[at + 1 : at + 2] in (MARK, URL)
        if not (char in (MARK, NOTE, HTML) or target or char in CLOSING or char in also):
            return at
        at -= 1
    return -1


def after(masked: str, at: int, also: str = "") -> str:
    """The first character from `at` on that is neither markup nor one of `also`; the empty text at the end."""
    while at < len(masked) and (masked[at] in (MARK, NOTE, HTML) or masked[at] in also):
        at += 1
    return masked[at : at + 1]
