"""Bring a database to the version that this code needs: the journal's, or another room's with a schema of its own.

Alembic is imported only when there is something to do: it costs a quarter of a second, and most starts need it not.
"""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.ext.asyncio import AsyncEngine

from kaozheng.errors import StorageError

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

NEWEST = "0001"
_HERE = Path(__file__).parent / "migrations"
_PATIENCE_S = 30.0
# One number for all of Kaozheng's migrations, so that two processes on one PostgreSQL take turns.
_ADVISORY_LOCK = 0x6B616F7A


@dataclass(frozen=True, slots=True)
class Schema:
    """Where the migrations of some tables lie, the newest one, and the table that says how far a database has come:
    each schema has its own, so that several can share one PostgreSQL."""

    versions: Path
    newest: str
    table: str


JOURNAL = Schema(_HERE / "versions", NEWEST, "alembic_version")


async def migrate(engine: AsyncEngine, path: Path | None, schema: Schema = JOURNAL) -> None:
    """Make or upgrade the tables. `path`: the SQLite file, None on PostgreSQL. Processes that start at once take turns.

    StorageError when a newer Kaozheng made the database, or when another process keeps the turn for half a minute.
    """
    if await _version(engine, schema) == schema.newest:
        return
    if path is None:
        await _upgrade(engine, schema)
        return
    lock = FileLock(path.with_name(f"{path.name}.lock"), thread_local=False)
    await _take_turn(lock, path)
    try:
        await _upgrade(engine, schema)
    finally:
        lock.release()


async def _take_turn(lock: FileLock, path: Path) -> None:
    deadline = asyncio.get_running_loop().time() + _PATIENCE_S
    while True:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if asyncio.get_running_loop().time() > deadline:
                raise StorageError(f"{path}: another process has been preparing it for {_PATIENCE_S:.0f} s") from None
            await asyncio.sleep(0.05)
        else:
            return


async def _version(engine: AsyncEngine, schema: Schema) -> str | None:
    async with engine.connect() as connection:
        if not await connection.run_sync(lambda sync: sa.inspect(sync).has_table(schema.table)):
            return None
        column: sa.ColumnClause[str] = sa.column("version_num", sa.String)
        return (await connection.execute(sa.select(column).select_from(sa.table(schema.table)))).scalar()


async def _upgrade(engine: AsyncEngine, schema: Schema) -> None:
    version = await _version(engine, schema)
    if version is not None and version > schema.newest:
        raise StorageError(f"{engine.url.database}: made by a newer Kaozheng (version {version}): upgrade this one")
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
        await connection.run_sync(_run_alembic, schema)


def _run_alembic(connection: Connection, schema: Schema) -> None:
    command = importlib.import_module("alembic.command")
    config = importlib.import_module("alembic.config").Config()
    # A per cent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.set_main_option("version_locations", str(schema.versions).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.attributes["connection"] = connection
    config.attributes["version_table"] = schema.table
    command.upgrade(config, "head")
