"""Knowledge bases in one SQLite file: FTS5 over our own terms, and exact vectors beside it."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from kaozheng.providers.indexes.counting import best
from kaozheng.providers.indexes.database import Database, open_database
from kaozheng.providers.indexes.dense import dense_leg
from kaozheng.providers.indexes.matrix import Matrices, as_vectors
from kaozheng.providers.indexes.occurrences import AllKnown, Known
from kaozheng.providers.indexes.scope import Scope, Space, inside
from kaozheng.providers.indexes.stored_index import StoredIndex, serving
from kaozheng.providers.indexes.tables import FULL_TEXT, identity, vectors
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.fusion import Leg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kaozheng.sources.vectors import Vectors

_LAST_ROW = sa.text("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0)")


@asynccontextmanager
async def open_index(path: Path, analyser: Analyser | None = None) -> AsyncIterator[StoredIndex]:
    """The knowledge bases in this file, which is made when it is missing. Terms that an older analyser made are made
    anew first. Raises StorageError."""
    shelf = SqliteShelf(await open_database(path))
    async with serving(shelf, analyser or Analyser()) as index:
        yield index


class SqliteShelf:
    """See Shelf."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.where = str(database.path)
        try:
            with database.reading() as connection:
                name = identity(connection)
        except BaseException:
            database.close()
            raise
        self._matrices = Matrices(database.path.with_name(f"{database.path.name}.vectors"), name)
        self._known = AllKnown()

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
        return int(connection.execute(_LAST_ROW).scalar_one()) + 1

    def add_terms(self, connection: sa.Connection, rows: Sequence[tuple[int, bytes]]) -> None:
        """See Shelf.add_terms."""
        for table, lines in _by_table(rows).items():
            if lines:
                connection.exec_driver_sql(f"INSERT INTO {table}(rowid, terms) VALUES (?, ?)", lines)

    def remove_terms(self, connection: sa.Connection, rows: Sequence[tuple[int, bytes]]) -> None:
        """See Shelf.remove_terms."""
        for table, lines in _by_table(rows).items():
            if lines:
                delete = f"INSERT INTO {table}({table}, rowid, terms) VALUES ('delete', ?, ?)"
                connection.exec_driver_sql(delete, lines)

    def clear_terms(self, connection: sa.Connection) -> None:
        """See Shelf.clear_terms."""
        for table in FULL_TEXT:
            connection.exec_driver_sql(f"INSERT INTO {table}({table}) VALUES ('delete-all')")

    def add_vectors(self, connection: sa.Connection, document: sa.Row[Any], space: int, matrix: Vectors) -> None:
        """See Shelf.add_vectors."""
        values = {"first_row": document.first_row, "space": space, "rows": document.rows, "vectors": matrix.tobytes()}
        connection.execute(sa.insert(vectors).values(values))

    def remove_vectors(self, connection: sa.Connection, document: sa.Row[Any]) -> None:
        """See Shelf.remove_vectors."""
        connection.execute(sa.delete(vectors).where(vectors.c.first_row == document.first_row))

    def vectors_of(self, connection: sa.Connection, document: sa.Row[Any], space: Space) -> Vectors:
        """See Shelf.vectors_of."""
        kept = sa.select(vectors.c.vectors, vectors.c.rows).where(vectors.c.first_row == document.first_row)
        stored = connection.execute(kept).one()
        return as_vectors(stored.vectors, stored.rows, space)

    def postings(self, connection: sa.Connection, scope: Scope) -> SqlitePostings:
        """See Shelf.postings."""
        return SqlitePostings(connection, scope, self._known)

    def nearest(self, connection: sa.Connection, scope: Scope, asked: NDArray[np.float32], limit: int) -> Leg:
        """See Shelf.nearest."""
        assert scope.space is not None
        return dense_leg(self._matrices.blocks(connection, scope.space), scope.ranges, asked, limit)

    def forget_all_but(self, used: set[int]) -> None:
        """See Shelf.forget_all_but."""
        self._matrices.forget_all_but(used)


class SqlitePostings:
    """See Postings."""

    def __init__(self, connection: sa.Connection, scope: Scope, known: AllKnown) -> None:
        self._connection = connection
        self._scope = scope
        self._known = known

    def counts(self, reading: str, terms: Sequence[str]) -> dict[str, int]:
        """See Postings.counts."""
        return self._of(reading).counts(self._connection, terms)

    def best(self, reading: str, terms: Mapping[str, int], limit: int) -> list[tuple[str, float]]:
        """See Postings.best."""
        known = self._of(reading)
        scores, rows = known.scores(self._connection, list(terms)), known.lengths.rows
        if self._scope.within is not None:
            scores *= inside(rows, self._scope.ranges)
        return best(rows, scores, limit)

    def _of(self, reading: str) -> Known:
        return self._known.of(self._connection, reading, self._scope.changes)


def _by_table(rows: Sequence[tuple[int, bytes]]) -> dict[str, list[tuple[int, str]]]:
    """The terms of the rows as the full-text tables take them; none of a reading that a text does not have."""
    by_table: dict[str, list[tuple[int, str]]] = {table: [] for table in FULL_TEXT}
    for row, packed in rows:
        for table, line in zip(FULL_TEXT, zlib.decompress(packed).decode().split("\n"), strict=True):
            if line:
                by_table[table].append((row, line))
    return by_table
