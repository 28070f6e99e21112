"""What becomes of a model that misuses its tools, over real HTTP: it is told, stopped, or taken at what there is."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bench.outcome import Outcome
from kaozheng.errors import ModelError, SourceError
from kaozheng.models import Call, Message
from kaozheng.models.timed import Timed
from kaozheng.models.tool_call import ToolCall
from kaozheng.providers.clients import operator_client
from kaozheng.providers.models.openai_compatible import OpenAIModel
from kaozheng.sources.code import CodeFile, Repository
from kaozheng.testing.chat import Reply
from kaozheng.testing.faults import Fault
from kaozheng.testing.server import ScriptedServer
from kaozheng.tools.exploring import exploring_tools
from kaozheng.tools.gateway import Gateway
from kaozheng.tools.loop import converse
from kaozheng.tools.tool import Arguments, Tool

ROUND_S = 0.1  # for each request to the scripted server on a busy machine
CALL_S = 0.3
DONE = Reply("Done.")
HUGE = json.dumps({"path": "x" * 2_000_000})


class Nothing(Arguments):
    """No arguments."""


class OneFile:
    """A shelf with one file of a thousand lines."""

    repository = Repository("demo", (CodeFile("a.py", "python", "source", 1_000, 9_000),))

    def text(self, path: str) -> str:
        """Its lines. SourceError: another path."""
        if path != "a.py":
            raise SourceError(f"{path}: no such text file in the repository")
        return "".join(f"line {n}\n" for n in range(1, 1_001))


@dataclass(frozen=True, slots=True)
class ToolCase:
    """`turn` gives the calls of the nth turn, none for an answer."""

    name: str
    turn: Callable[[int], list[tuple[str, str]]]
    expect: str
    most_s: float = 7 * ROUND_S
    fault: Fault | None = None


def read(start: int) -> tuple[str, str]:
    return "read_file", json.dumps({"path": "a.py", "start": start, "end": start})


def once(*calls: tuple[str, str]) -> Callable[[int], list[tuple[str, str]]]:
    return lambda turn: list(calls) if turn == 1 else []


CASES = (
    ToolCase("unknown tool", once(("rm_rf", "{}"), read(1)), "answered, 2 calls, wasted 0.50"),
    ToolCase("bad arguments: broken JSON", once(("read_file", '{"path": '), read(1)), "answered, 2 calls, wasted 0.50"),
    ToolCase(
        "bad arguments: wrong type", once(("read_file", '{"path": 7}'), read(1)), "answered, 2 calls, wasted 0.50"
    ),
    ToolCase("bad arguments: 2 MB", once(("read_file", HUGE), read(1)), "answered, 2 calls, wasted 0.50", 10 * ROUND_S),
    ToolCase(
        "path outside of the repository",
        once(("read_file", '{"path": "../../etc/passwd"}'), ("list_tree", "{}")),
        "answered, 2 calls, wasted 0.50",
    ),
    ToolCase("repeated tool call", lambda turn: [read(1)], "breaker (the same calls again), 3 calls, wasted 0.67"),
    ToolCase(
        "tool calls back and forth",
        lambda turn: [read(turn % 2 + 1)],
        "breaker (calls that go back and forth), 4 calls, wasted 0.50",
    ),
    ToolCase("endless tool calls", lambda turn: [read(turn)], "rounds (6 rounds of calls), 6 calls, wasted 0.00"),
    ToolCase(
        "200 calls in one turn", once(*map(read, range(1, 201))), "answered, 200 calls, wasted 0.96", 10 * ROUND_S
    ),
    ToolCase("tool that hangs", once(("hang", "{}"), read(1)), "answered, 2 calls, wasted 0.50", CALL_S + 3 * ROUND_S),
    ToolCase("tool call cut by length", once(read(1)), "answered, 1 calls, wasted 1.00", fault=Fault("length")),
    ToolCase("endpoint takes no tools", once(), "error ToolsRefusedError", fault=Fault("refuse", text="tools")),
)


async def outcomes() -> AsyncIterator[Outcome]:
    """One a case."""
    for case in CASES:
        yield await _outcome(case)


async def _outcome(case: ToolCase) -> Outcome:
    def answer(request: dict[str, Any]) -> Reply:
        turn = 1 + sum(message["role"] == "assistant" for message in request["messages"])
        calls = case.turn(turn)
        return Reply("", tool_calls=tuple(ToolCall(f"c{n}", *call) for n, call in enumerate(calls))) if calls else DONE

    async with ScriptedServer(answer, faults=[case.fault] if case.fault else []) as server:
        async with operator_client(server.base_url) as client:
            model = Timed(OpenAIModel("scripted", server.base_url, None, client), 1.0, 1.0, 5.0)
            began = time.perf_counter()
            happened = await _happened(model)
            took_s = time.perf_counter() - began
        return Outcome(case.name, case.expect, case.most_s, happened, took_s, len(server.requests))


async def _happened(model: Timed) -> str:
    tools = [*exploring_tools(OneFile(), lambda: datetime.now(UTC)), _hanging()]
    gateway = Gateway(tools, [tool.name for tool in tools], seconds=CALL_S)
    call = Call("bench", "tools", (Message("user", "Look."),))
    try:
        talk = await converse(model, call, gateway)
    except ModelError as error:
        return f"error {type(error).__name__}"
    why = f" ({talk.why})" if talk.why else ""
    return f"{talk.ended}{why}, {talk.tally.calls} calls, wasted {talk.tally.wasted:.2f}"


def _hanging() -> Tool[Nothing]:
    async def run(asked: Nothing) -> str:
        await asyncio.sleep(60)
        return ""

    return Tool("hang", {"en": "Hang.", "zh": "挂起。"}, Nothing, run)
