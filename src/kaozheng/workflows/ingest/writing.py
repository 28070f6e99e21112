"""Documents embedded a batch at a time and stored one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kaozheng.errors import KnowledgeBaseError, ModelError, ModelRefusedError, NotPrivateError
from kaozheng.sources.index import Embedded, Index
from kaozheng.workflows.ingest.examining import Readied
from kaozheng.workflows.ingest.holdings import Holdings
from kaozheng.workflows.ingest.report import Outcome
from kaozheng.workflows.ingest.stash import BATCH, Stash
from kaozheng.workflows.ingest.tally import Tally

if TYPE_CHECKING:
    from kaozheng.sources.index import Vector

_MOST_FAILURES = 3
_GIVES_UP = (ModelRefusedError, NotPrivateError)


class Writer:
    """Takes documents in order, and tells what became of each. Without an embedder each is stored at once."""

    def __init__(self, index: Index, holdings: Holdings, embedder: Stash | None, tally: Tally) -> None:
        self._index = index
        self._holdings = holdings
        self._embedder = embedder
        self._tally = tally
        self._waiting: list[Readied] = []
        self._failures = 0

    async def take(self, one: Readied | Outcome) -> None:
        """Store the document now or with the next ones. Raises ModelError when the embedder is not to be had,
        StorageError; whatever was told stays done."""
        if isinstance(one, Outcome):
            if one.status == "empty" and one.name in self._holdings:
                await self._holdings.remove(one.name)
            self._tally.done(one)
        elif self._embedder is None or self._holdings.twin_of(one.entry):
            await self._store(one, None)
        else:
            if any(_alike(one, other) for other in self._waiting):
                await self.flush()
            self._waiting.append(one)
            if sum(len(waiting.chunks) for waiting in self._waiting) >= BATCH:
                await self.flush()

    async def flush(self) -> None:
        """Store what waits."""
        waiting, self._waiting = self._waiting, []
        if self._embedder is None or not waiting:
            return
        try:
            vectors = await self._vectors_of(self._embedder, waiting)
        except _GIVES_UP:
            raise
        except ModelError as error:
            await self._one_by_one(waiting, error)
            return
        self._failures = 0
        for one in waiting:
            await self._store(one, _embedded(self._embedder.name, one, vectors))

    async def _one_by_one(self, waiting: Sequence[Readied], error: ModelError) -> None:
        """One text may have been too much for the embedder: the others must not suffer for it."""
        if len(waiting) > 1:
            for one in waiting:
                self._waiting = [one]
                await self.flush()
            return
        self._failures += 1
        if self._failures >= _MOST_FAILURES:  # not the texts: nobody is there
            raise error
        self._tally.done(Outcome(waiting[0].entry.name, "failed", reason=f"not embedded: {error}"))

    async def _vectors_of(self, embedder: Stash, waiting: Sequence[Readied]) -> dict[str, Vector]:
        """By what was embedded. What an earlier version of a document said is not embedded again."""
        vectors: dict[str, Vector] = {}
        for one in waiting:
            vectors |= await self._index.vectors(one.entry.base, one.entry.name, embedder.name)
        texts = list(dict.fromkeys(chunk.searched for one in waiting for chunk in one.chunks))
        aside = await embedder.known([text for text in texts if text not in vectors])
        vectors |= aside
        new = [text for text in texts if text not in vectors]
        self._tally.reused += len(texts) - len(new)
        for start in range(0, len(new), BATCH):
            if start:
                await embedder.put_aside(aside)
            part = await embedder.embed(new[start : start + BATCH])
            vectors, aside = vectors | part, aside | part
            self._tally.has_embedded(len(part))
        return vectors

    async def _store(self, one: Readied, embedded: Embedded | None) -> None:
        try:
            outcome = await self._holdings.store(one.entry, one.chunks, embedded)
        except KnowledgeBaseError as error:
            outcome = Outcome(one.entry.name, "failed", reason=str(error))
        self._tally.done(replace(outcome, left_out=one.left_out))


def _alike(one: Readied, other: Readied) -> bool:
    return (one.entry.sha256, one.entry.labels) == (other.entry.sha256, other.entry.labels)


def _embedded(name: str, one: Readied, vectors: dict[str, Vector]) -> Embedded:
    import numpy as np

    return Embedded(name, np.stack([vectors[chunk.searched] for chunk in one.chunks]))
