"""An index that is opened for each call and closed after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from kaozheng.sources.chunk import Chunk
from kaozheng.sources.index import BaseStats, Embedded, Entry, Found, Index, Question, Stored

if TYPE_CHECKING:
    from kaozheng.sources.index import Vector


class IndexAtNeed:
    """For a host that says no word when it ends (LangGraph Studio): nothing stays open behind it. A call costs the
    opening, some 50 ms; who asks often opens the index itself. Raises what opening and the call raise."""

    def __init__(self, opened: Callable[[], AbstractAsyncContextManager[Index]]) -> None:
        self._opened = opened

    async def put(self, entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None = None) -> Stored:
        """See Index.put."""
        async with self._opened() as index:
            return await index.put(entry, chunks, embedded)

    async def delete(self, base: str, name: str) -> bool:
        """See Index.delete."""
        async with self._opened() as index:
            return await index.delete(base, name)

    async def drop(self, base: str) -> bool:
        """See Index.drop."""
        async with self._opened() as index:
            return await index.drop(base)

    async def entry(self, base: str, name: str) -> Entry | None:
        """See Index.entry."""
        async with self._opened() as index:
            return await index.entry(base, name)

    async def entries(self, base: str) -> Sequence[Entry]:
        """See Index.entries."""
        async with self._opened() as index:
            return await index.entries(base)

    async def chunks(self, base: str, name: str) -> Sequence[Chunk]:
        """See Index.chunks."""
        async with self._opened() as index:
            return await index.chunks(base, name)

    async def vectors(self, base: str, name: str, embedder: str) -> Mapping[str, Vector]:
        """See Index.vectors."""
        async with self._opened() as index:
            return await index.vectors(base, name, embedder)

    async def bases(self) -> Sequence[BaseStats]:
        """See Index.bases."""
        async with self._opened() as index:
            return await index.bases()

    async def search(self, question: Question) -> Found:
        """See Index.search."""
        async with self._opened() as index:
            return await index.search(question)
