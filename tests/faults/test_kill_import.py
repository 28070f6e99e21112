"""kill -9 in the middle of an import: the file has all of it or nothing, and the next import goes through."""

import asyncio
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from kaozheng.county.store import Wanted
from kaozheng.providers.stores.county_sql import open_county_store

ROWS, QUICK, ALL = 40_000, 4, 25
SEED = 20261201


def started(database, value):
    command = [sys.executable, str(Path(__file__).parent / "importing.py"), str(database), str(ROWS), value]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def values(database):
    """How many rows have which value."""
    async with open_county_store(database) as store:
        found = Counter(str(value) for *_, value in await store.rows(Wanted()))
        known = [len(await store.sources()), len(await store.indicators())]
    assert known == ([1, 1] if found else [0, 0])
    return found


def seconds_of_an_import(database):
    with started(database, "1") as process:
        assert process.stdout.readline() == "writing\n"
        began = time.monotonic()
        assert process.stdout.readline() == "done\n"
        return time.monotonic() - began


def kill_and_go_on(tmp_path, kills):
    whole_s = seconds_of_an_import(tmp_path / "whole.db")
    chance = random.Random(SEED)
    database = tmp_path / "county.db"
    before, interrupted = Counter(), 0
    for kill in range(kills):
        value = str(100 + kill)
        with started(database, value) as process:
            assert process.stdout.readline() == "writing\n"
            time.sleep(whole_s * chance.random())
            process.kill()
            finished = "done" in process.stdout.read()
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        after = asyncio.run(values(database))
        assert after in (before, Counter({value: ROWS})), f"kill {kill}: half of an import is there"
        assert not finished or after == Counter({value: ROWS})
        interrupted += after == before
        before = after
    with started(database, "7") as process:
        process.communicate(timeout=120)
    assert asyncio.run(values(database)) == Counter({"7": ROWS})
    print(f"\nkills {kills}, of which in the middle {interrupted}")
    return interrupted


def test_a_killed_import_is_there_wholly_or_not_at_all(tmp_path):
    assert kill_and_go_on(tmp_path, QUICK) > 0


@pytest.mark.faults
def test_an_import_killed_many_times_is_there_wholly_or_not_at_all(tmp_path):
    assert kill_and_go_on(tmp_path, ALL) > ALL / 3
