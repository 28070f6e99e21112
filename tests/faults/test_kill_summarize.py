"""kill -9 in the middle of `summarize`: the same summary in the end, and no block is paid for twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DELAY_S = 0.1
TEXT = "# 排水工程\n\n" + "".join(
    f"## 第{place}段\n\n第{place}段今年投入 {120 + n} 万元修建管网，全长 {14 + n} 公里。工程由第{place}工程队负责。\n\n"
    f"第{place}段有 {n + 2} 处井盖未通过验收，须在月底前更换。居民的来信已经逐一答复，情绪平稳。\n\n"
    for n, place in enumerate("甲乙丙丁戊己庚辛壬癸", start=1)
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
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


def calls(log: Path) -> list[str]:
    return [json.loads(line)["purpose"] for line in log.read_text().splitlines()] if log.exists() else []


def summary_of(process: subprocess.Popen[str]) -> tuple[str, Path]:
    said, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    document = Path(json.loads(said)["document"])
    return document.read_text(encoding="utf-8"), document.parent


def trial(folder: Path, server: tuple[str, Path], after: int) -> None:
    """Kill once `after` more calls are answered than a whole run's beginning, resume, compare with a run that lived."""
    url, log = server
    text = folder / "text.md"
    folder.mkdir(parents=True, exist_ok=True)
    text.write_text(TEXT, encoding="utf-8")
    words = ("summarize", str(text), "--model", "openai:scripted", "--json")
    whole, _ = summary_of(kaozheng(*words, data=folder / "whole", url=url))
    start = len(calls(log))
    process = kaozheng(*words, data=folder / "killed", url=url)
    while len(calls(log)) < start + after:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.kill()
    process.communicate()
    (run,) = [path.name for path in (folder / "killed" / "runs").iterdir() if path.is_dir()]
    kept = {one.name for one in (folder / "killed" / "runs" / run).glob("summary_0_*.json")}
    before = len(calls(log))
    again, _ = summary_of(kaozheng("runs", "resume", run, "--json", data=folder / "killed", url=url))
    assert again == whole
    asked = calls(log)[before:]
    done = {f"block/0/{int(name[10:-5]) - 1}" for name in kept}
    assert done.isdisjoint(asked), f"summarised, kept, and asked again: {done & set(asked)}"


def test_a_killed_run_goes_on_and_asks_for_no_finished_block(tmp_path: Path, server: tuple[str, Path]) -> None:
    trial(tmp_path, server, 9)


@pytest.mark.faults
@pytest.mark.parametrize("after", range(1, 16, 2))
def test_killed_at_any_call_it_ends_with_the_same_summary(tmp_path: Path, server: tuple[str, Path], after: int) -> None:
    trial(tmp_path, server, after)
