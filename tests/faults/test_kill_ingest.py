"""kill -9 at random moments of an ingest: the base stays readable, no document is half there, and the next ingest goes
on without embedding again what is in."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.sources.index import Question, Within
from kaozheng.sources.twins import documents_of

DOCUMENTS, QUICK, ALL = 220, 3, 20
SEED = 20261130


def folder_of(path, documents=DOCUMENTS):
    """Documents of one to eight chunks, every tenth a twin of the one before."""
    path.mkdir()
    for number in range(documents):
        of = number - 1 if number % 10 == 9 else number
        parts = [
            f"## 第 {part} 节\n\n{of} 号文件的第 {part} 节讲水稻 {of * part} 亩。" for part in range(1, 2 + of % 8)
        ]
        (path / f"{number:03}.md").write_text(f"# 文件 {of}\n\n" + "\n\n".join(parts), encoding="utf-8")
    return path


def started(folder, database, log):
    command = [sys.executable, str(Path(__file__).parent / "ingesting.py"), str(folder), str(database), str(log)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})


async def state(database):
    """All documents with their chunks and what they are twins of, and the texts that were embedded for them."""
    async with open_index(database) as index:
        if not await index.bases():
            return {}, set()
        known = documents_of(await index.entries("kb"))
        chunks = {one.entry.name: list(await index.chunks("kb", one.entry.name)) for one in known}
        await index.search(Question("水稻", Within(("kb",))))
    documents = {Path(one.entry.name).name: (one.duplicate_of, chunks[one.entry.name]) for one in known}
    return documents, {chunk.searched for of in chunks.values() for chunk in of}


def embedded(log):
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def killed_after(process, documents, seconds):
    """Kill the process when it has told of so many new documents, and a moment later."""
    new = 0
    for line in process.stdout:
        new += line.startswith(("added", "duplicate"))
        if new > documents:
            break
    time.sleep(seconds)
    process.kill()


def kill_and_go_on(tmp_path, kills):
    folder, database, log = folder_of(tmp_path / "notes"), tmp_path / "knowledge.db", tmp_path / "embedded"
    whole = tmp_path / "whole.db"
    with started(folder, whole, tmp_path / "other") as process:
        process.communicate(timeout=300)
    expected, _ = asyncio.run(state(whole))
    moments = random.Random(SEED)
    finished = 0
    for _ in range(kills):
        documents, texts = asyncio.run(state(database))
        before = len(embedded(log))
        with started(folder, database, log) as process:
            killed_after(process, moments.randint(0, 2 * DOCUMENTS // kills), moments.uniform(0, 0.03))
        finished += process.returncode == 0
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        after, _ = asyncio.run(state(database))
        assert documents.keys() <= after.keys(), "a document that was in is gone"
        for name, held in after.items():
            assert held == expected[name], f"{name} is half there"
        assert not texts & set(embedded(log)[before:]), "what was in was embedded again"
    with started(folder, database, log) as process:
        said, _ = process.communicate(timeout=300)
    assert asyncio.run(state(database))[0] == expected
    counts = json.loads(said.splitlines()[-1])
    paid, needed = len(embedded(log)), len({chunk.searched for _, of in expected.values() for chunk in of})
    print(
        f"\nkills {kills}, of which after the end {finished}; {paid} texts embedded of {needed} needed; last {counts}"
    )
    assert finished < kills / 2
    return paid, needed


def test_killed_ingest_goes_on(tmp_path):
    kill_and_go_on(tmp_path, QUICK)


@pytest.mark.faults
def test_ingest_killed_twenty_times_goes_on(tmp_path):
    kill_and_go_on(tmp_path, ALL)


def test_two_ingests_of_one_folder_at_once_leave_what_one_leaves(tmp_path):
    folder, database = folder_of(tmp_path / "notes"), tmp_path / "knowledge.db"
    both = [started(folder, database, tmp_path / f"log{number}") for number in range(2)]
    assert [process.communicate(timeout=300)[0] != "" for process in both] == [True, True]
    assert [process.returncode for process in both] == [0, 0]
    documents, _ = asyncio.run(state(database))
    assert len(documents) == DOCUMENTS
    texts = [chunk.text for _, of in documents.values() for chunk in of]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_with_exit_3_and_the_way_on(tmp_path, number):
    folder = folder_of(tmp_path / "notes", 100)
    env = {**os.environ, "KAOZHENG_DATA": str(tmp_path / "data"), "PYTHONUNBUFFERED": "1"}

    def add():
        command = [sys.executable, "-c", "from kaozheng.cli import main; main()", "kb", "add", str(folder)]
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with add() as process:
        for _ in range(5):
            assert process.stderr.readline().startswith("added")
        process.send_signal(number)
        errors = process.stderr.read()
    assert process.returncode == 3, errors
    assert errors.strip().splitlines()[-1].endswith("the same command goes on from there")
    assert "Traceback" not in errors
    with add() as process:
        said, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    unchanged = next(line for line in said.splitlines() if line.startswith("unchanged"))
    assert int(unchanged.split()[1]) >= 5
