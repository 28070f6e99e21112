"""A gap is never cached as done: the fan-out sends it out again, and only it."""

from __future__ import annotations

import json
from pathlib import Path

from kaozheng.models.limits import Lanes
from kaozheng.roles.outliner import Outline, SectionPlan
from kaozheng.rules.book import load_book
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source
from kaozheng.testing.memory import MemoryArtifacts
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.workflows.write.drafting import fan_out, section
from kaozheng.workflows.write.graph import build
from kaozheng.workflows.write.state import SectionTask
from kaozheng.workflows.write.workflow import WriteWorkflow

MATERIAL = build_material(Reading([Source.of("# 甲\n\n甲有 3 人。\n\n# 乙\n\n乙有 5 人。\n", "n.md")], []))


async def opened(artifacts: MemoryArtifacts, second: list[str]) -> dict:
    plan = Outline(
        title="题", sections=[SectionPlan(title="甲", material=["S1#1"]), SectionPlan(title="乙", material=second)]
    )
    return {
        "context": await artifacts.put("material.json", MATERIAL.to_json()),
        "outline": await artifacts.put("outline.json", plan.model_dump_json()),
        "section_count": 2,
        "language": "zh",
        "topic": "题",
        "date": "2026-01-01",
    }


async def written(artifacts: MemoryArtifacts, state: dict, index: int) -> dict:
    task = SectionTask(index=index, section_count=2, outline=state["outline"], context=state["context"], strict=False)
    return (await section(task, artifacts, None, Lanes(), lambda kind, data: None))["sections"]


async def test_a_section_without_material_is_a_marked_gap_and_its_sibling_survives() -> None:
    artifacts = MemoryArtifacts()
    state = await opened(artifacts, [])
    assert (await written(artifacts, state, 1))["1"]["status"] == "gap"
    done = await written(artifacts, state, 0)
    assert "甲有 3 人。" in await artifacts.get(done["0"]["ref"])


async def test_only_gaps_are_sent_out_again() -> None:
    artifacts = MemoryArtifacts()
    state = await opened(artifacts, [])
    state["sections"] = {**await written(artifacts, state, 0), **await written(artifacts, state, 1)}
    sent = fan_out(state)
    assert isinstance(sent, list)
    assert [one.arg["index"] for one in sent] == [1]
    state["sections"]["1"]["status"] = "written"
    assert fan_out(state) == "assemble"


async def test_a_run_with_a_gap_is_reopened_at_the_plan_and_healed() -> None:
    artifacts = MemoryArtifacts()
    book = load_book("zh-tech")
    workflow = WriteWorkflow(book)
    state = await opened(artifacts, [])
    state["sections"] = {**await written(artifacts, state, 0), **await written(artifacts, state, 1)}
    assert workflow.reopening({"sections": {"0": state["sections"]["0"]}}) is None
    again = workflow.reopening(state)
    assert again is not None
    assert again.as_node == "plan"

    from langgraph.checkpoint.memory import InMemorySaver

    graph = build(book).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 100}
    plan = json.loads(await artifacts.get(state["outline"]))
    plan["sections"][1]["material"] = ["S1#2"]
    state["outline"] = await artifacts.put("outline.json", json.dumps(plan))
    ports = memory_ports(artifacts=artifacts)
    await graph.aupdate_state(config, {**state, **again.values}, as_node=again.as_node)
    end = await graph.ainvoke(None, config, context=ports)
    assert {one["status"] for one in end["sections"].values()} == {"written"}
    assert "乙有 5 人。" in await artifacts.get(end["current_draft"])


async def test_a_gap_stands_in_the_document_as_a_gap() -> None:
    artifacts = MemoryArtifacts()
    book = load_book("zh-tech")
    state = await opened(artifacts, [])
    ports = memory_ports(artifacts=artifacts)
    from langgraph.checkpoint.memory import InMemorySaver

    graph = build(book).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 100}
    await graph.aupdate_state(config, {**state, "sections": {}}, as_node="plan")
    end = await graph.ainvoke(None, config, context=ports)
    assert "【章节 2 未能生成】" in await artifacts.get(end["current_draft"])
    record = type("Record", (), {"request": {"citations": "footnote"}, "folder": str(Path())})()
    outcome = await WriteWorkflow(book).deliver(end, ports, record)
    assert (outcome.exit_code, outcome.result["gaps"]) == (1, [2])
