"""What a step costs besides its own work: our checkpointed graph, LangGraph in memory, and plain calls."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from bench.row import Row
from kaozheng.ports import Ports
from kaozheng.providers.stores.checkpoints import open_checkpoints
from kaozheng.testing.memory_ports import memory_ports
from kaozheng.workflows.step import step
from kaozheng.workflows.write.state import DocState

STEPS = 60
_STATE = {
    "sections": {
        str(i): {"status": "written", "ref": "sha256:" + "0" * 64, "by": "model", "reason": "", "title": "标题" * 8}
        for i in range(20)
    }
}


async def _nothing(state: DocState) -> dict[str, Any]:
    return {"current_review_index": state.get("current_review_index", 0) + 1}


def _graph() -> StateGraph[Any, Any, Any, Any]:
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(DocState, context_schema=Ports)
    previous = START
    for number in range(STEPS):
        graph.add_node(f"s{number}", step(_nothing, DocState))
        graph.add_edge(previous, f"s{number}")
        previous = f"s{number}"
    return graph


async def _run(saver: Any) -> float:
    ports = memory_ports()
    compiled = _graph().compile(checkpointer=saver)
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 10 * STEPS}
    began = time.perf_counter()
    await compiled.ainvoke(_STATE, config, context=ports, durability="sync")
    return (time.perf_counter() - began) / STEPS * 1000


async def _both() -> tuple[float, float, float]:
    began = time.perf_counter()
    state: DocState = {}
    for _ in range(STEPS):
        state = {**state, **await _nothing(state)}  # type: ignore[typeddict-item]
    plain = (time.perf_counter() - began) / STEPS * 1000
    with tempfile.TemporaryDirectory() as folder:
        async with open_checkpoints(Path(folder) / "runs.db") as saver:
            await _run(saver)
        async with open_checkpoints(Path(folder) / "again.db") as saver:
            ours = await _run(saver)
    return ours, await _run(InMemorySaver()), plain


def measure() -> Iterator[Row]:
    ours, memory, plain = asyncio.run(_both())
    yield Row(
        "LangGraph step, checkpoint on disk, 20 sections in state",
        f"{ours:.2f} ms",
        f"in memory {memory:.2f} ms, plain call {plain:.3f} ms",
        f"{ours / memory:.1f}",
        "< 10 ms",
    )
