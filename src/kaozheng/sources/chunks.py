"""From a source to the chunks that an index keeps: its cuts with their ids, lines and the words that lead to them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from typing import Final

from kaozheng.documents.span import LineRange, Span
from kaozheng.documents.transcripts import transcript_of
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.cuts import OVERLAP, SIZE, cuts_of
from kaozheng.sources.entities import economic_entities
from kaozheng.sources.pieces import language_of
from kaozheng.sources.places import named
from kaozheng.sources.source import Source

_NEWLINE = re.compile("\n")
_KEYWORD_CHARS: Final = 50


def chunks_of(source: Source, *, size: int = SIZE, overlap: int = OVERLAP, topic: str = "") -> list[Chunk]:
    """The chunks of a source in order, named by its path; none when it has no words. No text is longer than 1,500
    characters, with the head of its table either. The prefix is `document > headings > topic`, below it the head of a
    table whose later rows these are. Of a converted file the path ends with the page, slide or sheet. The terms of a
    glossary are chunks of their own, behind the rest. A transcript of speech is cleaned; places and lines are those of
    what was given, and its topic, unless one is given, is what its economy is about.

    Raises ValueError unless 0 <= overlap < size / 2 and size <= 1500.
    """
    heard = None if source.about_code or source.definitions is not None else transcript_of(source.text)
    read = replace(source, text=heard.text, places=()) if heard else source
    topic = topic or (_keywords(read.text) if heard else "")
    starts = [0, *(found.end() for found in _NEWLINE.finditer(source.text))]
    seen: Counter[tuple[str, ...]] = Counter()
    chunks = []
    language = language_of([source.text]) if source.places else ""
    for one in cuts_of(read, size, overlap, topic):
        text = read.text[one.span.start : one.span.end]
        span = heard.origin(one.span) if heard else one.span
        places = source.places_at(span.start, span.end)
        path = (*one.path, named(places, language)) if places else one.path
        seen[path] += 1
        id = chunk_id(source.path, path, seen[path], text)
        prefix = "\n".join(filter(None, (one.context, one.head)))
        chunks.append(Chunk(id, source.path, path, seen[path], span, _lines_of(span, starts), text, prefix))
    return chunks


def _keywords(text: str) -> str:
    """As many as leave the headings their room."""
    words = ""
    for word in economic_entities(text):
        if len(words) + len(word) + 1 <= _KEYWORD_CHARS:
            words += f" {word}" if words else word
    return words


def _lines_of(span: Span, starts: list[int]) -> LineRange:
    return LineRange(bisect_right(starts, span.start), bisect_right(starts, max(span.start, span.end - 1)))
