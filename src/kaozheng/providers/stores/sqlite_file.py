"""A SQLite file for work in threads: opened, brought up to date, read in one view of it and written in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from kaozheng.providers.stores.engines import sql_refusals
from kaozheng.providers.stores.migrate import Schema, migrate
from kaozheng.providers.stores.private import private_file
from kaozheng.providers.stores.quiet import keep_values_out_of_logs
from kaozheng.providers.stores.refusals import disk_refusals

_BUSY_MS = 20_000  # two long writers wait for each other
_CACHE_KIB = 32_768
_PRAGMAS = (
    f"busy_timeout={_BUSY_MS}",  # first: turning WAL on needs the file for itself for a moment
    "journal_mode=WAL",
    "synchronous=NORMAL",
    f"cache_size=-{_CACHE_KIB}",
    "secure_delete=ON",  # what is deleted is overwritten, not only forgotten
)
Prepare = Callable[[Any], None]
"""What else a new connection needs, done with a cursor of it."""


class SqliteFile:
    """Connections to the file; `options` are those of SQLAlchemy. Methods block: they belong into a thread. Raises
    StorageError."""

    def __init__(self, path: Path, prepare: Prepare | None = None, **options: Any) -> None:
        self.path = path
        self._prepare = prepare
        url = sa.URL.create("sqlite", database=str(path))
        # The connection used last is the one whose cache is warm.
        self._engine = sa.create_engine(
            url, pool_size=8, max_overflow=8, pool_use_lifo=True, hide_parameters=True, **options
        )
        sa.event.listen(self._engine, "connect", self._connected)
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
        with sql_refusals(str(self.path)):
            yield

    def _connected(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # or the driver begins transactions on its own, later than we do
        _set_pragmas(connection, _record)
        if self._prepare is not None:
            cursor = connection.cursor()
            self._prepare(cursor)
            cursor.close()


async def make_sqlite_file(path: Path, schema: Schema) -> None:
    """Make the file when it is missing and bring it to the newest version. Raises StorageError."""
    keep_values_out_of_logs()
    with disk_refusals(path):
        private_file(path)
    engine = create_async_engine(sa.URL.create("sqlite+aiosqlite", database=str(path)), hide_parameters=True)
    sa.event.listen(engine.sync_engine, "connect", _set_pragmas)
    try:
        with sql_refusals(str(path)):
            await migrate(engine, path, schema)
    finally:
        await engine.dispose()


def _set_pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    # A writer that begins as a reader could not become a writer when another one was faster.
    writes = connection.get_execution_options().get("kaozheng_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
