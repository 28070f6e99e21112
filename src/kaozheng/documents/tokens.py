"""Estimating and limiting the tokens of a text without a tokenizer."""

from __future__ import annotations

import math
import re
import unicodedata

from kaozheng.documents.sentences import split

_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003134f]+"
)
_OTHER = re.compile("[^\x00-\x7f]+")
_PER_WIDE = 0.85
_PER_ASCII = 0.25
_PER_OTHER = 0.6
_LOOK_AHEAD = 400


def estimate_tokens(text: str) -> int:
    """About how many tokens a model counts: 0.85 a Han character, a quarter an ASCII character, 0.6 any other."""
    return math.ceil(_weight(text))


def _weight(text: str) -> float:
    if text.isascii():
        return len(text) * _PER_ASCII
    wide = sum(map(len, _WIDE.findall(text)))
    beyond_ascii = sum(map(len, _OTHER.findall(text)))
    return wide * _PER_WIDE + (beyond_ascii - wide) * _PER_OTHER + (len(text) - beyond_ascii) * _PER_ASCII


def truncate_tokens(text: str, limit: int) -> str:
    """The longest beginning within `limit` tokens that ends with a sentence or line; the same text when it fits.

    Cuts inside a sentence only when not even the first one fits.
    """
    if estimate_tokens(text) <= limit:
        return text
    end = _longest(text, limit)
    if end == 0:
        return ""
    borders = [span.end for span in split(text[: end + _LOOK_AHEAD]) if span.end <= end]
    border = max([text.rfind("\n", 0, end + 1), *borders[-1:], 0])
    return text[: border or _whole_character(text, end)].rstrip()


def _longest(text: str, limit: int) -> int:
    """The greatest length whose estimate is within the limit, found by steps so that each character weighs once."""
    used, end = 0.0, 0
    step = 4096
    while step and end < len(text):
        weight = _weight(text[end : end + step])
        if used + weight <= limit:
            used, end = used + weight, end + step
        else:
            step //= 2
    return min(end, len(text))


def _whole_character(text: str, end: int) -> int:
    """A cut that leaves combining marks, variation selectors and joiners with their base."""
    for left in range(end, max(0, end - 32), -1):
        before, after = text[left - 1], text[left : left + 1]
        if (
            before != "\u200d"
            and after not in ("\u200d", "\ufe0f", "\ufe0e")
            and not (after and unicodedata.combining(after))
        ):
            return left
    return end
