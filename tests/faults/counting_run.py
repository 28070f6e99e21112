"""A process with one small run in it, to be killed: `counting_run.py start|resume FOLDER [RUN]`.

The graph is a fan-out and a loop. Each step appends a line to `effects.log` when it has done its work.
`main("look", …)` gives the steps that the checkpoints know as done.
"""

from __future__ import annotations

import asyncio
import json
import operator
import os
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.errors import KaozhengError
from kaozheng.journal import RunRecord
from kaozheng.providers.stores.artifacts_folder import FolderArtifacts
from kaozheng.providers.stores.checkpoints import open_checkpoints
from kaozheng.providers.stores.leases_file import FileLeases
from kaozheng.providers.stores.runs_sql import open_runs
from kaozheng.runs.desk import Desk
from kaozheng.runs.plan import Outcome, Reopening
from kaozheng.runs.runner import resume, start

PARTS = 6
ROUNDS = 4
STEP_S = float(os.environ.get("STEP_S", "0.02"))
COMPUTE_S = float(os.environ.get("COMPUTE_S", "0"))


class State(TypedDict, total=False):
    seed: int
    parts: Annotated[dict[str, str], operator.or_]
    rounds: int
    inner: int
    done: Annotated[list[str], operator.add]


@dataclass(frozen=True)
class Ports:
    artifacts: ArtifactStore
    effects: Path

    async def work(self, step: str) -> None:
        await asyncio.sleep(STEP_S)
        with self.effects.open("a") as log:
            log.write(f"{os.getpid()} {step}\n")
        if COMPUTE_S and step == "inner":
            print("computing", flush=True)
            await aside(compute, time.monotonic() + COMPUTE_S)


def compute(until: float) -> int:
    """Something that never looks up."""
    count = 0
    while time.monotonic() < until:
        count += 1
    return count


async def plan(state: State, runtime: Runtime[Ports]) -> State:
    await runtime.context.work("plan")
    return {"done": ["plan"]}


async def part(task: dict[str, int], runtime: Runtime[Ports]) -> State:
    number = task["number"]
    ref = await runtime.context.artifacts.put(f"part_{number}.md", f"part {number} of {task['seed']}\n" * 20)
    await runtime.context.work(f"part{number}")
    return {"parts": {str(number): ref}, "done": [f"part{number}"]}


async def polish(state: State, runtime: Runtime[Ports]) -> State:
    rounds = state.get("rounds", 0) + 1
    await runtime.context.work(f"polish{rounds}")
    return {"rounds": rounds, "done": [f"polish{rounds}"]}


async def inner(state: State, runtime: Runtime[Ports]) -> State:
    await runtime.context.work("inner")
    return {"inner": state["seed"] * 2, "done": ["inner"]}


class Counting:
    name = "counting"
    version = "1"

    def graph(self, record: RunRecord) -> StateGraph[Any, Any, Any, Any]:
        graph = StateGraph(State, context_schema=Ports)
        for step in (plan, part, polish, inner):
            graph.add_node(step.__name__, step)
        graph.add_edge(START, "plan")
        graph.add_conditional_edges(
            "plan", lambda state: [Send("part", {"number": n, "seed": state["seed"]}) for n in range(PARTS)], ["part"]
        )
        graph.add_edge("part", "polish")
        graph.add_conditional_edges(
            "polish", lambda state: "inner" if state["rounds"] >= ROUNDS else "polish", ["inner", "polish"]
        )
        graph.add_edge("inner", END)
        return graph

    def opening(self, record: RunRecord) -> State:
        return {"seed": record.request["seed"]}

    async def deliver(self, state: State, ports: Ports, record: RunRecord) -> Outcome:
        texts = [await ports.artifacts.get(state["parts"][key]) for key in sorted(state["parts"])]
        ref = await ports.artifacts.put("whole.md", "".join(texts) + str(state["inner"]))
        return Outcome({"ref": ref, "done": sorted(state["done"])}, summary="counted")

    def reopening(self, state: State) -> Reopening | None:
        return None


async def main(what: str, folder: Path, run: str) -> list[str] | None:
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(open_runs(folder / "runs.db"))
        desk = Desk(
            journal,
            FileLeases(folder / "runs"),
            lambda _run, _secret: open_checkpoints(folder / "checkpoints.db"),
            folder / "runs",
            lambda: datetime.now(UTC),
            lambda record, emit: Ports(FolderArtifacts(Path(record.folder)), Path(record.folder) / "effects.log"),
            FolderArtifacts,
        )
        if what == "look":
            return await look(desk, run)
        print("ready", flush=True)
        if what == "start":
            record = await start(desk, Counting(), {"seed": 7}, "kill me")
        else:
            record = await resume(desk, run, lambda name: Counting(), first_step)
        print(json.dumps({"id": record.id, "status": record.status, "result": record.result}))
        return None


def first_step(event: Any) -> None:
    if event.kind == "step_started":
        print("step", flush=True)


async def look(desk: Desk, run: str) -> list[str]:
    async with desk.checkpoints(Path(), False) as saver:
        graph = Counting().graph(await desk.journal.get(run)).compile(checkpointer=saver)
        snapshot = await graph.aget_state({"configurable": {"thread_id": run}})
        pending = [step for task in snapshot.tasks if task.result for step in task.result.get("done", [])]
        return [*snapshot.values.get("done", []), *pending]


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""))
    except KaozhengError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
