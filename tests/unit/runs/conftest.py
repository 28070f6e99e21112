"""A desk without a disk, and a workflow whose steps a test writes."""

import operator
from collections import defaultdict
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from kaozheng.runs.desk import Desk
from kaozheng.runs.plan import Outcome
from kaozheng.testing.memory import FrozenClock, MemoryArtifacts, MemoryLeases, MemoryRuns


class State(TypedDict, total=False):
    seed: int
    parts: Annotated[dict, operator.or_]
    log: Annotated[list, operator.add]


class World:
    """What the steps of a test get as context."""

    def __init__(self, record, emit):
        self.record = record
        self.emit = emit


class Scripted:
    """opening -> part x 3 -> last; what a step does is what the test says (`steps`), `ran` says which steps ran."""

    name = "scripted"

    def __init__(self, version="1", result=None, exit_code=0, **steps):
        self.version = version
        self.steps = steps
        self.ran = []
        self.delivered = 0
        self.result = result
        self.exit_code = exit_code
        self.again = None

    def _step(self, name):
        async def step(state, runtime):
            which = f"{name}{state['number']}" if "number" in state else name
            self.ran.append(which)
            if act := self.steps.get(which) or self.steps.get(name):
                changes = await act(state, runtime)
                if changes is not None:
                    return changes
            return {"log": [which]}

        return step

    def graph(self, record):
        graph = StateGraph(State, context_schema=World)
        for name in ("first", "part", "last"):
            graph.add_node(name, self._step(name))
        graph.add_edge(START, "first")
        graph.add_conditional_edges("first", lambda state: [Send("part", {"number": n}) for n in range(3)], ["part"])
        graph.add_edge("part", "last")
        graph.add_edge("last", END)
        return graph

    def opening(self, record):
        return {"seed": record.request.get("seed", 0)}

    async def deliver(self, state, ports, record):
        self.delivered += 1
        result = self.result if self.result is not None else {"log": sorted(state["log"])}
        return Outcome(result, self.exit_code, "said")

    def reopening(self, state):
        return self.again


@pytest.fixture
def clock():
    return FrozenClock(datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC))


@pytest.fixture
def desk(tmp_path, clock):
    saver = InMemorySaver()

    @asynccontextmanager
    async def checkpoints(folder, secret):
        yield saver

    stores = defaultdict(lambda: MemoryArtifacts(clock.now))
    runs_folder = Path(tmp_path) / "runs"
    return Desk(MemoryRuns(), MemoryLeases(), checkpoints, runs_folder, clock.now, World, stores.__getitem__)


@pytest.fixture
def scripted():
    return Scripted
