"""Which chunks have a term, on PostgreSQL: tsquery finds candidates, we rank them.

`ts_rank` knows no idf: it puts the right Chinese passage first for .89 of the questions, BM25 for .955. To rank all
chunks that have one of the terms would mean to fetch a fifth of a large base, so only the rarest terms find candidates:
what has none of them, only common ones, is seldom among the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from kaozheng.providers.indexes.counting import Candidates, best, scores
from kaozheng.providers.indexes.scope import Scope, wanted
from kaozheng.sources.index import Within

_MOST_CANDIDATES = 1_000  # about as many chunks are ranked; the common terms count in them, but find none
_COUNTS = sa.text(
    "SELECT term, chunks FROM term_counts WHERE reading = :reading AND term = ANY(CAST(:terms AS text[]))"
)
_LENGTHS = sa.text("SELECT chunks, terms FROM lengths WHERE reading = :reading")


class PostgresPostings:
    """See Postings."""

    def __init__(self, connection: sa.Connection, scope: Scope) -> None:
        self._connection = connection
        self._within = scope.within
        self._share = scope.admitted / scope.chunks if scope.chunks else 1.0

    def counts(self, reading: str, terms: Sequence[str]) -> dict[str, int]:
        """See Postings.counts."""
        known = self._connection.execute(_COUNTS, {"reading": reading, "terms": _keepable(terms)})
        return dict.fromkeys(terms, 0) | {term: int(count) for term, count in known}

    def best(self, reading: str, terms: Mapping[str, int], limit: int) -> list[tuple[str, float]]:
        """See Postings.best."""
        chunks, length = self._connection.execute(_LENGTHS, {"reading": reading}).one()
        terms = {term: terms[term] for term in _keepable(terms)}
        if not terms or not chunks:
            return []
        rare = self._rare(terms)
        candidates = self._candidates(reading, rare)
        if len(candidates.rows) < limit and len(rare) < len(terms):
            candidates = self._candidates(reading, list(terms))
        worth = scores(candidates, terms, chunks, length / chunks)
        return best(candidates.rows, worth, limit)

    def _rare(self, terms: Mapping[str, int]) -> list[str]:
        """The rarest, as many as find no more candidates than are wanted; one at least."""
        chosen: list[str] = []
        expected = 0.0
        for term, count in terms.items():
            expected += count * self._share
            if chosen and expected > _MOST_CANDIDATES:
                break
            chosen.append(term)
        return chosen

    def _candidates(self, reading: str, terms: Sequence[str]) -> Candidates:
        import numpy as np

        joined, conditions, bound = filtered(reading, self._within)
        # One row of packed numbers: thousands of rows would take longer to read than to rank.
        statement = sa.text(
            "SELECT string_agg(int4send(found.row), ''), string_agg(int4send(found.length), ''),"
            " string_agg(int4send(octet_length(found.counted) / 8), ''), string_agg(found.counted, '') FROM"
            f" (SELECT {reading}.row, {reading}.length, {reading}.counted FROM {reading}{joined}"
            f" WHERE {reading}.terms @@ CAST(:asked AS tsquery){conditions}) AS found"
        ).bindparams(*bound)
        asked = " | ".join(map(lexeme, terms))
        packed = [part or b"" for part in self._connection.execute(statement, {"asked": asked}).one()]
        rows, lengths, sizes = (np.frombuffer(part, dtype=">i4").astype(np.int64) for part in packed[:3])
        return Candidates(rows, lengths, sizes, np.frombuffer(packed[3], dtype="<u8"))


def lexeme(term: str) -> str:
    """The term as tsvector and tsquery read it, whatever signs it has."""
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def filtered(table: str, within: Within | None) -> tuple[str, str, list[sa.BindParameter[Any]]]:
    """The filter on a table with the column `document`: what is joined, conditions, their values."""
    if within is None:
        return "", "", []
    values = wanted(within)
    conditions = "".join(f" AND documents.{column} IN :{column}" for column in values)
    bound: list[sa.BindParameter[Any]] = [
        sa.bindparam(column, list(of), expanding=True) for column, of in values.items()
    ]
    return f" JOIN documents ON documents.id = {table}.document", conditions, bound


def _keepable(terms: Sequence[str] | Mapping[str, int]) -> list[str]:
    """Those that PostgreSQL can have: no text there holds a NUL."""
    return [term for term in terms if "\0" not in term]
