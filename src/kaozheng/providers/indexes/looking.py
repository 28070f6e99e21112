"""A look into a knowledge database that leaves it as it is: neither made when it is missing nor brought up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kaozheng.providers.indexes.database import Database
from kaozheng.providers.indexes.reading import base_stats
from kaozheng.sources.index import BaseStats


def bases_in(path: Path) -> Sequence[BaseStats]:
    """The bases of the file; none when there is no file yet. Blocks. Raises StorageError when it cannot be read."""
    if not path.exists():
        return ()
    database = Database(path)
    try:
        with database.reading() as connection:
            return base_stats(connection)
    finally:
        database.close()
