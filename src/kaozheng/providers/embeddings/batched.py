"""Many texts for an embedder that takes few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from kaozheng.errors import ShapeError
from kaozheng.models.limits import Slots
from kaozheng.models.retrying import OnRetry, Patience
from kaozheng.sources.vectors import Embedder, Kind

if TYPE_CHECKING:
    from kaozheng.sources.vectors import Vectors


class Batched:
    """An Embedder that hands at most `size` texts on at once, several batches side by side: each needs a place in all
    of the `slots`. A batch that fails in a way that may pass is asked again, alone; another failure is raised and the
    other batches are given up. The order of the texts is kept."""

    def __init__(
        self,
        embedder: Embedder,
        size: int,
        slots: Sequence[Slots] = (),
        patience: Patience | None = None,
        on_retry: OnRetry | None = None,
    ) -> None:
        if size < 1:
            raise ValueError(f"a batch needs at least 1 text, not {size}")
        self._embedder = embedder
        self._size = size
        self._slots = slots
        self._patience = patience or Patience()
        self._on_retry = on_retry

    def __repr__(self) -> str:
        return f"Batched({self._embedder!r}, {self._size})"

    @property
    def name(self) -> str:
        return self._embedder.name

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See Embedder.embed. Raises ShapeError when batches come back in different dimensions."""
        import numpy as np

        starts = range(0, len(texts), self._size)
        tasks = [asyncio.create_task(self._batch(texts[start : start + self._size], kind)) for start in starts]
        try:
            parts = await asyncio.gather(*tasks)
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
        if len({part.shape[1] for part in parts}) > 1:
            raise ShapeError(f"{self.name} sent vectors of different lengths")
        return np.concatenate(parts) if parts else np.empty((0, 0), dtype=np.float32)

    async def _batch(self, texts: Sequence[str], kind: Kind) -> Vectors:
        return await self._patience.ask(lambda: self._once(texts, kind), f"embed/{len(texts)}", self._on_retry)

    async def _once(self, texts: Sequence[str], kind: Kind) -> Vectors:
        async with AsyncExitStack() as places:
            for slots in self._slots:
                await places.enter_async_context(slots)
            return await self._embedder.embed(texts, kind)
