"""From a source to the chunks that an index keeps: its cuts with their ids, lines and the words that lead to them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter

from kaozheng.documents.span import LineRange, Span
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.cuts import OVERLAP, SIZE, cuts_of
from kaozheng.sources.source import Source

_NEWLINE = re.compile("\n")


def chunks_of(source: Source, *, size: int = SIZE, overlap: int = OVERLAP, topic: str = "") -> list[Chunk]:
    """The chunks of a source in order, named by its path; none when it has no words. No text is longer than 1,500
    characters, with the head of its table either. The prefix is `document > headings > topic`, below it the head of a
    table whose later rows these are.

    Raises ValueError unless 0 <= overlap < size / 2 and size <= 1500.
    """
    starts = [0, *(found.end() for found in _NEWLINE.finditer(source.text))]
    seen: Counter[tuple[str, ...]] = Counter()
    chunks = []
    for one in cuts_of(source, size, overlap, topic):
        seen[one.path] += 1
        text = source.text[one.span.start : one.span.end]
        id = chunk_id(source.path, one.path, seen[one.path], text)
        prefix = "\n".join(filter(None, (one.context, one.head)))
        lines = _lines_of(one.span, starts)
        chunks.append(Chunk(id, source.path, one.path, seen[one.path], one.span, lines, text, prefix))
    return chunks


def _lines_of(span: Span, starts: list[int]) -> LineRange:
    return LineRange(bisect_right(starts, span.start), bisect_right(starts, max(span.start, span.end - 1)))
