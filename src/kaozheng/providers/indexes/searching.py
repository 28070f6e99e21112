"""A question put to the tables: its legs, in one view of the database."""

from __future__ import annotations

import math
from collections.abc import Sequence

import sqlalchemy as sa

from kaozheng.providers.indexes.tables import FULL_TEXT, documents
from kaozheng.sources.analyser import exact_terms
from kaozheng.sources.fusion import Leg
from kaozheng.sources.index import Within
from kaozheng.sources.ranking import without_function_words

_COMMON = 0.5  # a term that more than this share of the chunks has says nothing, but costs the most
_MANY_CHUNKS = 1_000  # with fewer it costs nothing either, and what has no other term is found by it
_MOST_COUNTED = 512  # terms of a question: what is longer is a text, and its beginning tells what it is about
_MOST_TERMS = 64  # of these the rarest are asked for
_FIELDS = ("domain", "data_type", "data_period", "level")


def wanted(within: Within) -> dict[str, tuple[str, ...]]:
    """The filter: columns of documents and the values that each may have."""
    fields = {field: getattr(within, field) for field in _FIELDS}
    return {"base": within.bases, **{field: values for field, values in fields.items() if values}}


def admitted(within: Within) -> sa.ColumnElement[bool]:
    """The filter, as a condition on documents."""
    return sa.and_(*(documents.c[column].in_(values) for column, values in wanted(within).items()))


class Lexical:
    """The legs that go by words, over the documents that `within` admits. `whole` says that these are all documents."""

    def __init__(self, connection: sa.Connection, within: Within, chunks: int, whole: bool) -> None:
        self._connection = connection
        self._chunks = chunks
        self._within = None if whole else within
        self.idf: dict[str, float] = {}

    def leg(self, table: str, terms: Sequence[str], limit: int) -> Leg:
        """The chunks that have one of the terms, by BM25."""
        counts = self._counts(table, list(dict.fromkeys(without_function_words(terms)))[:_MOST_COUNTED])
        self.idf |= {term: _idf(count, self._chunks) for term, count in counts.items()}
        rarest = sorted((count, term) for term, count in counts.items() if count)
        most = self._chunks * _COMMON if self._chunks >= _MANY_CHUNKS else self._chunks
        # Where every term is common, common ones have to do.
        chosen = [(count, term) for count, term in rarest if count <= most] or rarest
        return Leg(table, tuple(self._match(table, [term for _, term in chosen[:_MOST_TERMS]], limit)))

    def exact(self, text: str, limit: int) -> list[str]:
        """The chunks in which a document number of the question stands."""
        found: dict[str, None] = {}
        for form, tail in exact_terms(text):
            rows = self._match(FULL_TEXT[0], [form], limit) or self._match(FULL_TEXT[0], [tail], limit)
            found |= dict.fromkeys(row for row, _ in rows)
        return list(found)

    def _counts(self, table: str, terms: Sequence[str]) -> dict[str, int]:
        if not terms:
            return {}
        marks = ", ".join("?" * len(terms))
        known = self._connection.exec_driver_sql(
            f"SELECT term, doc FROM {table}_found WHERE term IN ({marks})", tuple(terms)
        )
        return dict.fromkeys(terms, 0) | {term: int(count) for term, count in known}

    def _match(self, table: str, terms: list[str], limit: int) -> list[tuple[str, float]]:
        if not terms:
            return []
        asked = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        rows = self._connection.execute(self._statement(table), {"asked": asked, "limit": limit})
        return [(str(row), -float(rank)) for row, rank in rows]

    def _statement(self, table: str) -> sa.TextClause:
        joined, conditions = "", ""
        values: dict[str, tuple[str, ...]] = {}
        if self._within is not None:
            # CROSS keeps the order of the tables: from what matches to its document, never the other way.
            joined = (
                f" CROSS JOIN chunks ON chunks.row = {table}.rowid"
                " CROSS JOIN documents ON documents.id = chunks.document"
            )
            values = wanted(self._within)
            conditions = "".join(f" AND documents.{column} IN :{column}" for column in values)
        # Not FTS5's own ORDER BY rank: it sorts all that match, SQLite keeps the best.
        statement = sa.text(
            f"SELECT {table}.rowid, bm25({table}) AS worth FROM {table}{joined}"
            f" WHERE {table} MATCH :asked{conditions} ORDER BY worth, {table}.rowid LIMIT :limit"
        )
        return statement.bindparams(*(sa.bindparam(name, list(of), expanding=True) for name, of in values.items()))


def _idf(count: int, chunks: int) -> float:
    return math.log(1 + (chunks - count + 0.5) / (count + 0.5)) if count else 0.0
