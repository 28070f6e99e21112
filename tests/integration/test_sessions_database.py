"""The sessions' database: migrations, several processes' worth of connections, texts that no file can hold."""

import asyncio

import pytest
from sqlalchemy import create_engine

from kaozheng.errors import StorageError
from kaozheng.providers.stores.sessions_sql import SESSIONS, open_sessions
from kaozheng.providers.stores.sessions_tables import metadata
from kaozheng.sessions import Interaction, Session, Turn
from kaozheng.settings import Settings
from kaozheng.wiring import open_knowledge

AT = "2026-11-30T12:00:00.000+00:00"


async def test_migrations_make_the_tables_that_the_code_uses(tmp_path):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    async with open_sessions(tmp_path / "sessions.db"):
        pass
    engine = create_engine(f"sqlite:///{tmp_path / 'sessions.db'}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": SESSIONS.table})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


async def test_two_processes_write_turns_into_one_session(tmp_path):
    path = tmp_path / "sessions.db"
    async with open_sessions(path) as one, open_sessions(path) as other:
        await one.create(Session("s_1", "", "t", AT, AT))
        await asyncio.gather(
            *(
                store.complete("", "s_1", Turn(f"q{number}", "a", at=AT), lambda memory: memory)
                for number in range(10)
                for store in (one, other)
            )
        )
        assert (await one.get("", "s_1")).turns == 20
        assert len(await other.turns("", "s_1")) == 20


async def test_half_a_character_does_not_lose_the_record(tmp_path):
    async with open_sessions(tmp_path / "sessions.db") as store:
        await store.save(Interaction("i_1", "", AT, "answered", answer="好\ud83d", citations=({"quote": "半\ud83d"},)))
        kept = await store.interaction("", "i_1")
        assert kept.answer.startswith("好")
        assert kept.citations[0]["quote"].startswith("半")


async def test_a_cancelled_turn_is_written_all_the_same(tmp_path):
    async with open_sessions(tmp_path / "sessions.db") as store:
        await store.create(Session("s_1", "", "t", AT, AT))
        work = asyncio.create_task(store.complete("", "s_1", Turn("q", "a", at=AT), lambda memory: memory))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
    async with open_sessions(tmp_path / "sessions.db") as store:
        assert (await store.get("", "s_1")).turns == 1


async def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path):
    path = tmp_path / "sessions.db"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StorageError, match=r"sessions\.db"):
        async with open_sessions(path):
            pass


async def test_a_server_that_keeps_the_knowledge_keeps_the_sessions_too(postgres, tmp_path):
    settings = Settings(data=tmp_path / "data", knowledge=postgres, model="")
    for number in (1, 2):  # a second process finds what the first one made
        async with open_knowledge(settings) as desk:
            await desk.sessions.create(Session(f"s_{number}", "", "t", AT, AT))
            assert len(await desk.sessions.list("")) == number
    assert not (tmp_path / "data" / "sessions.db").exists()
