"""A vector shelf that lives as long as the test, and an embedder that needs no model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kaozheng.sources.ranking import terms
from kaozheng.sources.vectors import Kind, StoredVectors

if TYPE_CHECKING:
    from kaozheng.sources.vectors import Vectors


class MemoryVectors:
    """A VectorShelf in a dict; `loads` and `saves` are the keys asked for, in order."""

    def __init__(self) -> None:
        self.kept: dict[str, StoredVectors] = {}
        self.loads: list[str] = []
        self.saves: list[str] = []

    async def load(self, key: str) -> StoredVectors | None:
        self.loads.append(key)
        return self.kept.get(key)

    async def save(self, key: str, stored: StoredVectors) -> str:
        self.saves.append(key)
        self.kept[key] = stored
        return self.where(key)

    async def forget(self, key: str) -> None:
        self.kept.pop(key, None)

    def where(self, key: str) -> str:
        return f"memory: {key}"


class HashedEmbedder:
    """An Embedder whose vectors count hashed terms: texts that share words are near. `embedded` is every text given."""

    def __init__(self, name: str = "hashed", dimensions: int = 256) -> None:
        self.name = name
        self.embedded: list[str] = []
        self._dimensions = dimensions

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        import numpy as np

        self.embedded.extend(texts)
        rows = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in terms(text):
                row[zlib.crc32(term.encode()) % self._dimensions] += 1
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows
