"""What two databases do differently: terms, vectors and rows in, and the rankings that are made of them.

Documents, chunks, texts and what may be written are the same in both and stand in `stored_index`, `writing`, `reading`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

import sqlalchemy as sa

from kaozheng.providers.indexes.scope import Scope, Space
from kaozheng.sources.fusion import Leg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kaozheng.sources.vectors import Vectors


class Postings(Protocol):
    """Which chunks have a term, within one scope. A reading is "words" or "pairs"."""

    def counts(self, reading: str, terms: Sequence[str]) -> dict[str, int]:
        """For each term how many chunks of the whole database have it."""
        ...

    def best(self, reading: str, terms: Mapping[str, int], limit: int) -> list[tuple[str, float]]:
        """The best chunks (row, BM25) that have one of the terms, given with their counts and the rarest first."""
        ...


class Shelf(Protocol):
    """One database. Methods block: they belong into a thread. Raises StorageError."""

    @property
    def where(self) -> str:
        """Where it is, in words for the user and without a password."""
        ...

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """One view: what others write meanwhile is not in it."""
        ...

    def writing(self) -> AbstractContextManager[sa.Connection]:
        """Written wholly when the block ends, not at all when it raises. One writer at a time; others wait."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...

    def take_rows(self, connection: sa.Connection, count: int) -> int:
        """The first of so many rows that follow each other and were never used."""
        ...

    def add_terms(self, connection: sa.Connection, rows: Sequence[tuple[int, bytes]]) -> None:
        """Let these rows, whose chunks are stored, be found by their packed terms."""
        ...

    def remove_terms(self, connection: sa.Connection, rows: Sequence[tuple[int, bytes]]) -> None:
        """Undo `add_terms`."""
        ...

    def clear_terms(self, connection: sa.Connection) -> None:
        """Undo it for all rows."""
        ...

    def add_vectors(self, connection: sa.Connection, document: sa.Row[Any], space: int, matrix: Vectors) -> None:
        """Keep the vectors of a document."""
        ...

    def remove_vectors(self, connection: sa.Connection, document: sa.Row[Any]) -> None:
        """Undo `add_vectors`."""
        ...

    def vectors_of(self, connection: sa.Connection, document: sa.Row[Any], space: Space) -> Vectors:
        """The vectors of a document that has some, a row a chunk."""
        ...

    def postings(self, connection: sa.Connection, scope: Scope) -> Postings:
        """Those of the chunks that the scope admits."""
        ...

    def nearest(self, connection: sa.Connection, scope: Scope, asked: NDArray[np.float32], limit: int) -> Leg:
        """The chunks of a scope with a space whose vectors are nearest."""
        ...

    def forget_all_but(self, used: set[int]) -> None:
        """Remove what is kept beside the database for other spaces."""
        ...
