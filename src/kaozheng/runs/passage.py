"""One passage through a graph: from where the checkpoints stand to the end, a question, or an exception."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.journal import EventKind, RunRecord
from kaozheng.runs.desk import Desk
from kaozheng.runs.plan import Outcome, Workflow
from kaozheng.runs.recorder import Recorder

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

STEPS_AT_MOST = 1000
"""Supersteps of one passage. Workflows end their loops themselves long before; LangGraph allows ten times as many."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The graph asks somebody something and rests: each question's id and value."""

    questions: dict[str, Any]


async def pass_through(desk: Desk, workflow: Workflow, record: RunRecord, recorder: Recorder) -> Outcome | Waiting:
    """Run what is not yet run, then deliver. What the checkpoints already hold is not run again."""
    ports = desk.ports_for(record, recorder.emit)
    async with desk.checkpoints(Path(record.folder), record.secret) as saver:
        graph = compiled(workflow, record, saver)
        config = config_of(record)
        began = await saver.aget_tuple(config) is not None
        # Not `next`: that leaves out tasks whose results are kept but not yet applied, so a run that was stopped
        # between the two would look as if it had ended.
        if not began or (await graph.aget_state(config)).tasks:
            # Sent again as input, the opening would start the graph anew on top of its old state.
            entry = None if began else workflow.opening(record)
            await _stream(graph, config, entry, ports, recorder)
        snapshot = await graph.aget_state(config)
        if snapshot.interrupts:
            return Waiting({question.id: question.value for question in snapshot.interrupts})
        if snapshot.tasks:
            names = ", ".join(sorted({task.name for task in snapshot.tasks}))
            raise RuntimeError(f"the graph of {record.id} rests before {names} and nobody asked")
        # All checkpoints stay, so that a finished run can be forked: states hold references, so they are small.
        return await workflow.deliver(snapshot.values, ports, record)


def compiled(workflow: Workflow, record: RunRecord, saver: BaseCheckpointSaver[Any]) -> CompiledStateGraph[Any, Any]:
    """The workflow's graph, ready to run."""
    return workflow.graph(record).compile(checkpointer=saver, name=workflow.name)


def config_of(record: RunRecord) -> RunnableConfig:
    """What LangGraph is told about a run. It copies all of this into every checkpoint: no secrets."""
    return {"configurable": {"thread_id": record.id}, "recursion_limit": STEPS_AT_MOST}


async def _stream(
    graph: CompiledStateGraph[Any, Any],
    config: RunnableConfig,
    entry: dict[str, Any] | None,
    ports: Any,
    recorder: Recorder,
) -> None:
    began: dict[str, float] = {}
    from langsmith import tracing_context

    stream = graph.astream(
        entry,
        config,
        context=ports,
        stream_mode=["tasks", "custom"],
        subgraphs=True,
        durability="sync",  # anything less repeats paid steps after a kill
        version="v2",
    )
    # LangSmith's own variables may send the states of a run to its service: not those of a secret one.
    with tracing_context(enabled=False if recorder.secret else None):
        async for part in stream:
            _note(part, began, recorder)
            recorder.check()


def _note(part: Mapping[str, Any], began: dict[str, float], recorder: Recorder) -> None:
    data = part["data"]
    if part["type"] == "custom":
        recorder.emit(EventKind.NOTE, data if isinstance(data, dict) else {"value": data})
        return
    said: dict[str, Any] = {"step": data["name"], "task": data["id"]}
    if part["ns"]:
        said["within"] = "/".join(part["ns"])
    if "input" in data:
        began[data["id"]] = time.monotonic()
        recorder.emit(EventKind.STEP_STARTED, said)
        return
    if data["id"] in began:
        said["seconds"] = round(time.monotonic() - began.pop(data["id"]), 3)
    if data.get("error"):
        said["error"] = str(data["error"])
    recorder.emit(EventKind.STEP_FINISHED, said)
