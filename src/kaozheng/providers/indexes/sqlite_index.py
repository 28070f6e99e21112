"""Knowledge bases in one SQLite file: FTS5 over our own terms, and exact vectors beside it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa

from kaozheng.errors import KnowledgeBaseError, StorageError
from kaozheng.providers.indexes import reading, writing
from kaozheng.providers.indexes.answering import Answering
from kaozheng.providers.indexes.database import Database, open_database
from kaozheng.providers.indexes.matrix import Matrices
from kaozheng.providers.indexes.tables import bases, documents, facts, spaces
from kaozheng.providers.stores.unbroken import Unbroken, to_its_end
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.index import BaseStats, Embedded, Entry, Found, Question, Stored, require_fitting

if TYPE_CHECKING:
    from kaozheng.sources.index import Vector

T = TypeVar("T")
_LABELS = ("domain", "data_type", "data_period", "level")
_log = logging.getLogger(__name__)


class SqliteIndex:
    """The Index on one file. Made by `open_index`. All work is done in threads; a call goes to its end although its
    caller is cancelled."""

    def __init__(self, database: Database, analyser: Analyser, matrices: Matrices) -> None:
        self._database = database
        self._analyser = analyser
        self._matrices = matrices
        self._answering = Answering(analyser, matrices)
        self.unbroken = Unbroken()

    @to_its_end
    async def put(self, entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None = None) -> Stored:
        """See Index.put."""
        require_fitting(entry, chunks, embedded)
        return await asyncio.to_thread(self._put, entry, chunks, embedded if chunks else None)

    @to_its_end
    async def delete(self, base: str, name: str) -> bool:
        """See Index.delete."""
        return await asyncio.to_thread(self._delete, base, name)

    @to_its_end
    async def drop(self, base: str) -> bool:
        """See Index.drop."""
        return await asyncio.to_thread(self._drop, base)

    async def entry(self, base: str, name: str) -> Entry | None:
        """See Index.entry."""
        named = await self._read(lambda c: reading.entries(c, documents.c.base == base, documents.c.name == name))
        return named[0] if named else None

    async def entries(self, base: str) -> Sequence[Entry]:
        """See Index.entries."""

        def listed(connection: sa.Connection) -> Sequence[Entry]:
            reading.require(connection, (base,))
            return reading.entries(connection, documents.c.base == base)

        return await self._read(listed)

    async def chunks(self, base: str, name: str) -> Sequence[Chunk]:
        """See Index.chunks."""
        return await self._read(lambda connection: reading.chunks_of(connection, base, name))

    async def vectors(self, base: str, name: str, embedder: str) -> Mapping[str, Vector]:
        """See Index.vectors."""
        return await self._read(lambda connection: reading.vectors_of(connection, base, name, embedder))

    async def bases(self) -> Sequence[BaseStats]:
        """See Index.bases."""
        return await self._read(reading.base_stats)

    async def search(self, question: Question) -> Found:
        """See Index.search."""

        def answer(connection: sa.Connection) -> Found:
            reading.require(connection, question.within.bases)
            return self._answering.answer(connection, question)

        return await self._read(answer)

    @to_its_end
    async def _read(self, work: Callable[[sa.Connection], T]) -> T:
        def whole() -> T:
            with self._database.reading() as connection:
                return work(connection)

        return await asyncio.to_thread(whole)

    def _put(self, entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None) -> Stored:
        mark = writing.fingerprint(entry, chunks, embedded)
        with self._database.reading() as connection:
            if settled := _settled(connection, entry, mark):
                return settled
        terms = writing.analysed(self._analyser, chunks)
        with self._database.writing() as connection:
            if settled := _settled(connection, entry, mark):  # another process was faster
                return settled
            if _facts(connection)["analyser"] != self._analyser.name:
                raise StorageError(f"{self._database.path}: another version of Kaozheng has taken it over: start again")
            twin = _twin(connection, entry)
            space = None if twin else _space(connection, entry.base, embedded, bool(chunks))
            old = _row(connection, entry.base, entry.name)
            if old is not None:
                writing.remove(connection, old)
            if not twin:
                writing.insert(connection, writing.Prepared(entry, chunks, terms, embedded, mark), space)
            writing.count_change(connection)
        if twin:
            return Stored("twin", 0, twin)
        return Stored("replaced" if old is not None else "added", len(chunks))

    def _delete(self, base: str, name: str) -> bool:
        with self._database.writing() as connection:
            old = _row(connection, base, name)
            if old is not None:
                writing.remove(connection, old)
                writing.count_change(connection)
        return old is not None

    def _drop(self, base: str) -> bool:
        with self._database.writing() as connection:
            for old in connection.execute(sa.select(documents).where(documents.c.base == base)).all():
                writing.remove(connection, old)
            dropped = connection.execute(sa.delete(bases).where(bases.c.name == base)).rowcount
            used = writing.forget_unused(connection)
            writing.count_change(connection)
        self._matrices.forget_all_but(used)
        return bool(dropped)


@asynccontextmanager
async def open_index(path: Path, analyser: Analyser | None = None) -> AsyncIterator[SqliteIndex]:
    """The knowledge bases in this file, which is made when it is missing. Terms that an older analyser made are made
    anew first. Raises StorageError."""
    analyser = analyser or Analyser()
    database = await open_database(path)
    try:
        identity = await asyncio.to_thread(_bring_up_to_date, database, analyser)
        index = SqliteIndex(database, analyser, Matrices(path.with_name(f"{path.name}.vectors"), identity))
        try:
            yield index
        finally:
            await index.unbroken.settle()
    finally:
        database.close()


def _bring_up_to_date(database: Database, analyser: Analyser) -> str:
    """The identity of the database, whose terms are now those of the analyser."""
    with database.reading() as connection:
        known = _facts(connection)
    if known["analyser"] != analyser.name:
        with database.writing() as connection:
            if (made_by := _facts(connection)["analyser"]) != analyser.name:
                if made_by:
                    _log.warning("%s: all terms are made anew, by %s", database.path, analyser.name)
                writing.reindex(connection, analyser)
                connection.execute(sa.update(facts).where(facts.c.name == "analyser").values(value=analyser.name))
                writing.count_change(connection)
    return known["id"]


def _facts(connection: sa.Connection) -> dict[str, str]:
    return {row.name: row.value for row in connection.execute(sa.select(facts))}


def _row(connection: sa.Connection, base: str, name: str) -> sa.Row[Any] | None:
    return connection.execute(sa.select(documents).where(documents.c.base == base, documents.c.name == name)).first()


def _settled(connection: sa.Connection, entry: Entry, mark: str) -> Stored | None:
    """What to answer where nothing has to be written."""
    old = _row(connection, entry.base, entry.name)
    if old is not None and old.stored == mark:
        return Stored("unchanged", old.rows)
    twin = _twin(connection, entry) if old is None else ""
    return Stored("twin", 0, twin) if twin else None


def _twin(connection: sa.Connection, entry: Entry) -> str:
    same = sa.select(documents.c.name).where(
        documents.c.base == entry.base, documents.c.sha256 == entry.sha256, documents.c.name != entry.name,
        *(documents.c[label] == getattr(entry.labels, label) for label in _LABELS),
    )  # fmt: skip
    return str(connection.execute(same.order_by(documents.c.name)).scalar() or "")


def _space(connection: sa.Connection, base: str, embedded: Embedded | None, any_chunks: bool) -> int | None:
    """The space of the base, which is made when it is new. KnowledgeBaseError where the vectors are another's."""
    known = connection.execute(
        sa.select(bases.c.space, spaces.c.embedder)
        .select_from(bases.outerjoin(spaces, spaces.c.id == bases.c.space))
        .where(bases.c.name == base)
    ).first()
    if known is None:
        connection.execute(sa.insert(bases).values(name=base))
    elif not any_chunks:
        return int(known.space) if known.space else None
    filled = sa.exists().where(documents.c.base == base, documents.c.rows > 0)
    given = embedded.embedder if embedded else ""
    if known is not None and (known.embedder or "") != given and connection.execute(sa.select(filled)).scalar():
        kept = f"embedded by {known.embedder}" if known.embedder else "searched by words alone"
        offered = f"vectors of {given}" if given else "no vectors"
        raise KnowledgeBaseError(f"{base}: it is {kept}, here are {offered}: drop the base and add its documents again")
    space = writing.space_of(connection, embedded) if embedded else None
    connection.execute(sa.update(bases).where(bases.c.name == base).values(space=space))
    return space
