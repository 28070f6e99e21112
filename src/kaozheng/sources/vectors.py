"""Vectors of texts: who makes them (Embedder) and where they are kept (VectorShelf)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:  # numpy costs 0.1 s to load and the help page does not need it
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Kind = Literal["query", "passage"]


class Embedder(Protocol):
    """Turns texts into vectors whose dot product tells how near their meanings are."""

    @property
    def name(self) -> str:
        """Names the model and whatever else changes the vectors; part of the key under which they are kept."""
        ...

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """One row a text, float32, each row of length 1. Queries and passages may be embedded differently.

        Raises ModelError when the model does not answer, MissingExtraError when it is not installed.
        """
        ...


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """Texts and their vectors, row for row; `vectors` is None where texts are ranked by their words alone."""

    texts: list[str]
    vectors: Vectors | None = None

    def __post_init__(self) -> None:
        if self.vectors is not None and len(self.vectors) != len(self.texts):
            raise ValueError(f"{len(self.texts)} texts but {len(self.vectors)} vectors")


class VectorShelf(Protocol):
    """Keeps vectors by key. A key names everything that the vectors depend on, so nothing on the shelf grows stale."""

    async def load(self, key: str) -> StoredVectors | None:
        """What was saved under the key; None when there is nothing, or nothing that can still be read."""
        ...

    async def save(self, key: str, stored: StoredVectors) -> str:
        """Keep it, wholly or not at all. Returns `where(key)`. Raises StorageError."""
        ...

    async def forget(self, key: str) -> None:
        """Keep nothing under the key any more. Raises StorageError."""
        ...

    def where(self, key: str) -> str:
        """Where this key is kept, in words for the user."""
        ...
