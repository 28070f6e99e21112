"""`summarize` at its doors: what is refused before a run, what is told while it goes on and at its end."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import ToolException
from typer.testing import CliRunner

import kaozheng
from kaozheng.api import RunResult
from kaozheng.cli.app import app
from kaozheng.cli.progress import progress, said
from kaozheng.cli.summarized import summarized
from kaozheng.errors import InputError, SourceError
from kaozheng.journal import Event, EventKind
from kaozheng.workflows.summarize.progress import SummaryProgress

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / "examples" / "notes"
TEXT = (ROOT / "examples" / "text" / "meeting.txt").read_text(encoding="utf-8")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KAOZHENG_MODEL", "KAOZHENG_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KAOZHENG_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.txt",), ("nowhere.txt", "no such file or folder")),
        (("",), ("a path is empty",)),
        (("empty",), ("empty", "no readable file")),
        (("blank.md",), ("blank.md", "empty")),
        (("odd.txt",), ("odd.txt", "GB18030")),
        (("-",), ("the text is empty",)),
        ((NOTES, "--ratio", "0"), ("ratio 0", "at most 1")),
        ((NOTES, "--ratio", "1.5"), ("ratio 1.5",)),
        ((NOTES, "--ratio", "nan"), ("ratio nan",)),
        ((NOTES, "--plan-only", "--ratio", "-1"), ("ratio -1",)),
        ((NOTES, "--sections", "0"), ("sections 0", "1 to 40")),
        ((NOTES, "--sections", "41"), ("sections 41",)),
        ((NOTES, "--focus", "x" * 501), ("focus", "501", "500 at most")),
        ((NOTES, "-o", "empty"), ("empty", "cannot be written")),
        (("odd.txt", "-o", "./odd.txt"), ("odd.txt", "one of the texts that are read")),
        ((NOTES, "-o", "out.md", "--plan-only"), ("--plan-only", "-o")),
        ((NOTES, "--model", "gpt-4"), ("gpt-4", "openai:NAME")),
        ((NOTES, "--model", "openai:gpt-4"), ("OPENAI_API_KEY",)),
    ],
)
def test_bad_input_is_one_clear_line_exit_2_and_no_run(alone: Path, words: tuple, said: tuple) -> None:
    (alone / "empty").mkdir()
    (alone / "blank.md").write_text(" \n\n", encoding="utf-8")
    (alone / "odd.txt").write_bytes(bytes(range(128, 256)) * 9)
    done = CliRunner().invoke(app, ["summarize", *map(str, words)], input=b"  \n")
    assert done.exit_code == 2, done.stderr
    (line,) = done.stderr.strip().split("\n")
    assert all(word in line for word in said), line
    assert not list((alone / "data").glob("runs/*"))
    assert not (alone / "out.md").exists()


def no_run(folder: Path) -> bool:
    return not list((folder / "data").glob("runs/*"))


@pytest.mark.parametrize(
    ("given", "error", "why"),
    [
        ({"source": " \n"}, SourceError, "the text is empty"),
        ({"source": "half \ud800"}, InputError, "not text"),
        ({"source": "note.md"}, InputError, "give it as a Path"),
        ({"source": Path("nowhere")}, SourceError, "no such file"),
        ({"source": TEXT, "ratio": 0}, InputError, "ratio 0"),
        ({"source": TEXT, "sections": 2.5}, InputError, "sections 2.5"),
        ({"source": TEXT, "language": "fr"}, InputError, "one of zh, en"),
        ({"source": TEXT, "citations": "inline"}, InputError, "one of footnote, none"),
        ({"source": TEXT, "sensitivity": "top"}, InputError, "sensitivity 'top'"),
        ({"source": TEXT, "focus": "\udfff"}, InputError, "the focus is not text"),
        ({"source": TEXT, "section": 3}, TypeError, "'section'"),
    ],
)
def test_what_the_api_cannot_use_is_said_before_a_run(alone: Path, given: dict, error: type, why: str) -> None:
    (alone / "note.md").write_text("# 甲\n", encoding="utf-8")
    with pytest.raises(error, match=why):
        kaozheng.summarize(**given)
    assert no_run(alone)


def test_a_text_becomes_a_summary(alone: Path) -> None:
    result = kaozheng.summarize(TEXT, ratio=0.3)
    assert (result.workflow, result.exit_code) == ("summarize", 0)
    assert result.path.read_text(encoding="utf-8") == result.document
    assert result.report["length"]["target"] == round(result.report["length"]["text"] * 0.3)
    assert (result.folder / "input.md").read_text(encoding="utf-8") == TEXT


def test_the_plan_is_a_size_plan_without_a_run(alone: Path) -> None:
    plan = kaozheng.plan_summary(NOTES, sections=4)
    assert (plan.sections, plan.total.blocks) == (4, plan.levels[0].blocks)
    assert kaozheng.plan_summary(TEXT).text_tokens < plan.text_tokens
    assert not (alone / "data").exists()


def test_the_tool_summarises_a_path_or_a_text(alone: Path) -> None:
    from kaozheng.skill import summarize_skill

    assert (summarize_skill.name, set(summarize_skill.args)) == ("summarize_skill", {"source_path", "text", "focus"})
    assert "RFID" in summarize_skill.invoke({"source_path": str(NOTES)})
    assert summarize_skill.invoke({"text": TEXT, "focus": "值班"}).startswith("# ")
    for wrong in ({}, {"text": TEXT, "source_path": str(NOTES)}, {"source_path": "/nope"}):
        with pytest.raises(ToolException, match=r"one of source_path and text|no such file"):
            summarize_skill.invoke(wrong)


async def test_studio_s_graph_gives_the_summary_of_a_text(alone: Path) -> None:
    where = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["summarize"]
    assert where == "./src/kaozheng/studio.py:summarize_graph"
    from kaozheng.studio import summarize_graph

    graph = await summarize_graph()
    end = await graph.ainvoke({"original_text": TEXT}, context={})  # the server passes an empty context
    assert end["final_output"].startswith("# ")
    assert "[^1]" in end["final_output"]
    again = await graph.ainvoke({"source_path": str(NOTES), "citations": "none", "wanted_sections": 2})
    assert (again["section_count"], "[^1]" in again["final_output"]) == (2, False)


def test_the_graph_is_invoked_without_an_event_loop(alone: Path) -> None:
    from kaozheng.studio import create_generation_workflow

    app = create_generation_workflow()
    assert app.invoke({"original_text": TEXT})["final_output"].startswith("# ")


def report(**told: Any) -> RunResult:
    made = {
        "inputs": {"used": [{}], "unused": [], "skipped": []},
        "length": {"text": 10_000, "target": 2_000, "summary": 1_900},
        "sections": [{}, {}],
        "statements": 1,
        "removed": [],
        "loss": {"statements": 9, "watched": 4, "restored": 1, "left_out": []},
        "contradictions": [],
        "levels": [{"empty": []}],
        "missing": [],
        "limits": [],
    }
    usage = told.pop("usage", {})
    return RunResult("r1", "summarize", Path("run"), Path("run/summary.md"), "", made | told, usage, 0)


def part(kind: str, number: int, reason: str, status: str = "fallback") -> dict[str, Any]:
    return {"kind": kind, "number": number, "status": status, "reason": reason, "budget": False}


def test_a_whole_summary_is_told_in_eight_lines() -> None:
    assert summarized(report(), None) == [
        "document  run/summary.md",
        "report    run/report.md",
        "trace     run/trace.json",
        "length    about 1,900 of 10,000 tokens (19.0%), 2,000 aimed at; 2 sections",
        "inputs    1 used, 0 unused, 0 not read",
        "evidence  1 statement, each with its quote; taken out: 0 without evidence, 0 said before",
        "loss      4 of 9 key statements watched, 1 put back, 0 left out",
        "conflicts 0 in the text",
    ]
    assert summarized(report(usage={"calls": 3}), Path("o.md"))[-1] == "usage     3 calls, 0 + 0 tokens"


def test_the_first_three_statements_left_out_are_named_on_a_line_each() -> None:
    left = [{"text": f"第 {n} 条\n\x1b[31m{'很长' * 90}"} for n in range(5)]
    lines = summarized(report(loss={"statements": 9, "watched": 5, "restored": 0, "left_out": left}), None)
    at = next(at for at, line in enumerate(lines) if line.startswith("loss"))
    assert [line[:7] for line in lines[at + 1 : at + 4]] == ["  第 0 条", "  第 1 条", "  第 2 条"]
    assert all(len(line) == 102 and line.endswith("…") and "\x1b" not in line for line in lines[at + 1 : at + 4])
    assert lines[at + 4] == "  and 2 more, see the report"


def test_blocks_without_a_sentence_are_told_with_their_places() -> None:
    lines = summarized(report(levels=[{"empty": ["`a.md`, lines 3–9"]}, {"empty": []}]), None)
    at = lines.index("excerpts  1 block without a sentence (a table, a list): a model would read them")
    assert lines[at + 1] == "  a.md, lines 3–9"


def test_gaps_and_fallbacks_are_named_with_reasons_and_the_way_on() -> None:
    parts = [part("block", n, "503") for n in range(1, 9)]
    lines = summarized(report(missing=[*parts, part("section", 2, "empty", "gap")]), None)
    assert "gaps      section 2; try again: kaozheng runs resume r1" in lines
    assert "fallback  without the model: block 1, block 2, block 3, block 4, block 5, block 6 and 2 more" in lines
    assert "  503 (x8)" in lines
    lone = summarized(report(missing=[part("tree", 0, "503"), part("merge", 3, "503")]), None)
    assert "fallback  without the model: the outline, merge 3; try again: kaozheng runs resume r1" in lone


def test_a_reached_budget_says_which_limit_to_raise() -> None:
    lines = summarized(report(missing=[part("tree", 0, "x")], limits=["calls"]), None)
    assert "budget    reached: calls; go on: kaozheng runs resume r1 --max-calls MORE" in lines


def test_blocks_are_told_only_when_the_model_did_not_summarise_them() -> None:
    assert said("note", {"block": 3, "level": 0, "by": "model", "reason": ""}) == ""
    assert said("note", {"block": 3, "level": 0, "by": "offline", "reason": ""}) == ""
    assert (
        said("note", {"block": 3, "level": 1, "by": "fallback", "reason": "503"}) == "block 3 of level 1: by rules: 503"
    )
    assert said("note", {"block": 3, "level": 0, "gap": "no sentence"}) == "block 3 of level 0: gap: no sentence"


def test_levels_checks_and_what_was_put_back_are_told() -> None:
    level = {"summarised": 9, "of": 10, "level": 0, "without_model": 2}
    assert said("note", level) == "level 0: 9 of 10 summarised, 2 without the model"
    check = {"lost": 2, "watched": 8, "statements": 40, "round": 0}
    assert said("note", check) == "loss check 1: 2 of 8 watched statements lost"
    restored = {"restored": 1, "section": 2, "round": 0, "by": "offline", "reason": ""}
    assert said("note", restored) == "section 2: 1 statement put back (offline)"
    assert said("note", {"assembled": 3, "footnotes": 9}) == ""


def test_the_plan_of_a_secret_run_is_not_told_as_dots() -> None:
    assert said("note", {"said": "…"}) == ""
    assert said("note", {"said": "原文约 9 个 token"}) == "原文约 9 个 token"


def test_the_share_grows_with_blocks_sections_and_checks_and_never_falls() -> None:
    share = SummaryProgress()
    told = [
        {"sources": 1, "skipped": 0, "units": 1, "blocks": [3, 1]},
        *({"block": n, "level": 0, "by": "model", "reason": ""} for n in (2, 1, 3)),
        {"block": 1, "level": 1, "by": "model", "reason": ""},
        {"outline": ["甲", "乙"], "by": "model", "reason": ""},
        *({"section": n, "of": 2, "title": "甲", "by": "model", "reason": ""} for n in (1, 2)),
        *({"lost": 1, "watched": 2, "statements": 9, "round": n} for n in (0, 1)),
        {"restored": 1, "section": 1, "round": 0, "by": "model", "reason": ""},
        {"assembled": 2, "footnotes": 4},
    ]
    events = [Event("r", n, "", EventKind.NOTE, data) for n, data in enumerate(told)]
    shares = [share.take(event) for event in [*events, Event("r", 99, "", EventKind.RUN_FINISHED)]]
    assert shares == sorted(shares)
    assert len(set(shares)) == len(shares) - 2  # the first check and what is put back move nothing
    assert (shares[0], shares[-1]) == (0.02, 1.0)


def test_a_run_resumed_among_its_blocks_promises_nothing_before_the_outline() -> None:
    share = SummaryProgress()
    block = Event("r", 1, "", EventKind.NOTE, {"block": 7, "level": 0, "by": "model", "reason": ""})
    assert share.take(block) == 0.0
    assert share.take(Event("r", 2, "", EventKind.NOTE, {"outline": ["甲"], "by": "model"})) > 0.5


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("workflow", "share"), [("summarize", "66%"), ("write", "8%")])
def test_the_share_on_a_terminal_is_that_of_the_run_s_workflow(
    monkeypatch: pytest.MonkeyPatch, workflow: str, share: str
) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    with progress(quiet=False) as show:
        assert show is not None
        show(Event("r", 1, "", EventKind.RUN_RESUMED, {"workflow": workflow, "topic": "", "resumes": 1}))
        show(Event("r", 2, "", EventKind.NOTE, {"outline": ["甲"], "by": "model", "reason": ""}))
    assert share in shown.getvalue()
