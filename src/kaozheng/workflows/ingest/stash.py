"""Vectors of documents that are longer than a batch, kept aside until the documents are stored: a kill in the middle of
one costs no more than a batch."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kaozheng.sources.vectors import Embedder, StoredVectors, VectorShelf

if TYPE_CHECKING:
    from kaozheng.sources.index import Vector

BATCH = 64
"""Texts that are embedded together."""


class Stash:
    """Asks the embedder for vectors, batch after batch. Of texts only their hashes are kept aside. One base and one
    embedder have one stash; of two ingests at once one may lose it, and asks again."""

    def __init__(self, embedder: Embedder, shelf: VectorShelf, base: str) -> None:
        self._embedder = embedder
        self._shelf = shelf
        self._key = f"ingest|{base}|{embedder.name}"
        self._kept: dict[str, Vector] | None = None
        self._is_aside = False

    @property
    def name(self) -> str:
        """The embedder's name."""
        return self._embedder.name

    async def known(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors of those texts that an ingest before this one had embedded when it was killed."""
        if self._kept is None:
            stored = await self._shelf.load(self._key)
            self._is_aside = stored is not None
            vectors = stored.vectors if stored is not None else None
            self._kept = dict(zip(stored.texts, vectors, strict=True)) if stored and vectors is not None else {}
        return {text: self._kept[key] for text in texts if (key := _hash(text)) in self._kept}

    async def embed(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors of one batch. Raises as `Embedder.embed`."""
        return dict(zip(texts, await self._embedder.embed(texts, "passage"), strict=True))

    async def put_aside(self, vectors: dict[str, Vector]) -> None:
        """Keep these until `clear`. Raises StorageError."""
        import numpy as np

        kept = {_hash(text): vector for text, vector in vectors.items()}
        await self._shelf.save(self._key, StoredVectors(list(kept), np.stack(list(kept.values()))))
        self._is_aside = True

    async def clear(self) -> None:
        """All documents are stored."""
        if self._is_aside:
            await self._shelf.forget(self._key)
            self._is_aside = False


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
