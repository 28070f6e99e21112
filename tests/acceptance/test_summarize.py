"""`kaozheng summarize` from outside: what it prints, what it leaves, how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "examples" / "notes"
MEETING = ROOT / "examples" / "text" / "meeting.txt"
Kaozheng = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def kaozheng(tmp_path: Path) -> Kaozheng:
    """Run the command in an empty folder, with a data folder of its own and no settings of the machine."""

    def run(*words: object, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI"))}
        env |= {"KAOZHENG_DATA": str(tmp_path / "data"), "PYTHONIOENCODING": "utf-8", **more}
        done = subprocess.run(
            [sys.executable, "-c", "from kaozheng.cli import main; main()", *map(str, words)],
            env=env, cwd=tmp_path, input=stdin, capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def runs_of(folder: Path) -> list[Path]:
    return list((folder / "data" / "runs").glob("*"))


def test_a_folder_becomes_a_summary_that_leads_back_to_its_lines(kaozheng: Kaozheng, tmp_path: Path) -> None:
    done = kaozheng("summarize", NOTES, "-o", "out.md")
    assert done.returncode == 0, done.stderr
    (folder,) = runs_of(tmp_path)
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert text == (folder / "summary.md").read_text(encoding="utf-8")
    trace = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    quote = trace[0]["evidence"][0]
    assert quote["quote"] in (NOTES / quote["path"]).read_text(encoding="utf-8").replace("\r\n", "\n")
    assert f"[^{quote['label']}]: `{quote['path']}`" in text
    said = done.stderr.splitlines()
    assert said[1] == "read 7 sources, 0 skipped"
    assert any(line.startswith("原文约 ") for line in said[:4])
    assert any(line.startswith("loss check 1: ") for line in said)
    told = done.stdout.splitlines()
    heads = [line.split(" ")[0] for line in told if not line.startswith(" ")]
    assert heads == ["document", "report", "trace", "length", "inputs", "evidence", "loss", "conflicts"]
    assert "out.md" in told[0]
    assert "  RFID 标签的采购数量: 19.2 万枚 (03-自助借还机选型.md:18)" in done.stdout


def test_json_is_one_object_and_says_the_same(kaozheng: Kaozheng) -> None:
    done = kaozheng("summarize", NOTES, "--json", "--citations", "none", "--sections", 2, "--focus", "押金")
    told = json.loads(done.stdout)
    assert (done.stderr, told["workflow"], told["exit_code"]) == ("", "summarize", done.returncode)
    text = Path(told["document"]).read_text(encoding="utf-8")
    assert "[^" not in text
    assert "押金" in text
    assert (told["report"]["focus"], len(told["report"]["sections"])) == ("押金", 2)


def test_text_comes_from_standard_input_in_its_own_encoding(kaozheng: Kaozheng, tmp_path: Path) -> None:
    text = MEETING.read_text(encoding="utf-8")
    told = json.loads(kaozheng("summarize", "-", "--json", stdin=text.encode("gb18030")).stdout)
    assert (Path(told["folder"]) / "input.md").read_text(encoding="utf-8") == text
    assert told["report"]["inputs"]["used"] == [{"path": "input.md"}]


def test_the_plan_is_printed_and_nothing_else_happens(kaozheng: Kaozheng, tmp_path: Path) -> None:
    chosen = {"KAOZHENG_MODEL": "openai:m", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    done = kaozheng("summarize", NOTES, "--plan-only", "--max-calls", 12, **chosen)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("原文约 ")
    assert "预算足够" in lines[1]
    assert "预算只够" in done.stdout
    english = kaozheng("summarize", NOTES, "--plan-only", "--lang", "en", "--ratio", "0.5").stdout.splitlines()
    assert english[0].startswith("the text: about ")
    assert not (tmp_path / "data").exists()


def test_the_plan_as_json_adds_up_and_follows_the_wishes(kaozheng: Kaozheng) -> None:
    told = json.loads(kaozheng("summarize", NOTES, "--plan-only", "--json", "--sections", 5, "--ratio", "0.1").stdout)
    stages = [*(level["stage"] for level in told["levels"]), told["planner"], told["writing"], told["restoring"]]
    assert told["total"]["calls"] == sum(stage["calls"] for stage in stages)
    assert (told["language"], told["sections"]) == ("zh", 5)
    assert told["target_tokens"] == pytest.approx(told["text_tokens"] * 0.1, abs=1)
    assert "reach" not in told
    limited = json.loads(kaozheng("summarize", NOTES, "--plan-only", "--json", "--max-tokens", 1).stdout)
    assert not any(one["calls"] for one in limited["reach"])


def test_an_empty_focus_is_no_focus(kaozheng: Kaozheng) -> None:
    done = kaozheng("summarize", MEETING, "--focus", "", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["report"]["focus"] == ""


def test_the_runs_of_both_workflows_are_listed_shown_and_told_apart(kaozheng: Kaozheng) -> None:
    written = json.loads(kaozheng("write", "--text", MEETING, "--json").stdout)["run"]
    made = json.loads(kaozheng("summarize", MEETING, "--json").stdout)["run"]
    listed = kaozheng("runs", "list").stdout
    assert written in listed
    assert made in listed
    assert "  summarize  " in kaozheng("runs", "show", made).stdout.splitlines()[0]
    for run in (written, made):
        again = kaozheng("runs", "resume", run)
        assert (again.returncode, "done and complete" in again.stderr) == (2, True)
    known = kaozheng("runs", "checkpoints", made).stdout.splitlines()
    assert [line.split("memorize")[1] for line in known if "next memorize" in line] == ["  level 0: blocks 8/8"]
    assert [line for line in known if line.endswith("after memorize, next plan")]
    at = next(
        one for one in json.loads(kaozheng("runs", "checkpoints", made, "--json").stdout) if "plan" in one["after"]
    )
    forked = kaozheng("runs", "fork", made, at["short"], "-o", "again.md", "--json")
    assert forked.returncode == 0, forked.stderr
    new = json.loads(forked.stdout)
    assert new["workflow"] == "summarize"
    assert "plan" not in json.loads(kaozheng("runs", "show", new["run"], "--json").stdout)["steps"]


def test_the_graph_shows_the_stages(kaozheng: Kaozheng, tmp_path: Path) -> None:
    told = kaozheng("graph", "summarize").stdout
    assert kaozheng("graph", "summarize", "--svg", "g.svg").returncode == 0
    picture = (tmp_path / "g.svg").read_text(encoding="utf-8")
    for name in ("split", "summarize_block", "memorize", "plan", "generate", "check_loss", "restore_section", "finish"):
        assert name in told
        assert name in picture
