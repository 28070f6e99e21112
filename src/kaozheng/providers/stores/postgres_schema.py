"""A schema of a PostgreSQL for work in threads: opened, brought up to date, read in one view of it and written in one
go. Every room has a schema of its own, so that one database can hold everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import create_async_engine

from kaozheng.errors import StorageError
from kaozheng.providers.stores.migrate import Schema, migrate
from kaozheng.providers.stores.quiet import keep_values_out_of_logs

_PATIENCE_S = 20  # two long writers wait for each other
_CONNECT_S = 10
_BY_TEXT = (
    ("nul (0x00)", "a text holds a NUL character, which PostgreSQL cannot keep"),
    ('extension "vector" is not available', "the server lacks the extension pgvector: install it there"),
    ("permission denied to create extension", "ask its owner for CREATE EXTENSION vector"),
    ("permission denied", "this user may not do that: give the right, or choose another one"),
    ("password authentication failed", "user or password is wrong"),
    ("does not exist", "the database or a part of it is missing: create it, then start again"),
    ("lock timeout", f"another process has been writing for {_PATIENCE_S} s: wait for it, then go on"),
    ("failed to resolve host", "nobody knows a server of this name: correct the address"),
    ("connection", "the server cannot be reached or ended the connection: start it, or correct the address"),
    ("no space left", "its disk is full: free some space, then go on"),
)
_OPTIONS: Final[dict[str, Any]] = {
    "hide_parameters": True,
    "pool_pre_ping": True,  # a server that was started anew is no reason to fail
    "pool_use_lifo": True,
    # Plans are made for the values that are asked for: one for all would be right for none.
    "connect_args": {"connect_timeout": _CONNECT_S, "prepare_threshold": None},
}


@dataclass(frozen=True, slots=True)
class Room:
    """One room's place in a server: the `schema` and its `migrations`, the number of the lock by which its writers take
    turns, what a new connection is told first, and what the schema needs beside it (`require`, in the transaction that
    makes the schema)."""

    schema: str
    migrations: Schema
    turn: int
    per_connection: tuple[str, ...] = ()
    require: Callable[[sa.Connection], None] | None = None

    def prepare(self, connection: Any, _record: Any) -> None:
        """What a new connection is told; a listener of "connect"."""
        before = connection.autocommit
        connection.autocommit = True
        cursor = connection.cursor()
        for statement in (f"SET search_path = {self.schema}, public", *self.per_connection):
            cursor.execute(statement)
        cursor.close()
        connection.autocommit = before

    def make(self, connection: sa.Connection) -> None:
        """Processes that start at once take turns; who may not make a schema may use one that is there."""
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({self.turn})")
        there = sa.text("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = :schema)")
        if self.require is not None:
            self.require(connection)
        if not connection.execute(there, {"schema": self.schema}).scalar():
            connection.exec_driver_sql(f"CREATE SCHEMA {self.schema}")


class PostgresSchema:
    """Connections to a room's schema; `options` are those of SQLAlchemy. Methods block: they belong into a thread.
    Raises StorageError."""

    def __init__(self, url: sa.URL, room: Room, **options: Any) -> None:
        self.where = shown(url)
        self._turn = room.turn
        self._engine = sa.create_engine(url, pool_size=8, max_overflow=8, **_OPTIONS, **options)
        sa.event.listen(self._engine, "connect", room.prepare, insert=True)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """One view of the database: what others write meanwhile is not in it."""
        view = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with (
            self._refusals(),
            self._engine.connect().execution_options(**view) as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Written wholly when the block ends, not at all when it raises. One writer at a time; others wait."""
        with self._refusals(), self._engine.connect() as connection, connection.begin():
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_PATIENCE_S}s'")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({self._turn})")
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        with postgres_refusals(self.where):
            yield


async def make_postgres_schema(url: sa.URL, room: Room) -> None:
    """Make the schema when it is missing and bring it to the newest version. Raises StorageError."""
    keep_values_out_of_logs()
    engine = create_async_engine(url, **_OPTIONS)
    sa.event.listen(engine.sync_engine, "connect", room.prepare, insert=True)
    try:
        with postgres_refusals(shown(url)):
            async with engine.begin() as connection:
                await connection.run_sync(room.make)
            await migrate(engine, None, room.migrations)
    finally:
        await engine.dispose()


def shown(url: sa.URL) -> str:
    """The address as it may be shown: no user, no password, no options (a password may stand there too)."""
    host = url.host or url.query.get("host") or "localhost"
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{host if isinstance(host, str) else ','.join(host)}{port}/{url.database or ''}"


@contextmanager
def postgres_refusals(where: str) -> Iterator[None]:
    """Turn what the database or its driver says into StorageError; `where` names the database."""
    import psycopg

    try:
        yield
    except (DBAPIError, PoolTimeout, psycopg.Error) as error:
        said = str(getattr(error, "orig", None) or error).strip()
        meaning = next((meaning for sign, meaning in _BY_TEXT if sign in said.lower()), "the database refused")
        first = said.splitlines()[0] if said else type(error).__name__
        raise StorageError(f"{where}: {meaning} ({first})") from error
