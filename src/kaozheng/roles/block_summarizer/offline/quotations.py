"""Quotations of several sentences: none of these says by itself what is said, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaozheng.documents.span import Span

_PAIRS: Final = {"“": "”", "「": "」", "『": "』", "《": "》"}
_CLOSERS: Final = {closer: opener for opener, closer in _PAIRS.items()}
_MOST_CHARS: Final = 240
_MOST_SENTENCES: Final = 5


def whole(spans: Sequence[Span], text: str) -> list[Span]:
    """The sentences, those within one quotation joined, as long as they are few and short together."""
    found: list[Span] = []
    at = 0
    while at < len(spans):
        end = _end(spans, at, text)
        found.append(Span(spans[at].start, spans[end].end))
        at = end + 1
    return found


def is_whole(text: str) -> bool:
    """Whether every quotation that is opened is closed, and none is closed that was not opened."""
    return _left(text) == ([], 0)


def _end(spans: Sequence[Span], at: int, text: str) -> int:
    for end in range(at, min(at + _MOST_SENTENCES, len(spans))):
        said = text[spans[at].start : spans[end].end]
        if len(said) > _MOST_CHARS:
            break
        if not _open(said):
            return end
    return at


def _open(text: str) -> bool:
    """Whether a quotation is left open."""
    return bool(_left(text)[0])


def _left(text: str) -> tuple[list[str], int]:
    """The openers that are left open, outermost first, and how many closers close nothing."""
    opened: list[str] = []
    idle = 0
    for sign in text:
        if sign in _PAIRS:
            opened.append(sign)
        elif sign in _CLOSERS:
            if _CLOSERS[sign] not in opened:
                idle += 1
                continue
            while opened.pop() != _CLOSERS[sign]:
                pass
    return opened, idle
