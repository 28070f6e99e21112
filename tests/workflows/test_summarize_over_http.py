"""`summarize` with calls over HTTP: what the plan said, budgets, and blocks that fail for good."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from bench.blocks import called_by_stage, planned_calls

from kaozheng.settings import Settings
from kaozheng.testing.actor import act
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer

_spec = spec_from_file_location("summary_desk", Path(__file__).with_name("summary_desk.py"))
desk = module_from_spec(_spec)
_spec.loader.exec_module(desk)

TEXT = "# 排水工程\n\n" + "".join(
    f"## {place}\n\n{place}今年投入 {120 + n} 万元修建管网，全长 {14 + n} 公里。工程由{place}建管所负责。\n\n"
    f"{place}有 {n + 2} 处井盖未通过验收，须在月底前更换。居民的来信已经逐一答复，情绪平稳。\n\n"
    for n, place in enumerate(("东河镇", "西山镇", "南湖镇", "北岭镇", "石桥镇", "青川镇"), start=1)
)


def purposes(server: ScriptedServer, start: int = 0) -> list[str]:
    return [entry.purpose for entry in server.log[start:]]


async def test_calls_are_those_of_the_plan_stage_by_stage(settings: Settings) -> None:
    async with ScriptedServer(act) as server:
        made = await desk.through_the_runner(desk.pointed(settings, server), TEXT)
    plan = json.loads((Path(made.record.folder) / "sizes.json").read_text(encoding="utf-8"))
    called = called_by_stage(purposes(server))
    assert {stage: called[stage] for stage in planned_calls(plan)} == planned_calls(plan)
    assert called["restoring"] <= plan["restoring"]["calls_at_most"]
    assert made.record.usage["calls"] == len(server.log)
    assert made.record.exit_code == 0


@pytest.mark.parametrize(("limit", "value"), [("calls", 3), ("tokens", 2500)])
async def test_a_budget_that_ends_delivers_and_a_higher_one_asks_only_for_what_is_missing(
    settings: Settings, limit: str, value: int
) -> None:
    async with ScriptedServer(act) as server:
        chosen = desk.pointed(settings, server)
        whole = await desk.through_the_runner(chosen, TEXT)
        start = len(server.log)
        first = await desk.through_the_runner(chosen, TEXT, budget={limit: value})
        before = len(server.log)
        asked = set(purposes(server, start))
        assert first.record.exit_code == 1
        assert first.report["limits"] == [limit]
        assert first.text.split("\n")[2].startswith("> 预算用尽")
        assert first.sentences
        desk.check_trace(first, {"": TEXT})
        again = await desk.resumed(chosen, first.record.id, **{limit: 1_000_000})
        later = purposes(server, before)
    assert {one for one in asked if one.startswith("block/")}.isdisjoint(later)
    assert again.report["missing"] == []
    assert again.record.exit_code == 0
    assert again.sentences == whole.sentences


async def test_a_block_that_the_server_refuses_for_good_is_marked_and_sent_again_on_resume(settings: Settings) -> None:
    broken = Fault("status", status=400, count=None, match="block/0/1$", text="context length exceeded")
    async with ScriptedServer(act, faults=[broken]) as server:
        first = await desk.through_the_runner(desk.pointed(settings, server), TEXT)
    assert first.record.exit_code == 1
    assert [(one["kind"], one["number"], one["status"]) for one in first.report["missing"]] == [
        ("block", 2, "fallback")
    ]
    head = first.text.split("\n")[2]
    assert head.startswith("> ")
    assert "第 2 块" in head
    desk.check_trace(first, {"": TEXT})
    async with ScriptedServer(act) as server:
        again = await desk.resumed(desk.pointed(settings, server), first.record.id)
        blocks = [one for one in purposes(server) if one.startswith("block/")]
    assert blocks == ["block/0/1/again1"]
    assert again.report["missing"] == []
    assert again.record.exit_code == 0


async def test_a_budget_of_seconds_that_ends_delivers_what_was_said(settings: Settings) -> None:
    slow = Fault("delay", count=None, match="^block/", skip=2, delay_s=5)
    async with ScriptedServer(act, faults=[slow]) as server:
        chosen = desk.pointed(settings, server)
        first = await desk.through_the_runner(chosen, TEXT, budget={"seconds": 2})
    assert first.record.exit_code == 1
    assert first.report["limits"] == ["seconds"]
    assert first.text.split("\n")[2].startswith("> 预算用尽")
    assert first.report["missing"]
    assert first.sentences
    desk.check_trace(first, {"": TEXT})
    async with ScriptedServer(act) as server:
        again = await desk.resumed(desk.pointed(settings, server), first.record.id, seconds=600)
    assert again.report["missing"] == []
    assert again.record.exit_code == 0


async def test_a_block_for_which_the_server_fails_for_good_is_marked(settings: Settings) -> None:
    broken = Fault("status", status=500, count=None, match="block/0/1$", retry_after_s=0.01)
    async with ScriptedServer(act, faults=[broken]) as server:
        first = await desk.through_the_runner(desk.pointed(settings, server), TEXT)
        tries = purposes(server).count("block/0/1")
    assert tries > 1
    assert first.record.exit_code == 1
    assert [(one["kind"], one["number"]) for one in first.report["missing"]] == [("block", 2)]
    assert "第 2 块" in first.text.split("\n")[2]
    desk.check_trace(first, {"": TEXT})
