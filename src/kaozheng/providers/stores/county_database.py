"""What the store of counties asks of a database: a view, a turn to write, and rows in bulk."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import sqlalchemy as sa

from kaozheng.county.revision import Name


class CountyDatabase(Protocol):
    """Blocks, so it belongs into a thread. Raises StorageError."""

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """One view of the database: what others write meanwhile is not in it."""

    def writing(self) -> AbstractContextManager[sa.Connection]:
        """Written wholly when the block ends, not at all when it raises. One writer at a time; others wait."""

    def close(self) -> None:
        """Close all connections."""

    def among(self, column: sa.Column[str], values: Collection[str]) -> sa.ColumnElement[bool]:
        """That the column has one of these values, however many they are."""

    def add(self, connection: sa.Connection, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows to `observations`, with the columns in the order of the table."""

    def remove(self, connection: sa.Connection, source: int, names: Sequence[Name]) -> None:
        """Remove the rows of these names of a source."""
