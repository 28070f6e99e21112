"""The journal's database: migrations, processes that start at once, odd paths, refusals."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from kaozheng.errors import StorageError
from kaozheng.journal import RunRecord
from kaozheng.providers.stores import migrate as migrations
from kaozheng.providers.stores.runs_sql import open_runs
from kaozheng.providers.stores.tables import metadata

NEW = RunRecord("r1", "write", "t", "/f", "2026-11-30T00:00:00.000+00:00", "2026-11-30T00:00:00.000+00:00")


def query(path, sql):
    file = sqlite3.connect(path)
    try:
        return file.execute(sql).fetchall()
    finally:
        file.close()


async def test_migrations_make_the_tables_that_the_code_uses(tmp_path):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    async with open_runs(tmp_path / "runs.db"):
        pass
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'runs.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_newest_is_the_head_of_the_migrations():
    from alembic.script import ScriptDirectory

    folder = Path(migrations.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_current_head() == migrations.NEWEST


def test_tables_can_be_made_on_postgresql():
    for table in metadata.tables.values():
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=postgresql.dialect()))


def test_second_opening_does_not_load_alembic(tmp_path):
    code = (
        "import asyncio, sys; from pathlib import Path; from kaozheng.providers.stores.runs_sql import open_runs\n"
        "async def main():\n    async with open_runs(Path(sys.argv[1])): pass\n"
        "asyncio.run(main()); print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path / "runs.db")]
    said = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [done.stdout.strip() for done in said] == ["True", "False"]
    assert [done.stderr for done in said] == ["", ""]


def test_processes_that_start_at_once_all_find_the_tables(tmp_path):
    code = (
        "import asyncio, sys; from pathlib import Path; from kaozheng.providers.stores.runs_sql import open_runs\n"
        "import sqlalchemy, alembic.command\n"
        "async def main():\n    sys.stdin.readline()\n"
        "    async with open_runs(Path(sys.argv[1])) as runs: print(len(await runs.list()))\n"
        "asyncio.run(main())"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", code, str(tmp_path / "runs.db")]
    processes = [subprocess.Popen(command, **pipes) for _ in range(4)]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=60) for process in processes] == [("0\n", "")] * 4


async def test_database_of_a_newer_kaozheng_is_refused(tmp_path):
    async with open_runs(tmp_path / "runs.db"):
        pass
    file = sqlite3.connect(tmp_path / "runs.db")
    file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.commit()
    file.close()
    with pytest.raises(StorageError, match="made by a newer Kaozheng"):
        async with open_runs(tmp_path / "runs.db"):
            pass


@pytest.mark.parametrize("name", ["100% sure.db", "a?b#c.db", "考证 笔记.db", "x:y@z.db"])
async def test_path_with_odd_characters_stays_a_path(tmp_path, name):
    async with open_runs(tmp_path / "new folder" / name) as runs:
        await runs.create(NEW)
    assert (tmp_path / "new folder" / name).is_file()
    assert query(tmp_path / "new folder" / name, "SELECT id FROM runs") == [("r1",)]


async def test_database_writes_ahead_so_that_readers_do_not_wait(tmp_path):
    async with open_runs(tmp_path / "runs.db"):
        pass
    assert query(tmp_path / "runs.db", "PRAGMA journal_mode") == [("wal",)]


async def test_file_that_is_no_database_is_a_storage_error(tmp_path):
    (tmp_path / "runs.db").write_bytes(b"this is a text file, not a database" * 50)
    with pytest.raises(StorageError, match=r"runs\.db: it is not a Kaozheng database"):
        async with open_runs(tmp_path / "runs.db"):
            pass


async def test_folder_that_cannot_be_made_is_a_storage_error(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="file"):
        async with open_runs(tmp_path / "file" / "runs.db"):
            pass


async def test_database_that_another_process_keeps_locked_is_a_storage_error(tmp_path, monkeypatch):
    monkeypatch.setattr("kaozheng.providers.stores.engines._BUSY_MS", 50)
    async with open_runs(tmp_path / "runs.db") as runs:
        other = sqlite3.connect(tmp_path / "runs.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another process is writing"):
            await runs.create(NEW)
        other.close()
        assert await runs.create(NEW)


async def test_table_that_was_dropped_is_a_storage_error(tmp_path):
    async with open_runs(tmp_path / "runs.db") as runs:
        query(tmp_path / "runs.db", "DROP TABLE events")
        with pytest.raises(StorageError, match="lacks a table"):
            await runs.events("r1")
