"""The article that the user has open, as evidence: what of it is asked about, or a part of each of its sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaozheng.evidence.bundle import EvidenceItem
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.ranking import Bm25, terms
from kaozheng.sources.source import Source

NAMELESS: Final = {"zh": "当前文章", "en": "the open article"}
_MOST_CHARS: Final = 12_000
"""Of an article that are given to a model; it may be longer by far."""


def passages_about(article: Source, question: str) -> tuple[EvidenceItem, ...]:
    """The article's chunks in their order: all when they are few, else those that have most of the question."""
    chunks = chunks_of(article)
    if not chunks or _size(chunks) <= _MOST_CHARS:
        return _items(article, chunks)
    scores = Bm25([terms(chunk.searched) for chunk in chunks]).scores(terms(question))
    return _items(article, _first_that_fit(chunks, sorted(range(len(chunks)), key=lambda at: (-scores[at], at))))


def passages_throughout(article: Source) -> tuple[EvidenceItem, ...]:
    """The article's chunks in their order: all when they are few, else evenly from its beginning to its end, the first
    of each section before the second."""
    return _items(article, spread(chunks_of(article)))


def spread(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """As many chunks of a document as a model is given, from all its parts."""
    if _size(chunks) <= _MOST_CHARS:
        return chunks
    return _first_that_fit(chunks, sorted(range(len(chunks)), key=lambda at: (chunks[at].ordinal, at)))


def _first_that_fit(chunks: Sequence[Chunk], order: Sequence[int]) -> Sequence[Chunk]:
    kept: list[int] = []
    left = _MOST_CHARS
    for at in order:
        if (left := left - len(chunks[at].text)) < 0 and kept:
            break
        kept.append(at)
    return [chunks[at] for at in sorted(kept)]


def _items(article: Source, chunks: Sequence[Chunk]) -> tuple[EvidenceItem, ...]:
    return tuple(
        EvidenceItem(
            f"E{number}",
            "",
            article.path,
            article.title,
            chunk.path,
            chunk.lines,
            chunk.span,
            chunk.text,
            chunk.prefix,
            1.0,
            chunk.id,
        )
        for number, chunk in enumerate(chunks, 1)
    )


def _size(chunks: Sequence[Chunk]) -> int:
    return sum(len(chunk.text) for chunk in chunks)
