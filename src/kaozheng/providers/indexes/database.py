"""The file `knowledge.db`: opened, brought up to date, read in one view of it and written in one go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import create_async_engine

from kaozheng.errors import KnowledgeBaseError
from kaozheng.providers.indexes.occurrences import make_views
from kaozheng.providers.stores.migrate import Schema, migrate
from kaozheng.providers.stores.private import private_file
from kaozheng.providers.stores.quiet import keep_values_out_of_logs
from kaozheng.providers.stores.refusals import database_refusal, disk_refusals

KNOWLEDGE = Schema(Path(__file__).parent / "versions", "0001", "knowledge_version")
_BUSY_MS = 20_000  # two writers of large documents wait for each other
_CACHE_KIB = 32_768
_PRAGMAS = (
    f"busy_timeout={_BUSY_MS}",  # first: turning WAL on needs the file for itself for a moment
    "journal_mode=WAL",
    "synchronous=NORMAL",
    f"cache_size=-{_CACHE_KIB}",
    "secure_delete=ON",  # what is deleted is overwritten, not only forgotten
)


class Database:
    """Connections to the file. Methods block: they belong into a thread. Raises StorageError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        url = sa.URL.create("sqlite", database=str(path))
        # The connection used last is the one whose cache is warm.
        self._engine = sa.create_engine(url, pool_size=8, max_overflow=8, pool_use_lifo=True, hide_parameters=True)
        sa.event.listen(self._engine, "connect", _prepare)
        sa.event.listen(self._engine, "begin", _begin)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """One view of the file: what others write meanwhile is not in it."""
        with self._refusals(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Written wholly when the block ends, not at all when it raises. One writer at a time; others wait."""
        with (
            self._refusals(),
            self._engine.connect().execution_options(kaozheng_writes=True) as connection,
            connection.begin(),
        ):
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, PoolTimeout) as error:
            raise database_refusal(error, str(self.path)) from error
        except UnicodeEncodeError as error:
            raise KnowledgeBaseError("a name or label holds half of a character, which nothing here has") from error


async def open_database(path: Path) -> Database:
    """The file, made when it is missing, brought to the newest version. Raises StorageError."""
    keep_values_out_of_logs()
    with disk_refusals(path):
        private_file(path)
    engine = create_async_engine(sa.URL.create("sqlite+aiosqlite", database=str(path)), hide_parameters=True)
    sa.event.listen(engine.sync_engine, "connect", _prepare_to_migrate)
    try:
        await migrate(engine, path, KNOWLEDGE)
    except (DBAPIError, PoolTimeout) as error:
        raise database_refusal(error, str(path)) from error
    finally:
        await engine.dispose()
    return Database(path)


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # or the driver begins transactions on its own, later than we do
    _prepare_to_migrate(connection, _record)
    cursor = connection.cursor()
    make_views(cursor)
    cursor.close()


def _prepare_to_migrate(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    # A writer that begins as a reader could not become a writer when another one was faster.
    writes = connection.get_execution_options().get("kaozheng_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
