"""Runs in real processes: two that want the same one, Ctrl-C, a full disk."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "faults" / "counting_run.py"


def run(what, folder, *more, **settings):
    command = [sys.executable, "-W", "error", str(SCRIPT), what, str(folder), *more]
    environment = {**os.environ, **{key: str(value) for key, value in settings.items()}}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def only_run(folder):
    (found,) = (folder / "runs").iterdir()
    return found.name


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def effects(folder):
    log = folder / "runs" / only_run(folder) / "effects.log"
    return [line.split()[1] for line in log.read_text().splitlines()] if log.exists() else []


def begun(folder):
    return (folder / "runs").is_dir() and any((folder / "runs").iterdir()) and len(effects(folder)) >= 1


def test_second_process_on_a_run_is_turned_away_and_the_first_finishes(tmp_path):
    first = run("start", tmp_path, STEP_S=0.4)
    wait_for(lambda: begun(tmp_path))
    second = run("resume", tmp_path, only_run(tmp_path))
    _, told = second.communicate(timeout=30)
    assert second.returncode == 3
    assert f"being worked on by process {first.pid} since 20" in told
    said, errors = first.communicate(timeout=30)
    assert (first.returncode, errors) == (0, "")
    assert json.loads(said.splitlines()[-1])["status"] == "done"
    assert len(effects(tmp_path)) == len(set(effects(tmp_path)))


def test_two_processes_that_resume_at_once_do_the_work_once(tmp_path):
    first = run("start", tmp_path, STEP_S=0.1)
    wait_for(lambda: begun(tmp_path))
    first.kill()
    first.communicate()
    pair = [run("resume", tmp_path, only_run(tmp_path), STEP_S=0.1) for _ in range(2)]
    ends = [process.communicate(timeout=60) for process in pair]
    codes = sorted(process.returncode for process in pair)
    # The loser comes while the winner works (held, 3) or just after it was done (complete, 2).
    assert codes in ([0, 3], [0, 2]), ends
    done = effects(tmp_path)
    assert done.count("inner") == 1


def test_ctrl_c_stops_the_run_and_resume_finishes_it(tmp_path):
    process = run("start", tmp_path, STEP_S=0.3)
    # A second effect means that the result of the first step, `plan`, is kept: until then it would run again by right.
    wait_for(lambda: begun(tmp_path) and len(effects(tmp_path)) >= 2)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, told = process.communicate(timeout=20)
    assert time.monotonic() - began < 5
    assert process.returncode == 3
    name = only_run(tmp_path)
    assert told == f"StoppedError: run {name} was stopped; go on with: kaozheng runs resume {name}\n"
    said, _ = run("resume", tmp_path, name).communicate(timeout=30)
    assert json.loads(said.splitlines()[-1])["status"] == "done"
    assert effects(tmp_path).count("plan") == 1


def test_unknown_run_is_one_clear_line(tmp_path):
    process = run("resume", tmp_path, "20200101_000000_none")
    _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert told == "UnknownRunError: no run has the id '20200101_000000_none'; there are no runs yet\n"


def test_run_whose_folder_is_gone_is_one_clear_line(tmp_path):
    process = run("start", tmp_path)
    process.communicate(timeout=30)
    name = only_run(tmp_path)
    shutil.rmtree(tmp_path / "runs" / name)
    process = run("resume", tmp_path, name)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert told.startswith(f"UnknownRunError: {name}: its folder")


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 3 MB: a mount where that is allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], capture_output=True, text=True, check=False
    ) if shutil.which("mount") else None  # fmt: skip
    if mounted is None or mounted.returncode:
        pytest.skip("no small disk can be mounted here (needs root)")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_full_disk_is_one_clear_line_and_the_run_goes_on_after_it(small_disk):
    process = run("start", small_disk, STEP_S=0.2)
    # A part has begun, so the result of the plan is kept.
    wait_for(lambda: begun(small_disk) and (small_disk / "runs" / only_run(small_disk) / "part_0.md").exists())
    ballast = small_disk / "ballast"
    _fill(ballast)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 3, told
    assert told.startswith("StorageError: ")
    assert "the disk is full" in told
    assert told.count("\n") == 1
    name = only_run(small_disk)
    assert f"kaozheng runs resume {name}" in told
    ballast.unlink()
    before = effects(small_disk)
    said, errors = run("resume", small_disk, name).communicate(timeout=30)
    assert json.loads(said.splitlines()[-1])["status"] == "done", errors
    assert before.count("plan") == effects(small_disk).count("plan") == 1


def test_start_on_a_full_disk_leaves_no_half_run(small_disk):
    _fill(small_disk / "ballast")
    process = run("start", small_disk)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 3, told
    assert "the disk is full" in told
    assert told.count("\n") == 1


def _fill(path):
    with path.open("wb", buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def test_limit_on_file_sizes_is_one_clear_line(tmp_path):
    code = (
        "import resource, signal, runpy, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))\n"
        "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    command = [sys.executable, "-c", code, str(SCRIPT), "start", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("StorageError: ")
    assert done.stderr.count("\n") == 1


def test_a_run_hears_ctrl_c_in_the_middle_of_a_computation(tmp_path):
    process = run("start", tmp_path, COMPUTE_S=300)
    assert process.stdout
    while process.stdout.readline() != "computing\n":
        assert process.poll() is None, process.stderr.read()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)  # seconds: 300 would be the end of the computation
    assert process.returncode == 3, told
    assert f"kaozheng runs resume {only_run(tmp_path)}" in told
    again = run("resume", tmp_path, only_run(tmp_path))
    said, errors = again.communicate(timeout=60)
    assert (again.returncode, errors) == (0, "")
    assert json.loads(said.splitlines()[-1])["result"]["done"].count("inner") == 1
