"""Knowledge bases on PostgreSQL: candidates by tsquery over our own terms, BM25 by us, exact vectors by pgvector."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from kaozheng.providers.indexes.counting import counted
from kaozheng.providers.indexes.dense import NAME
from kaozheng.providers.indexes.postgres_database import PostgresDatabase, open_database
from kaozheng.providers.indexes.postgres_postings import PostgresPostings, filtered, lexeme
from kaozheng.providers.indexes.postgres_tables import READINGS
from kaozheng.providers.indexes.scope import Scope, Space
from kaozheng.providers.indexes.stored_index import StoredIndex, serving
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.fusion import Leg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kaozheng.sources.vectors import Vectors

_TAKE_ROWS = sa.text(
    "UPDATE facts SET value = CAST(CAST(value AS integer) + :count AS text) WHERE name = 'last row'"
    " RETURNING CAST(value AS integer) - :count + 1"
)
_COUNT_TERMS = sa.text(
    "INSERT INTO term_counts (reading, term, chunks)"
    " SELECT :reading, term, more"
    " FROM unnest(string_to_array(:terms, ' '), CAST(string_to_array(:counts, ' ') AS integer[])) AS given (term, more)"
    " ON CONFLICT (reading, term) DO UPDATE SET chunks = term_counts.chunks + excluded.chunks"
)
_FORGET_TERMS = sa.text(
    "DELETE FROM term_counts WHERE reading = :reading AND term = ANY(string_to_array(:terms, ' ')) AND chunks <= 0"
)
_COUNT_LENGTHS = sa.text(
    "UPDATE lengths SET chunks = chunks + :chunks, terms = terms + :terms WHERE reading = :reading"
)
_ADD_VECTORS = sa.text(
    "INSERT INTO vectors (row, document, space, vector)"
    " SELECT row, :document, :space, CAST(vector AS vector)"
    " FROM unnest(CAST(:rows AS integer[]), CAST(:vectors AS text[])) AS given (row, vector)"
)


@asynccontextmanager
async def open_postgres(address: str, analyser: Analyser | None = None) -> AsyncIterator[StoredIndex]:
    """The knowledge bases in the schema `knowledge` at this postgresql:// address, which is made when it is missing.
    Terms that an older analyser made are made anew first. Raises MissingExtraError, SettingsError, StorageError; none
    of them says the password."""
    shelf = PostgresShelf(await open_database(address))
    async with serving(shelf, analyser or Analyser()) as index:
        yield index


class PostgresShelf:
    """See Shelf."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self.where = database.where

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """See Shelf.reading."""
        return self._database.reading()

    def writing(self) -> AbstractContextManager[sa.Connection]:
        """See Shelf.writing."""
        return self._database.writing()

    def close(self) -> None:
        """See Shelf.close."""
        self._database.close()

    def take_rows(self, connection: sa.Connection, count: int) -> int:
        """See Shelf.take_rows."""
        return int(connection.execute(_TAKE_ROWS, {"count": count}).scalar_one())

    def add_terms(self, connection: sa.Connection, rows: Sequence[tuple[int, bytes]]) -> None:
        """See Shelf.add_terms."""
        for reading, by_row in _by_reading(rows).items():
            if by_row:
                values = {
                    "rows": list(by_row),
                    "lengths": [len(terms) for terms in by_row.values()],
                    "terms": [" ".join(map(lexeme, dict.fromkeys(terms))) for terms in by_row.values()],
                    "counted": [counted(terms) for terms in by_row.values()],
                }
                connection.execute(_adding(reading), values)
                _count(connection, reading, list(by_row.values()), 1)

    def remove_terms(self, connection: sa.Connection, rows: Sequence[tuple[int, bytes]]) -> None:
        """See Shelf.remove_terms."""
        for reading, by_row in _by_reading(rows).items():
            if by_row:
                gone = sa.text(f"DELETE FROM {reading} WHERE row = ANY(CAST(:rows AS integer[]))")
                connection.execute(gone, {"rows": list(by_row)})
                _count(connection, reading, list(by_row.values()), -1)

    def clear_terms(self, connection: sa.Connection) -> None:
        """See Shelf.clear_terms."""
        for reading in READINGS:
            connection.exec_driver_sql(f"DELETE FROM {reading}")
        connection.exec_driver_sql("DELETE FROM term_counts")
        connection.exec_driver_sql("UPDATE lengths SET chunks = 0, terms = 0")

    def add_vectors(self, connection: sa.Connection, document: sa.Row[Any], space: int, matrix: Vectors) -> None:
        """See Shelf.add_vectors."""
        rows = list(range(document.first_row, document.first_row + document.rows))
        said = [_written(vector) for vector in matrix]
        values = {"document": document.id, "space": space, "rows": rows, "vectors": said}
        connection.execute(_ADD_VECTORS, values)

    def remove_vectors(self, connection: sa.Connection, document: sa.Row[Any]) -> None:
        """See Shelf.remove_vectors."""
        connection.execute(sa.text("DELETE FROM vectors WHERE document = :id"), {"id": document.id})

    def vectors_of(self, connection: sa.Connection, document: sa.Row[Any], space: Space) -> Vectors:
        """See Shelf.vectors_of."""
        import numpy as np

        kept = sa.text("SELECT CAST(vector AS real[]) FROM vectors WHERE document = :id ORDER BY row")
        return np.array(connection.execute(kept, {"id": document.id}).scalars().all(), dtype=np.float32)

    def postings(self, connection: sa.Connection, scope: Scope) -> PostgresPostings:
        """See Shelf.postings."""
        return PostgresPostings(connection, scope)

    def nearest(self, connection: sa.Connection, scope: Scope, asked: NDArray[np.float32], limit: int) -> Leg:
        """See Shelf.nearest. Exact: an HNSW index finds a quarter less where a filter admits few."""
        assert scope.space is not None
        joined, conditions, bound = filtered("vectors", scope.within)
        statement = sa.text(
            "WITH compared AS MATERIALIZED (SELECT vectors.row, vectors.vector <#> CAST(:asked AS vector) AS apart"
            f" FROM vectors{joined} WHERE vectors.space = :space{conditions})"
            " SELECT row, -apart, -(SELECT max(apart) FROM compared) FROM compared ORDER BY apart, row LIMIT :limit"
        ).bindparams(*bound)
        values = {"asked": _written(asked), "space": scope.space.id, "limit": limit}
        found = connection.execute(statement, values).all()
        return Leg(NAME, tuple((str(row), float(score)) for row, score, _ in found), found[0][2] if found else 0.0)

    def forget_all_but(self, used: set[int]) -> None:
        """See Shelf.forget_all_but: nothing is kept beside the database."""


def _by_reading(rows: Sequence[tuple[int, bytes]]) -> dict[str, dict[int, list[str]]]:
    by_reading: dict[str, dict[int, list[str]]] = {reading: {} for reading in READINGS}
    for row, packed in rows:
        for reading, line in zip(READINGS, zlib.decompress(packed).decode().split("\n"), strict=True):
            if line:
                by_reading[reading][row] = line.split(" ")
    return by_reading


def _adding(reading: str) -> sa.TextClause:
    return sa.text(
        f"INSERT INTO {reading} (row, document, length, terms, counted)"
        " SELECT given.row, chunks.document, given.length, CAST(given.terms AS tsvector), given.counted FROM unnest("
        "CAST(:rows AS integer[]), CAST(:lengths AS integer[]), CAST(:terms AS text[]), CAST(:counted AS bytea[])"
        ") AS given (row, length, terms, counted) JOIN chunks ON chunks.row = given.row"
    )


def _count(connection: sa.Connection, reading: str, chunks: Sequence[Sequence[str]], sign: int) -> None:
    """Add the chunks to what is known of all, or take them off."""
    of = Counter(term for terms in chunks for term in set(terms))
    # In the order of the index, and as one text: no term has a blank, and a list of thousands takes the driver long.
    named = {"reading": reading, "terms": " ".join(sorted(of))}
    connection.execute(_COUNT_TERMS, named | {"counts": " ".join(str(sign * of[term]) for term in sorted(of))})
    if sign < 0:
        connection.execute(_FORGET_TERMS, named)
    more = {"reading": reading, "chunks": sign * len(chunks), "terms": sign * sum(map(len, chunks))}
    connection.execute(_COUNT_LENGTHS, more)


def _written(vector: NDArray[np.float32]) -> str:
    """As pgvector reads it; nine figures tell every float32 from the next."""
    return "[" + ",".join([f"{number:.9g}" for number in vector.tolist()]) + "]"
