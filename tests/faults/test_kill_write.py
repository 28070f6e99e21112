"""kill -9 at random moments of a run of `write`: the same document in the end, and nothing is paid twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DELAY_S = 0.12
QUICK, ALL = 5, 50
SEED = 20261130


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A scripted server in a process of its own, and its log."""
    log = tmp_path_factory.mktemp("server") / "calls.jsonl"
    command = [sys.executable, "-m", "kaozheng.testing.server", "--actor", "--delay", str(DELAY_S), "--log", str(log)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    yield process.stdout.readline().strip(), log
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)


def kaozheng(*words: str, data: Path, url: str) -> subprocess.Popen[str]:
    env = {**os.environ, "KAOZHENG_DATA": str(data), "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "k"}
    command = [sys.executable, "-c", "from kaozheng.cli import main; main()", *words]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def write(data: Path, url: str) -> subprocess.Popen[str]:
    return kaozheng(
        "write",
        "--notes",
        "examples/notes",
        "--topic",
        "题",
        "--model",
        "openai:scripted",
        "--json",
        data=data,
        url=url,
    )


def calls(log: Path) -> list[dict]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def rows(data: Path, query: str) -> list[tuple]:
    database = data / "runs.db"
    if not database.exists():
        return []
    with sqlite3.connect(database, timeout=20) as connection:
        known = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        return connection.execute(query).fetchall() if {"runs", "answers"} <= known else []


@pytest.fixture(scope="module")
def whole(server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, float]:
    """The document of a run that nobody kills, and how long it took."""
    data = tmp_path_factory.mktemp("whole")
    began = time.monotonic()
    process = write(data, server[0])
    said, errors = process.communicate(timeout=120)
    assert process.returncode in {0, 1}, errors
    return Path(json.loads(said)["document"]).read_text(encoding="utf-8"), time.monotonic() - began


def trial(data: Path, server: tuple[str, Path], whole: tuple[str, float], after_s: float) -> Counter[str]:
    """Kill `after_s` after the run was recorded, resume, compare. Returns counts of calls."""
    url, log = server
    process = write(data, url)
    while process.poll() is None and not rows(data, "SELECT id FROM runs"):
        time.sleep(0.01)
    time.sleep(after_s)
    process.kill()
    process.communicate()
    runs = rows(data, "SELECT id, status FROM runs")
    if not runs or runs[0][1] == "done":
        return Counter(unborn=not runs, finished=bool(runs))
    (run, _status) = runs[0]
    kept = {purpose for (purpose,) in rows(data, "SELECT purpose FROM answers")}
    before = len(calls(log))
    process = kaozheng("runs", "resume", run, "--json", data=data, url=url)
    said, errors = process.communicate(timeout=120)
    assert process.returncode in {0, 1}, errors
    assert Path(json.loads(said)["document"]).read_text(encoding="utf-8") == whole[0]
    again = [entry["purpose"] for entry in calls(log)[before:] if entry["path"].endswith("completions")]
    assert not kept & set(again), f"answered, kept, and asked again: {kept & set(again)}"
    return Counter(resumed=1, kept=len(kept), asked_after=len(again))


def trials(number: int, tmp_path: Path, server: tuple[str, Path], whole: tuple[str, float]) -> Counter[str]:
    """Kill runs at random moments until `number` of them were under way; one that had already ended counts for none."""
    moments = random.Random(SEED)
    total: Counter[str] = Counter()
    longest = whole[1] * 0.6
    for place in range(3 * number):
        if total["resumed"] == number:
            break
        done = trial(tmp_path / str(place), server, whole, moments.uniform(0, longest))
        longest *= 0.9 if done["finished"] else 1.0
        total += done
    print(f"\nkills {number}: {dict(total)}")
    return total


def test_a_killed_run_ends_with_the_same_document(
    tmp_path: Path, server: tuple[str, Path], whole: tuple[str, float]
) -> None:
    total = trials(QUICK, tmp_path, server, whole)
    assert total["resumed"] == QUICK


@pytest.mark.faults
def test_fifty_killed_runs_end_with_the_same_document(
    tmp_path: Path, server: tuple[str, Path], whole: tuple[str, float]
) -> None:
    total = trials(ALL, tmp_path, server, whole)
    assert total["resumed"] == ALL


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (signal.SIGINT, "outline:"),
        (signal.SIGINT, "section "),
        (signal.SIGINT, "review typography"),
        (signal.SIGTERM, "review code"),
    ],
)
def test_ctrl_c_stops_with_exit_3_and_the_way_on(
    tmp_path: Path, server: tuple[str, Path], number: signal.Signals, line: str
) -> None:
    words = ("write", "--notes", "examples/notes", "--model", "openai:scripted")
    process = kaozheng(*words, data=tmp_path, url=server[0])
    assert process.stderr
    while not process.stderr.readline().startswith(line):
        assert process.poll() is None, "the run ended before it said so"
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert "runs resume" in errors
    assert "Traceback" not in errors
    # Written down by the process itself: a transaction cut by the signal must not keep the database from it.
    assert rows(tmp_path, "SELECT status, error FROM runs") == [("stopped", "stopped by the user")]


def test_of_two_processes_that_resume_one_run_one_is_told(
    tmp_path: Path, server: tuple[str, Path], whole: tuple[str, float]
) -> None:
    process = write(tmp_path, server[0])
    while not (started := rows(tmp_path, "SELECT id FROM runs")):
        time.sleep(0.05)
    process.kill()
    process.communicate()
    both = [kaozheng("runs", "resume", started[0][0], "--json", data=tmp_path, url=server[0]) for _ in range(2)]
    ends = [(one.communicate(timeout=120), one.returncode) for one in both]
    codes = sorted(code for _, code in ends)
    assert codes in ([0, 3], [1, 3], [0, 2], [1, 2]), ends  # 2: the other had already finished
    told = next(said[1] for said, code in ends if code in {2, 3})
    assert len(told.strip().split("\n")) == 1, told
