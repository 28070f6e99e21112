"""The legs that go by words: which terms of a question are asked for, of either database."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kaozheng.providers.indexes.shelf import Postings
from kaozheng.sources.analyser import exact_terms
from kaozheng.sources.fusion import Leg
from kaozheng.sources.ranking import without_function_words

_COMMON = 0.5  # a term that more than this share of the chunks has says nothing, but costs the most
_MANY_CHUNKS = 1_000  # with fewer it costs nothing either, and what has no other term is found by it
_MOST_COUNTED = 512  # terms of a question: what is longer is a text, and its beginning tells what it is about
_MOST_TERMS = 64  # of these the rarest are asked for


class Lexical:
    """The legs that go by words; `chunks` is how many the whole database has."""

    def __init__(self, postings: Postings, chunks: int) -> None:
        self._postings = postings
        self._chunks = chunks
        self.idf: dict[str, float] = {}

    def leg(self, reading: str, terms: Sequence[str], limit: int) -> Leg:
        """The chunks that have one of the terms, by BM25."""
        asked = list(dict.fromkeys(without_function_words(terms)))[:_MOST_COUNTED]
        counts = self._postings.counts(reading, asked) if asked else {}
        self.idf |= {term: _idf(count, self._chunks) for term, count in counts.items()}
        rarest = sorted((count, term) for term, count in counts.items() if count)
        most = self._chunks * _COMMON if self._chunks >= _MANY_CHUNKS else self._chunks
        # Where every term is common, common ones have to do.
        chosen = [(count, term) for count, term in rarest if count <= most] or rarest
        wanted = {term: count for count, term in chosen[:_MOST_TERMS]}
        return Leg(reading, tuple(self._postings.best(reading, wanted, limit)) if wanted else ())

    def exact(self, text: str, limit: int) -> list[str]:
        """The chunks in which a document number of the question stands."""
        found: dict[str, None] = {}
        for form, tail in exact_terms(text):
            rows = self._postings.best("words", {form: 1}, limit) or self._postings.best("words", {tail: 1}, limit)
            found |= dict.fromkeys(row for row, _ in rows)
        return list(found)


def _idf(count: int, chunks: int) -> float:
    return math.log(1 + (chunks - count + 0.5) / (count + 0.5)) if count else 0.0
