"""What stores share: how they open SQLite, how they read a server's address, how they say that a database refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from kaozheng.errors import MissingExtraError, SettingsError
from kaozheng.providers.stores.refusals import database_refusal

_BUSY_MS = 10_000


def sqlite_engine(path: Path, *pragmas: str, **options: Any) -> AsyncEngine:
    """An engine for this file, with these PRAGMAs for each connection beside the wait and WAL. `options` are those of
    SQLAlchemy. Values never stand in its messages."""
    # Built from parts, so that a path with ? or # stays a path.
    url = sa.URL.create("sqlite+aiosqlite", database=str(path))
    engine = create_async_engine(url, hide_parameters=True, **options)

    @sa.event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        # The wait comes first: turning WAL on needs the file for itself for a moment.
        for pragma in (f"busy_timeout={_BUSY_MS}", "journal_mode=WAL", *pragmas):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def server_url(address: str) -> sa.URL:
    """The address of a PostgreSQL, with the driver that we use. Raises MissingExtraError where that is not installed,
    SettingsError for what is no such address; neither says the password."""
    if find_spec("psycopg") is None:
        raise MissingExtraError('PostgreSQL needs psycopg: pip install "kaozheng[server]"')
    try:
        url = sa.make_url(address)
    except (ArgumentError, ValueError) as error:
        raise SettingsError("the database's address cannot be read: postgresql://user@host:port/database") from error
    if url.drivername.partition("+")[0] not in ("postgresql", "postgres"):
        raise SettingsError(f"{url.drivername}: the database must be a postgresql:// address")
    return url.set(drivername="postgresql+psycopg")


@contextmanager
def sql_refusals(where: str) -> Iterator[None]:
    """Turn what a database or its driver raises into StorageError; `where` names the database."""
    try:
        yield
    except (DBAPIError, PoolTimeout, sqlite3.Error) as error:
        raise database_refusal(error, where) from error
