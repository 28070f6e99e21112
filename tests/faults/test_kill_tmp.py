"""kill -9 at any moment: the run goes on to the same end, and no step that was checkpointed runs again."""

import asyncio
import importlib.util
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "counting_run.py"
_spec = importlib.util.spec_from_file_location("counting_run", SCRIPT)
counting_run = importlib.util.module_from_spec(_spec)
sys.modules["counting_run"] = counting_run  # its dataclasses and type hints are looked up there
_spec.loader.exec_module(counting_run)
STEPS = ["inner", *(f"part{n}" for n in range(6)), "plan", *(f"polish{n}" for n in range(1, 5))]
RUN_S = 0.35  # what a run takes after "ready"


def command(what, folder, *more):
    return [sys.executable, str(SCRIPT), what, str(folder), *more]


def spawn(what, folder, *more):
    return subprocess.Popen(command(what, folder, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def killed(process, after_s):
    """What the process printed; it is killed `after_s` seconds after it was ready, if it still lives."""
    process.stdout.readline()
    time.sleep(after_s)
    process.kill()
    said, errors = process.communicate()
    assert not errors or "is done and complete" in errors, errors
    return said


def lines(folder):
    log = folder / "effects.log"
    return [line.split()[1] for line in log.read_text().splitlines()] if log.exists() else []


def checkpointed(folder, run):
    return asyncio.run(counting_run.main("look", folder, run))


def kill_and_resume(folder, moments):
    """Start, kill at each moment in turn, resume to the end. Returns how many steps ran a second time."""
    process = spawn("start", folder)
    killed(process, moments[0])
    runs = list((folder / "runs").iterdir()) if (folder / "runs").is_dir() else []
    if not runs or not _known(folder, runs[0].name):
        return 0  # killed before the run was accepted: nobody was told of it
    (run,) = runs
    for moment in (*moments[1:], None):
        before, safe = lines(run), checkpointed(folder, run.name)
        process = spawn("resume", folder, run.name)
        if moment is None:
            said, errors = process.communicate(timeout=60)
        else:
            said, errors = killed(process, moment), ""
        again = lines(run)[len(before) :]
        assert not set(safe) & set(again), f"checkpointed and run again: {set(safe) & set(again)}"
    assert '"done"' in said or "is done and complete" in errors, (said, errors)
    record = _record(folder, run.name)
    assert (record["status"], record["result"]["done"]) == ("done", sorted(STEPS))
    assert record["result"]["ref"] == EXPECTED
    return len(lines(run)) - len(set(lines(run)))


def _known(folder, name):
    return _record(folder, name) is not None


def _record(folder, name):
    file = sqlite3.connect(folder / "runs.db")
    try:
        row = file.execute("SELECT status, result FROM runs WHERE id = ?", (name,)).fetchone()
    except sqlite3.OperationalError:  # killed before the tables were made
        return None
    finally:
        file.close()
    return row and {"status": row[0], "result": json.loads(row[1]) if row[1] else None}


EXPECTED = "sha256:727b7a4f68c41d94735f6497712ef0440f7b22d229ab108c18cb5247685aa168"


@pytest.mark.parametrize("part", [0.15, 0.5, 0.85])
def test_killed_run_ends_as_if_it_had_not_been_killed(tmp_path, part):
    assert kill_and_resume(tmp_path, [part * RUN_S]) <= 6


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(50))
def test_run_killed_at_random_moments_ends_as_if_it_had_not_been(tmp_path, seed):
    chance = random.Random(seed)
    moments = [chance.uniform(0, RUN_S) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
    repeated = kill_and_resume(tmp_path, moments)
    if report := os.environ.get("KILL_REPORT"):
        with Path(report).open("a") as file:
            file.write(json.dumps({"seed": seed, "kills": len(moments), "steps run twice": repeated}) + "\n")
    assert repeated <= 6 * len(moments)


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(100, 130))
def test_ctrl_c_at_a_random_moment_leaves_a_run_that_goes_on(tmp_path, seed):
    process = spawn("start", tmp_path)
    process.stdout.readline()
    time.sleep(random.Random(seed).uniform(0.03, RUN_S))
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=30)
    runs = list((tmp_path / "runs").iterdir()) if (tmp_path / "runs").is_dir() else []
    if not runs:
        return  # stopped before the run was accepted
    if '"done"' not in said:
        assert (process.returncode, errors.count("\n")) == (3, 1), errors
    before, safe = lines(runs[0]), checkpointed(tmp_path, runs[0].name)
    done = subprocess.run(command("resume", tmp_path, runs[0].name), capture_output=True, text=True, check=False)
    assert not set(safe) & set(lines(runs[0])[len(before) :])
    assert '"done"' in done.stdout or "is done and complete" in done.stderr, done.stderr
    assert _record(tmp_path, runs[0].name)["result"]["ref"] == EXPECTED
