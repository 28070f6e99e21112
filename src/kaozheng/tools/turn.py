"""One turn of a model that calls tools: its calls told apart, run side by side, and the turn as it is sent back."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from kaozheng.models.messages import Completion, Message
from kaozheng.models.tool_call import ToolCall
from kaozheng.tools.gateway import MOST_ARGUMENT_CHARS, Admitted, Gateway
from kaozheng.tools.result import ToolResult

CUT: Final = "your turn was cut off before its end; ask for less at once"
"""Why the calls of a turn that did not end are not run: their arguments may be halves."""
_ASKED_BEFORE = "the same was asked before; its result stands above"
_SHOWN_ARGUMENTS: Final = 200
_SHOWN_WORDS: Final = 4_000
_SHOWN_REASONING: Final = 40_000


def named_apart(calls: Sequence[ToolCall], taken: Collection[str], number: int) -> list[ToolCall]:
    """The calls of turn `number` with ids that no other call of the conversation has: some endpoints count anew in each
    turn."""
    ids = set(taken)
    apart: list[ToolCall] = []
    for place, call in enumerate(calls, start=1):
        own = call.id if call.id and call.id not in ids else f"call_{number}_{place}"
        ids.add(own)
        apart.append(replace(call, id=own))
    return apart


async def run_calls(
    gateway: Gateway, calls: Sequence[ToolCall], at_once: int, is_repeat: Callable[[str], bool]
) -> list[ToolResult]:
    """One result a call, in the order of the calls, `at_once` of them run at the same time. What `is_repeat` knows, and
    what this turn asks twice, is not run again."""
    lane = asyncio.Semaphore(at_once)
    asked: set[str] = set()
    running: list[ToolResult | asyncio.Task[ToolResult]] = []

    async def run(admitted: Admitted) -> ToolResult:
        async with lane:
            return await gateway.run(admitted)

    async with asyncio.TaskGroup() as group:
        for call in calls:
            admitted = gateway.admit(call)
            if isinstance(admitted, ToolResult):
                running.append(admitted)
            elif admitted.key in asked or is_repeat(admitted.key):
                running.append(gateway.stopped(call, _ASKED_BEFORE, admitted.key))
            else:
                asked.add(admitted.key)
                running.append(group.create_task(run(admitted)))
    return [one if isinstance(one, ToolResult) else one.result() for one in running]


def told(completion: Completion, calls: Sequence[ToolCall]) -> Message:
    """The model's turn as it is sent back to it: what it said beside the calls is cut."""
    text = completion.text
    turn = replace(completion, text=text if len(text) <= _SHOWN_WORDS else f"{text[:_SHOWN_WORDS]} […]").turn()
    return replace(turn, tool_calls=tuple(map(_mended, calls)), reasoning=completion.reasoning[:_SHOWN_REASONING])


def _mended(call: ToolCall) -> ToolCall:
    """The call as it may stand in a history: endpoints refuse names with odd signs and arguments that are no object,
    and two megabytes of arguments are not sent back."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name[:64]) or "unknown"
    arguments = call.arguments.strip() or "{}"
    try:
        fits = len(arguments) <= MOST_ARGUMENT_CHARS and isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        fits = False
    if not fits:
        arguments = json.dumps({"unreadable": arguments[:_SHOWN_ARGUMENTS]}, ensure_ascii=True)
    return replace(call, name=name, arguments=arguments)
