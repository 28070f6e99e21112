"""Cutting a text into overlapping pieces of limited length at the best borders that it offers."""

from __future__ import annotations

import re

from kaozheng.documents.span import Span

# From the strongest border to the weakest; a piece ends behind the match.
_BORDERS = (
    re.compile(r"\n[ \t\u3000]*\n\s*"),
    re.compile(r"\n\s*"),
    re.compile(r"[。！？；][”’」』）】]*\s*|[.!?;][\"')\]]*\s+"),
    re.compile(r"[，、：]|[,:]\s+"),
    re.compile(r"[ \t\u3000]+"),
)
_INK = re.compile(r"\S")
_LINE, _SENTENCE = 1, 2


def cut(text: str, size: int = 500, overlap: int = 50) -> list[Span]:
    """Cut into spans of at most `size` characters, each starting up to `overlap` characters before the last one's end.

    Borders are tried in this order: blank line, newline, sentence, comma, blank, character; a stronger border wins
    when the piece before it is at least a quarter full. The overlap begins at a border too (so a piece never starts
    inside a word unless the text has no other border) and may therefore be shorter. Blanks at the ends of a span are
    left out; every other character is in some span. Time is linear. Raises ValueError unless 0 <= overlap < size / 2.
    """
    if not 0 <= overlap < size / 2:
        raise ValueError(f"overlap {overlap} must be at least 0 and under half of size {size}")
    spans: list[Span] = []
    start = _past_blanks(text, 0)
    while start < len(text):
        end, level = _end(text, start, size, overlap)
        piece = Span(start, start + len(text[start:end].rstrip()))
        # Where only blanks were left to add, the piece would repeat the end of the last one.
        if not (spans and piece.end <= spans[-1].end):
            spans.append(piece)
        if end >= len(text):
            break
        start = _past_blanks(text, _next_start(text, end, overlap, level))
    return spans


def _end(text: str, start: int, size: int, overlap: int) -> tuple[int, int]:
    limit = start + size
    if limit >= len(text):
        return len(text), 0
    least = start + max(overlap + 1, size // 4)
    for level, border in enumerate(_BORDERS):
        # Searching from the earliest acceptable place keeps the work linear in the size of the window.
        ends = [match.end() for match in border.finditer(text, least - 1, limit) if match.end() >= least]
        if ends:
            return ends[-1], level
    return limit, len(_BORDERS)


def _next_start(text: str, end: int, overlap: int, level: int) -> int:
    if level == len(_BORDERS):
        return end - overlap
    # A piece cut between paragraphs repeats whole lines or sentences, one cut inside a sentence may repeat a clause.
    weakest = _SENTENCE if level <= _LINE else level + 1
    for border in _BORDERS[: weakest + 1]:
        for match in border.finditer(text, max(0, end - overlap - 1), end):
            if end - overlap <= match.end() < end:
                return match.end()
    return end


def _past_blanks(text: str, start: int) -> int:
    found = _INK.search(text, start)
    return found.start() if found else len(text)
