"""Runs of `summarize` through the API with a model: a budget, what resume asks again, forks, and the other workflow."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kaozheng import api
from kaozheng.errors import InputError
from kaozheng.settings import Settings
from kaozheng.testing.actor import act
from kaozheng.testing.server import ScriptedServer
from kaozheng.wiring import open_desk

TEXT = "# 甲\n\n甲组有 3 人，负责值班。\n\n# 乙\n\n乙组有 5 人，负责巡检。\n"


def pointed(settings: Settings, server: ScriptedServer) -> Settings:
    return settings.model_copy(update={"model": "openai:scripted", "openai_base_url": server.base_url})


async def test_a_budget_that_ends_early_delivers_and_resume_asks_the_rest(settings: Settings, notes: Path) -> None:
    async with ScriptedServer(act) as server:
        chosen = pointed(settings, server)
        short = await api.asummarize(notes, settings=chosen, max_calls=4)
        asked = [entry.purpose for entry in server.log]
        assert (short.exit_code, short.report["limits"], len(asked)) == (1, ["calls"], 4)
        assert "\n> 预算用尽（4/4 次调用）。第 " in short.document
        with pytest.raises(InputError, match="used up its budget of 4 calls"):
            await api.aresume(short.run_id, None, chosen, max_calls=4)
        whole = await api.aresume(short.run_id, None, chosen, max_calls=200)
        more = [entry.purpose for entry in server.log][len(asked) :]
    blocks = short.report["plan"]["blocks"]
    assert {purpose for purpose in asked if purpose.startswith("block")} == set(asked)
    first = {f"block/0/{n}" for n in range(blocks)}
    assert {f"{purpose}/again1" for purpose in first - set(asked)} <= set(more)
    assert not first & set(more)
    assert not [one for one in whole.report["missing"] if one["kind"] == "block"]
    assert whole.report["limits"] == []


async def test_the_reference_design_s_environment_asks_dashscope_s_models(
    settings: Settings, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ScriptedServer(act, key="k") as server:
        monkeypatch.setenv("DASHCOPE_KEY", "k")
        monkeypatch.setenv("BASE_URL", server.base_url)
        chosen = settings.model_copy(update={"embedder": "dashscope:text-embedding-v4"})
        await api.asummarize(notes, settings=chosen, model="dashscope:qwen-plus")
    assert {(entry.path, entry.model) for entry in server.log} == {
        ("/v1/chat/completions", "qwen-plus"),
        ("/v1/embeddings", "text-embedding-v4"),
    }
    assert {entry.status for entry in server.log} == {200}
    assert {body["temperature"] for body in server.requests} == {0.0}


async def test_a_fork_takes_the_text_over(settings: Settings) -> None:
    old = await api.asummarize(TEXT, settings=settings)
    async with open_desk(settings) as desk:
        from kaozheng.runs.history import checkpoints

        workflow = api.workflow_of(await desk.journal.get(old.run_id))
        known = await checkpoints(desk, old.run_id, lambda _: workflow)
    new = await api.afork(old.run_id, next(one for one in known if "split" in one.after).short, None, settings)
    assert (new.workflow, new.document, new.report) == ("summarize", old.document, old.report)
    assert new.folder != old.folder
    assert (new.folder / "input.md").read_text(encoding="utf-8") == TEXT


async def test_each_workflow_goes_on_as_itself_and_an_unknown_one_is_named(settings: Settings) -> None:
    written = await api.awrite(text=TEXT, settings=settings)
    made = await api.asummarize(TEXT, settings=settings)
    async with open_desk(settings) as desk:
        records = [await desk.journal.get(one.run_id) for one in (written, made)]
    assert [api.workflow_of(one).name for one in records] == ["write", "summarize"]
    with pytest.raises(InputError, match="'county', which cannot go on here: write, summarize can"):
        api.workflow_of(replace(records[0], workflow="county"))


async def test_what_a_run_chose_stays_with_it(settings: Settings) -> None:
    made = await api.asummarize(TEXT, settings=settings, focus=" 巡检\n 的人 ", ratio=0.5, sections=1, language="en")
    async with open_desk(settings) as desk:
        request = (await desk.journal.get(made.run_id)).request
    assert {name: request[name] for name in ("focus", "ratio", "wanted_sections", "language", "citations")} == {
        "focus": "巡检 的人", "ratio": 0.5, "wanted_sections": 1, "language": "en", "citations": "footnote",
    }  # fmt: skip
    assert (made.folder / "report.md").read_text(encoding="utf-8").startswith("# Report: ")


async def test_a_secret_text_stays_out_of_the_run_s_name_and_events(settings: Settings) -> None:
    events = []
    made = await api.asummarize(TEXT, settings=settings, sensitivity="secret", on_event=events.append)
    assert "甲" not in made.run_id
    assert not any("值班" in str(event.data) for event in events)


async def test_no_section_is_left_empty_by_one_that_took_what_was_near(settings: Settings, notes: Path) -> None:
    made = await api.asummarize(notes.with_name("notes-en"), settings=settings)
    assert (made.exit_code, made.report["gaps"]) == (0, [])
    assert made.report["levels"][0]["empty"] == []
    assert [one["status"] for one in made.report["sections"]] == ["written"] * 4
    for title, path in (("Hub and storage", "03-hub-and-storage.md"), ("Rollout plan", "04-rollout.md")):
        trace = json.loads((made.folder / "trace.json").read_text(encoding="utf-8"))
        assert {at["path"] for one in trace if one["section"] == title for at in one["evidence"]} == {path}
