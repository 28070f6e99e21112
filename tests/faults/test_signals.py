"""SIGTERM in the middle of the long steps of a large run: it stops at once, and resumed gives the same document."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

FILES = 700
_THINGS = ("水泵", "阀门", "电表", "仓库", "货车", "渠道", "学校", "医院", "桥梁", "合同", "预算")
_WORK = ("检修", "更换", "登记", "验收", "盘点", "改造", "巡查")


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    for number in range(FILES):
        thing, work = _THINGS[number % len(_THINGS)], _WORK[number % len(_WORK)]
        text = (
            f"{thing}在第 {number} 天完成{work}，费用 {number * 7} 元。\n\n{work}以后，{thing}由第 {number} 组看管。\n"
        )
        (folder / f"n{number:04d}.md").write_text(text, encoding="utf-8")
    return folder


def kaozheng(*words: str, data: Path) -> subprocess.Popen[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI"))}
    command = [sys.executable, "-c", "from kaozheng.cli import main; main()", *words]
    env["KAOZHENG_DATA"] = str(data)
    return subprocess.Popen(command, env=env, cwd=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> str:
    said, errors = process.communicate(timeout=300)
    assert process.returncode in {0, 1}, errors
    return Path(json.loads(said)["document"]).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def whole(notes: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return finished(kaozheng("write", "--notes", str(notes), "--json", data=tmp_path_factory.mktemp("whole")))


@pytest.mark.parametrize(("line", "step"), [("read ", "plan"), ("review content_style: pass", "deliver")])
def test_sigterm_in_a_long_step_stops_the_run_which_can_be_resumed(
    notes: Path, whole: str, tmp_path: Path, line: str, step: str
) -> None:
    process = kaozheng("write", "--notes", str(notes), data=tmp_path)
    assert process.stderr
    while not (said := process.stderr.readline()).startswith(line):
        assert said, f"the run ended before {step}"
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert "Traceback" not in errors
    (run,) = (one.name for one in (tmp_path / "runs").iterdir() if one.is_dir())
    assert f"kaozheng runs resume {run}" in errors
    assert not (tmp_path / "runs" / run / "document.md").exists()
    assert finished(kaozheng("runs", "resume", run, "--json", data=tmp_path)) == whole
