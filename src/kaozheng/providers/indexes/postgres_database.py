"""The schema `knowledge` of a PostgreSQL: opened, brought up to date, read in one view of it and written in one go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import create_async_engine

from kaozheng.errors import KnowledgeBaseError, StorageError
from kaozheng.providers.indexes.postgres_tables import SCHEMA
from kaozheng.providers.stores.engines import server_url
from kaozheng.providers.stores.migrate import Schema, migrate
from kaozheng.providers.stores.quiet import keep_values_out_of_logs

KNOWLEDGE = Schema(Path(__file__).parent / "postgres_versions", "0001", "knowledge_version")
_PATIENCE_S = 20  # two writers of large documents wait for each other
_CONNECT_S = 10
# One number for all writers of knowledge: they take turns, so rows and counts are given out in the order of commits.
_TURN = 0x6B6E6F77
_PER_CONNECTION = (
    f"SET search_path = {SCHEMA}, public",
    "SET jit = off",  # it compiles longer than these statements run
    # The planner does not count what lies outside of a table's pages: reading all chunks' terms passed for cheaper
    # than their index. Vectors are still read through, no index can be used for them.
    "SET enable_seqscan = off",
    "SET random_page_cost = 1.1",  # the index of terms is nearly always in memory
)
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


class PostgresDatabase:
    """Connections to the server. Methods block: they belong into a thread. Raises StorageError, and KnowledgeBaseError
    for a text that cannot be kept."""

    def __init__(self, url: sa.URL) -> None:
        self.where = shown(url)
        self._engine = sa.create_engine(url, pool_size=8, max_overflow=8, **_OPTIONS)
        sa.event.listen(self._engine, "connect", _prepare, insert=True)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """One view of the database: what others write meanwhile is not in it."""
        view = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with refusals(self.where), self._engine.connect().execution_options(**view) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Written wholly when the block ends, not at all when it raises. One writer at a time; others wait."""
        with refusals(self.where), self._engine.connect() as connection, connection.begin():
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_PATIENCE_S}s'")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURN})")
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


async def open_database(address: str) -> PostgresDatabase:
    """The schema at this address (postgresql://user:password@host:port/database), made when it is missing, brought to
    the newest version. Raises MissingExtraError, SettingsError for what is no such address, StorageError."""
    url = server_url(address)
    keep_values_out_of_logs()
    engine = create_async_engine(url, **_OPTIONS)
    sa.event.listen(engine.sync_engine, "connect", _prepare, insert=True)
    try:
        with refusals(shown(url)):
            async with engine.begin() as connection:
                await connection.run_sync(_make_schema)
            await migrate(engine, None, KNOWLEDGE)
    finally:
        await engine.dispose()
    return PostgresDatabase(url)


def shown(url: sa.URL) -> str:
    """The address as it may be shown: no user, no password, no options (a password may stand there too)."""
    host = url.host or url.query.get("host") or "localhost"
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{host if isinstance(host, str) else ','.join(host)}{port}/{url.database or ''}"


@contextmanager
def refusals(where: str) -> Iterator[None]:
    """Turn what the database or its driver says into StorageError or KnowledgeBaseError."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        said = str(getattr(error, "orig", None) or error).strip()
        meaning = next((meaning for sign, meaning in _BY_TEXT if sign in said.lower()), "the database refused")
        kind = KnowledgeBaseError if "nul (0x00)" in said.lower() else StorageError
        raise kind(f"{where}: {meaning} ({said.splitlines()[0] if said else type(error).__name__})") from error
    except UnicodeEncodeError as error:
        raise KnowledgeBaseError("a name or label holds half of a character, which nothing here has") from error


_OPTIONS: dict[str, Any] = {
    "hide_parameters": True,
    "pool_pre_ping": True,  # a server that was started anew is no reason to fail
    "pool_use_lifo": True,
    # Plans are made for the terms that are asked for: one for all questions would be right for none.
    "connect_args": {"connect_timeout": _CONNECT_S, "prepare_threshold": None},
}


def _make_schema(connection: sa.Connection) -> None:
    """Processes that start at once take turns; who may not make a schema may use one that is there."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURN})")
    there = sa.text(
        "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = :schema),"
        " EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')"
    )
    schema, vector = connection.execute(there, {"schema": SCHEMA}).one()
    if not vector:
        connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
    if not schema:
        connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")


def _prepare(connection: Any, _record: Any) -> None:
    before = connection.autocommit
    connection.autocommit = True
    cursor = connection.cursor()
    for statement in _PER_CONNECTION:
        cursor.execute(statement)
    cursor.close()
    connection.autocommit = before
