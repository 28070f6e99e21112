"""The county database: migrations, several processes' worth of connections, values as they were written."""

import asyncio
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path

import pytest
import sqlalchemy as sa

from kaozheng.county.policy import Clause
from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.regions.sichuan import sichuan_entries
from kaozheng.county.store import Wanted
from kaozheng.county.table_source import TableSource
from kaozheng.county.ticket import Ticket
from kaozheng.errors import SettingsError, StorageError
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region
from kaozheng.providers.stores.county_postgres import ROOM
from kaozheng.providers.stores.county_sql import open_county_store
from kaozheng.providers.stores.county_tables import (
    RECORDS,
    clauses,
    indicators,
    metadata,
    regions,
    sources,
    tickets,
)
from kaozheng.providers.stores.county_versions import COUNTY
from kaozheng.settings import Settings
from kaozheng.wiring import county_place, diagnose, open_county

GDP = Indicator("gdp", "地区生产总值", "亿元")
SOURCE = TableSource("y24", "年鉴", "2024")


def observation(value, year=2023):
    return Observation(Region("511083", year), "gdp", Period(year), value, Decimal(value), "亿元", "年鉴!B7")


def differences(engine):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": COUNTY.table, "compare_type": True})
        return compare_metadata(context, metadata)


async def test_migrations_make_the_tables_that_the_code_uses(tmp_path):
    async with open_county_store(tmp_path / "county.db"):
        pass
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'county.db'}")
    assert differences(engine) == []
    engine.dispose()


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        *RECORDS.items(),
        (Clause, clauses),
        (Indicator, indicators),
        (RegionEntry, regions),
        (TableSource, sources),
        (Ticket, tickets),
    ],
    ids=lambda one: getattr(one, "name", None),
)
def test_every_field_of_a_noun_has_its_column(kind, table):
    own = {field.name for field in fields(kind)} - {"clauses"}
    assert {column.name for column in table.columns} - own <= {"origin", "number", "place"}
    assert own <= {column.name for column in table.columns}


async def test_sql_sees_the_value_as_written_and_a_number_to_sort_by(tmp_path):
    path = tmp_path / "county.db"
    async with open_county_store(path) as store:
        await store.import_rows(SOURCE, [observation("340.0"), observation("9E+1", 2022)], [GDP])
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT value, number, typeof(value) FROM observations ORDER BY number").fetchall()
    assert found == [("9E+1", 90.0, "text"), ("340.0", 340.0, "text")]


async def test_the_file_is_for_its_owner_alone(tmp_path):
    async with open_county_store(tmp_path / "county.db"):
        assert (tmp_path / "county.db").stat().st_mode & 0o077 == 0


async def test_a_cancelled_import_is_written_all_the_same(tmp_path):
    async with open_county_store(tmp_path / "county.db") as store:
        work = asyncio.create_task(store.import_rows(SOURCE, [observation("1")], [GDP]))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
    async with open_county_store(tmp_path / "county.db") as store:
        assert len(await store.observations(Wanted())) == 1


async def test_two_imports_of_one_source_at_once_leave_what_one_leaves(tmp_path):
    path = tmp_path / "county.db"
    rows = [observation(str(year), year) for year in range(1950, 2020)]
    async with open_county_store(path) as one, open_county_store(path) as other:
        counts = await asyncio.gather(*(store.import_rows(SOURCE, rows, [GDP]) for store in (one, other) * 2))
        assert sorted(count.added for count in counts) == [0, 0, 0, len(rows)]
        assert sorted(count.unchanged for count in counts) == [0, *[len(rows)] * 3]
        assert len(await one.observations(Wanted())) == len(rows)


async def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path):
    path = tmp_path / "county.db"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(StorageError, match="not a Kaozheng database"):
        async with open_county_store(path):
            pass
    assert path.read_bytes() == b"not a database" * 100


async def test_a_full_disk_leaves_the_rows_as_they_were(tmp_path):
    path = tmp_path / "county.db"
    async with open_county_store(path) as store:
        await store.import_rows(SOURCE, [observation("1")], [GDP])
    async with open_county_store(path) as store:
        store._database._engine.dispose()
        sa.event.listen(store._database._engine, "connect", _small)
        many = [observation("2", year) for year in range(1900, 2100)]
        with pytest.raises(StorageError, match="disk is full"):
            await store.import_rows(SOURCE, [*many, *_others(20_000)], [GDP])
    async with open_county_store(path) as store:
        assert await store.observations(Wanted()) == [
            Observation(Region("511083", 2023), "gdp", Period(2023), "1", Decimal(1), "亿元", "年鉴!B7", "2024")
        ]


def _small(connection, _record):
    connection.execute("PRAGMA max_page_count = 60")


def _others(count):
    return [
        Observation(Region(f"{code:06}", 2023), "gdp", Period(2023), "1", Decimal(1), "亿元", "B7")
        for code in range(count)
    ]


async def test_the_data_is_in_the_data_folder_or_where_the_setting_says(tmp_path):
    chosen = tmp_path / "other" / "mine.db"
    for settings, path in (
        (Settings(data=tmp_path / "data"), tmp_path / "data" / "county.db"),
        (Settings(data=tmp_path / "data", county=str(chosen)), chosen),
    ):
        async with open_county(settings) as store:
            await store.put_indicators([GDP])
        assert path.is_file()
        assert county_place(settings) == str(path)


async def test_the_regions_that_ship_are_there_beside_those_of_the_user(tmp_path):
    settings = Settings(data=tmp_path)
    own = RegionEntry("990001", "甲县", 2020, None, "县", "990000")
    async with open_county(settings) as store:
        shipped = await store.regions()
        assert shipped == sorted(sichuan_entries(), key=lambda entry: (entry.code, entry.since))
        await store.put_regions([own, replace(shipped[0], name="旧名")])
    async with open_county(settings) as store:
        assert list(await store.regions()) == [*shipped, own]


def test_no_password_of_a_server_is_said(tmp_path):
    settings = Settings(data=tmp_path, county="postgresql://me:geheim@db.example/county")
    assert county_place(settings) == "PostgreSQL"
    told = [finding.says for finding in diagnose(settings)]
    assert "PostgreSQL" in told
    assert "geheim" not in repr(settings) + "".join(told)


async def test_an_address_of_something_else_is_refused(tmp_path):
    settings = Settings(data=tmp_path, county="mysql://me:geheim@db.example/county")
    with pytest.raises(SettingsError, match=r"county.*postgresql://") as raised:
        async with open_county(settings):
            pass
    assert "geheim" not in str(raised.value)
    assert [finding.ok for finding in diagnose(settings) if finding.what == "county"] == [False]


async def tickets_in(place):
    async with open_county_store(place) as store:
        return await store.tickets()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_eight_processes_that_open_tickets_of_one_key_make_one(kind, tmp_path, request):
    place = tmp_path / "county.db" if kind == "sqlite" else request.getfixturevalue("postgres")
    command = [sys.executable, str(Path(__file__).parent / "ticket_writer.py"), str(place)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    writers = [subprocess.Popen([*command, f"w{number}", "20"], **pipes) for number in range(8)]
    said = [writer.stdout.readline() for writer in writers]
    with ThreadPoolExecutor(8) as threads:
        answers = [*threads.map(lambda writer: writer.communicate("go\n", 120), writers)]
    assert said == ["ready\n"] * 8, [errors for _, errors in answers]
    assert sum(int(made) for made, _ in answers) == 20
    kept = asyncio.run(tickets_in(place))
    assert sorted(ticket.key for ticket in kept) == sorted(f"511083.gdp.{number}" for number in range(20))


async def test_migrations_make_the_tables_on_postgresql_too(postgres):
    async with open_county_store(postgres):
        pass
    engine = sa.create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"))
    sa.event.listen(engine, "connect", ROOM.prepare, insert=True)
    assert differences(engine) == []
    engine.dispose()


async def test_processes_that_start_at_once_on_an_empty_server_make_it_once(postgres):
    async def opened():
        async with open_county_store(postgres) as store:
            return await store.indicators()

    assert await asyncio.gather(*(opened() for _ in range(4))) == [[]] * 4


async def test_a_server_that_is_not_there_is_said_without_its_password(tmp_path):
    with pytest.raises(StorageError, match="the server cannot be reached") as raised:
        async with open_county_store("postgresql://me:geheim@127.0.0.1:1/county"):
            pass
    assert "geheim" not in str(raised.value)


async def test_texts_are_sorted_by_their_characters_on_postgresql(postgres):
    async with open_county_store(postgres) as store:
        periods = [Period(2023), Period(2023, month=12), Period(2023, month=5), Period(2023, 1)]
        rows = [replace(observation("1"), period=period) for period in reversed(periods)]
        await store.import_rows(SOURCE, rows, [GDP])
        found = [str(one.period) for one in await store.observations(Wanted())]
    assert found == ["2023", "2023-05", "2023-12", "2023Q1"]


def test_the_newest_version_is_the_head_of_the_migrations():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(COUNTY.versions.parent / "migrations"))
    config.set_main_option("version_locations", str(COUNTY.versions))
    config.set_main_option("path_separator", "newline")
    assert ScriptDirectory.from_config(config).get_current_head() == COUNTY.newest
