"""The step wrapper: ports by name, and no silent loss."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import Send

from kaozheng.ports import Ports
from kaozheng.testing.memory import MemoryArtifacts
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.workflows.step import step


class Small(TypedDict, total=False):
    seen: str


PORTS = memory_ports()


def graph_of(function: object, bound: Ports | None = None) -> StateGraph:
    graph = StateGraph(Small, context_schema=Ports)
    graph.add_node("one", step(function, Small, bound))  # type: ignore[arg-type]
    graph.add_edge(START, "one")
    return graph.compile()


async def test_a_step_gets_the_ports_that_it_names() -> None:
    async def look(state: Small, now: object, model: object) -> dict[str, object]:
        return {"seen": f"{now().year} {model}"}  # type: ignore[operator]

    assert (await graph_of(look).ainvoke({}, context=PORTS))["seen"] == "2026 None"


async def test_a_host_without_a_context_is_asked_for_ports() -> None:
    async def look(state: Small, now: object) -> dict[str, object]:
        return {"seen": str(now().year)}  # type: ignore[operator]

    assert (await graph_of(look, lambda: PORTS).ainvoke({}))["seen"] == "2026"
    with pytest.raises(TypeError, match="without ports"):
        await graph_of(look).ainvoke({})


def test_a_port_that_does_not_exist_is_refused_when_the_graph_is_built() -> None:
    async def look(state: Small, database: object) -> dict[str, object]:
        return {}

    with pytest.raises(TypeError, match="database"):
        step(look, Small)


async def test_what_a_step_puts_carries_the_name_of_its_node_and_of_its_branch() -> None:
    store = MemoryArtifacts()

    async def put(state: Small, artifacts: MemoryArtifacts) -> dict[str, object]:
        await artifacts.put(f"{state.get('index', 'none')}.md", "text")
        return {}

    graph = StateGraph(Small, context_schema=Ports)
    for name in ("plan", "write_section"):
        graph.add_node(name, step(put, Small))
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", lambda _: [Send("write_section", {"index": n}) for n in (0, 2)])
    await graph.compile().ainvoke({}, context=replace(PORTS, artifacts=store))
    made = {name: [one.step for one in await store.versions(name)] for name in await store.names()}
    assert made == {"0.md": ["write_section 1"], "2.md": ["write_section 3"], "none.md": ["plan"]}


async def test_an_undeclared_key_is_an_error_not_a_loss() -> None:
    async def stray(state: Small) -> dict[str, object]:
        return {"sen": "typo"}

    with pytest.raises(TypeError, match="sen"):
        await graph_of(stray).ainvoke({}, context=PORTS)
