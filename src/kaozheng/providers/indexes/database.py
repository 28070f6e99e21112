"""The file `knowledge.db`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kaozheng.errors import KnowledgeBaseError
from kaozheng.providers.indexes.occurrences import make_views
from kaozheng.providers.stores.migrate import Schema
from kaozheng.providers.stores.sqlite_file import SqliteFile, make_sqlite_file

KNOWLEDGE = Schema(Path(__file__).parent / "versions", "0001", "knowledge_version")


class Database(SqliteFile):
    """Connections to the file. Raises KnowledgeBaseError too, for a text that cannot be kept."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, make_views)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            with super()._refusals():
                yield
        except UnicodeEncodeError as error:
            raise KnowledgeBaseError("a name or label holds half of a character, which nothing here has") from error


async def open_database(path: Path) -> Database:
    """The file, made when it is missing, brought to the newest version. Raises StorageError."""
    await make_sqlite_file(path, KNOWLEDGE)
    return Database(path)
