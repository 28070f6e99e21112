"""The schema `knowledge` of a PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from kaozheng.errors import KnowledgeBaseError, StorageError
from kaozheng.providers.indexes.postgres_tables import SCHEMA
from kaozheng.providers.stores.engines import server_url
from kaozheng.providers.stores.migrate import Schema
from kaozheng.providers.stores.postgres_schema import PostgresSchema, Room, make_postgres_schema

KNOWLEDGE = Schema(Path(__file__).parent / "postgres_versions", "0001", "knowledge_version")


class PostgresDatabase(PostgresSchema):
    """Connections to the server. Raises KnowledgeBaseError too, for a text that cannot be kept."""

    def __init__(self, url: sa.URL) -> None:
        super().__init__(url, ROOM)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            with super()._refusals():
                yield
        except StorageError as error:
            if "NUL character" in str(error):
                raise KnowledgeBaseError(str(error)) from error
            raise
        except UnicodeEncodeError as error:
            raise KnowledgeBaseError("a name or label holds half of a character, which nothing here has") from error


async def open_database(address: str) -> PostgresDatabase:
    """The schema at this address (postgresql://user:password@host:port/database), made when it is missing, brought to
    the newest version. Raises MissingExtraError, SettingsError for what is no such address, StorageError."""
    url = server_url(address)
    await make_postgres_schema(url, ROOM)
    return PostgresDatabase(url)


def _require_vectors(connection: sa.Connection) -> None:
    there = sa.text("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')")
    if not connection.execute(there).scalar():
        connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")


ROOM: Final = Room(
    SCHEMA,
    KNOWLEDGE,
    # Writers take turns, so rows and counts are given out in the order of commits.
    turn=0x6B6E6F77,
    per_connection=(
        "SET jit = off",  # it compiles longer than these statements run
        # The planner does not count what lies outside of a table's pages: reading all chunks' terms passed for cheaper
        # than their index. Vectors are still read through, no index can be used for them.
        "SET enable_seqscan = off",
        "SET random_page_cost = 1.1",  # the index of terms is nearly always in memory
    ),
    require=_require_vectors,
)
