"""Knowledge bases in a database: what may be written and in which order, the same for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import sqlalchemy as sa

from kaozheng.errors import KnowledgeBaseError, StorageError
from kaozheng.providers.indexes import reading, writing
from kaozheng.providers.indexes.answering import Answering
from kaozheng.providers.indexes.shelf import Shelf
from kaozheng.providers.indexes.tables import bases, documents, facts, spaces
from kaozheng.providers.stores.unbroken import Unbroken, to_its_end
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.index import LABELS, BaseStats, Embedded, Entry, Found, Question, Stored, require_fitting

if TYPE_CHECKING:
    from kaozheng.sources.index import Vector

T = TypeVar("T")
_log = logging.getLogger(__name__)


class StoredIndex:
    """The Index on one database. Made by `open_index` and `open_postgres`. All work is done in threads; a call goes to
    its end although its caller is cancelled."""

    def __init__(self, shelf: Shelf, analyser: Analyser) -> None:
        self._shelf = shelf
        self._analyser = analyser
        self._answering = Answering(analyser, shelf)
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

        def kept(connection: sa.Connection) -> Mapping[str, Vector]:
            document = reading.document_row(connection, base, name)
            space = reading.space_of_base(connection, base, embedder)
            if document is None or space is None or not document.rows:
                return {}
            rows = self._shelf.vectors_of(connection, document, space)
            return dict(zip(reading.searched_texts(connection, document), rows, strict=True))

        return await self._read(kept)

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
            with self._shelf.reading() as connection:
                return work(connection)

        return await asyncio.to_thread(whole)

    def _put(self, entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None) -> Stored:
        mark = writing.fingerprint(entry, chunks, embedded)
        with self._shelf.reading() as connection:
            if settled := _settled(connection, entry, mark):
                return settled
        terms = writing.analysed(self._analyser, chunks)
        with self._shelf.writing() as connection:
            if settled := _settled(connection, entry, mark):  # another process was faster
                return settled
            if _facts(connection)["analyser"] != self._analyser.name:
                raise StorageError(f"{self._shelf.where}: another version of Kaozheng has taken it over: start again")
            twin = _twin(connection, entry)
            space = None if twin else _space(connection, entry.base, embedded, bool(chunks))
            old = reading.document_row(connection, entry.base, entry.name)
            if old is not None:
                writing.remove(connection, self._shelf, old)
            if not twin:
                writing.insert(connection, self._shelf, writing.Prepared(entry, chunks, terms, embedded, mark), space)
            writing.count_change(connection)
        if twin:
            return Stored("twin", 0, twin)
        return Stored("replaced" if old is not None else "added", len(chunks))

    def _delete(self, base: str, name: str) -> bool:
        with self._shelf.writing() as connection:
            old = reading.document_row(connection, base, name)
            if old is not None:
                writing.remove(connection, self._shelf, old)
                writing.count_change(connection)
        return old is not None

    def _drop(self, base: str) -> bool:
        with self._shelf.writing() as connection:
            for old in connection.execute(sa.select(documents).where(documents.c.base == base)).all():
                writing.remove(connection, self._shelf, old)
            dropped = connection.execute(sa.delete(bases).where(bases.c.name == base)).rowcount
            used = writing.forget_unused(connection)
            writing.count_change(connection)
        self._shelf.forget_all_but(used)
        return bool(dropped)


@asynccontextmanager
async def serving(shelf: Shelf, analyser: Analyser) -> AsyncIterator[StoredIndex]:
    """The index on this database, whose terms are first made anew where an older analyser made them; closes the
    database at the end. Raises StorageError."""
    try:
        await asyncio.to_thread(_bring_up_to_date, shelf, analyser)
        index = StoredIndex(shelf, analyser)
        try:
            yield index
        finally:
            await index.unbroken.settle()
    finally:
        shelf.close()


def _bring_up_to_date(shelf: Shelf, analyser: Analyser) -> None:
    with shelf.reading() as connection:
        known = _facts(connection)
    if known["analyser"] == analyser.name:
        return
    with shelf.writing() as connection:
        if (made_by := _facts(connection)["analyser"]) != analyser.name:
            if made_by:
                _log.warning("%s: all terms are made anew, by %s", shelf.where, analyser.name)
            writing.reindex(connection, shelf, analyser)
            connection.execute(sa.update(facts).where(facts.c.name == "analyser").values(value=analyser.name))
            writing.count_change(connection)


def _facts(connection: sa.Connection) -> dict[str, str]:
    return {row.name: row.value for row in connection.execute(sa.select(facts))}


def _settled(connection: sa.Connection, entry: Entry, mark: str) -> Stored | None:
    """What to answer where nothing has to be written."""
    old = reading.document_row(connection, entry.base, entry.name)
    if old is not None and old.stored == mark:
        return Stored("unchanged", old.rows)
    twin = _twin(connection, entry) if old is None else ""
    return Stored("twin", 0, twin) if twin else None


def _twin(connection: sa.Connection, entry: Entry) -> str:
    same = sa.select(documents.c.name).where(
        documents.c.base == entry.base, documents.c.sha256 == entry.sha256, documents.c.name != entry.name,
        *(documents.c[label] == getattr(entry.labels, label) for label in LABELS),
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
