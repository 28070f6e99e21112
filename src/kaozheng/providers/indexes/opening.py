"""The knowledge bases that an address names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kaozheng.providers.indexes.sqlite_index import open_index

if TYPE_CHECKING:
    from kaozheng.providers.indexes.stored_index import StoredIndex
    from kaozheng.sources.analyser import Analyser

_SERVERS = ("postgresql:", "postgres:", "postgresql+")


@asynccontextmanager
async def open_bases(address: str | Path, analyser: Analyser | None = None) -> AsyncIterator[StoredIndex]:
    """The bases at a postgresql:// address, or else in the SQLite file of this path. Raises StorageError; for a server
    MissingExtraError and SettingsError too."""
    if str(address).startswith(_SERVERS):
        # Only there: SQLite needs no driver.
        from kaozheng.providers.indexes.postgres_index import open_postgres

        async with open_postgres(str(address), analyser) as index:
            yield index
        return
    async with open_index(Path(address), analyser) as index:
        yield index
