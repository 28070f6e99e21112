"""The gateway: the one way from what a model asked for to a tool, and from its result back to the model.

Nothing that comes from a model is trusted: the name must be on the role's list, the arguments must fit the tool's
schema, a call has 20 seconds, and what comes back is masked, cut and marked as data. Whatever is wrong is told to the
model as the result of its call; no call of a model ends a run.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from kaozheng.errors import InputError
from kaozheng.models.reply import whole_characters
from kaozheng.models.sketch import sketch
from kaozheng.models.tool_call import ToolCall, ToolOffer
from kaozheng.ports import Emit
from kaozheng.sources.code import mask_secrets
from kaozheng.tools.read_more import Rests, read_more
from kaozheng.tools.result import Status, ToolResult
from kaozheng.tools.tool import Arguments, Language, Tool

CALL_S: Final = 20.0
SHOWN_CHARS: Final = 8_000
MOST_ARGUMENT_CHARS: Final = 20_000
NOTHING: Final = "nothing found"
_FENCE = re.compile(r"<(?=\s*/?\s*tool_result)", re.IGNORECASE)
_SHOWN_NAME = 60
_PROSE = "result.md"  # masked as prose: in settings files values without quotes count as well


@dataclass(frozen=True, slots=True)
class Admitted:
    """A call that may be run: the tool and its checked arguments. `key` is the same for calls that ask for the same,
    however they spell it."""

    call: ToolCall
    tool: Tool[Any]
    arguments: Arguments
    key: str


class Gateway:
    """The tools of one conversation. `allowed` is the role's own list; `read_more` is always on it. `emit` is told what
    was done (tool, status, seconds, characters, calls) and never a text. ValueError: the list names a tool that is not
    there."""

    def __init__(
        self,
        tools: Sequence[Tool[Any]],
        allowed: Collection[str],
        language: Language = "en",
        *,
        emit: Emit = lambda kind, data: None,
        seconds: float = CALL_S,
        shown_chars: int = SHOWN_CHARS,
    ) -> None:
        if missing := set(allowed) - {tool.name for tool in tools}:
            raise ValueError(f"no such tool: {', '.join(sorted(missing))}")
        self._rests = Rests(shown_chars)
        self._more = read_more(self._rests)
        self._tools: dict[str, Tool[Any]] = {tool.name: tool for tool in tools if tool.name in allowed}
        self._tools[self._more.name] = self._more
        self._emit = emit
        self._seconds = seconds
        self.offers: tuple[ToolOffer, ...] = tuple(tool.offer(language) for tool in self._tools.values())

    def admit(self, call: ToolCall) -> Admitted | ToolResult:
        """The call, ready to be run, or the result that tells the model why it is not."""
        tool = self._tools.get(call.name)
        if tool is None:
            named = mask_secrets(call.name[:_SHOWN_NAME], _PROSE)
            return self._refused(call, "unknown", f"there is no tool {named!r}; there are: {', '.join(self._tools)}")
        read = _arguments(call.arguments)
        if isinstance(read, str):
            return self._refused(call, "bad_arguments", f"{read}; wanted: {_wanted(tool)}")
        try:
            arguments = tool.arguments.model_validate(read)
        except ValidationError as error:
            return self._refused(call, "bad_arguments", f"{_faults(error)}; wanted: {_wanted(tool)}")
        return Admitted(call, tool, arguments, f"{tool.name} {arguments.model_dump_json()}")

    async def run(self, admitted: Admitted) -> ToolResult:
        """The result, whatever became of the call."""
        began = time.monotonic()
        timer = asyncio.timeout(self._seconds)
        status: Status = "failed"
        try:
            async with timer:
                found = await admitted.tool.run(admitted.arguments)
            status, text = ("done", self._shown(admitted.tool, found)) if found.strip() else ("empty", NOTHING)
        except InputError as error:
            text = f"error: {mask_secrets(str(error), _PROSE)[: SHOWN_CHARS // 8]}"
        except (TimeoutError, OSError) as error:
            late = timer.expired()
            text = f"error: no result in {self._seconds:g} s" if late else f"error: {type(error).__name__}"
        seconds = time.monotonic() - began
        self._tell(admitted.tool.name, status, round(seconds, 3), len(text))
        return ToolResult(admitted.call, status, whole_characters(text), admitted.key)

    def stopped(self, call: ToolCall, why: str, key: str = "") -> ToolResult:
        """The result of a call that is not run for a reason of its conversation."""
        self._tell(call.name if call.name in self._tools else "", "stopped", 0.0, 0)
        return ToolResult(call, "stopped", f"not run: {why}", key or _raw_key(call))

    def dropped(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """The results, for the count alone, of calls that were too many in one turn. One event for all of them: a model
        that goes wild may make a hundred thousand."""
        if calls:
            self._tell("", "stopped", 0.0, 0, len(calls))
        return [ToolResult(call, "stopped", "", _raw_key(call)) for call in calls]

    def _refused(self, call: ToolCall, status: Status, why: str) -> ToolResult:
        self._tell(call.name if call.name in self._tools else "", status, 0.0, 0)
        return ToolResult(call, status, whole_characters(f"error: {why}"), _raw_key(call))

    def _tell(self, tool: str, status: Status, seconds: float, chars: int, calls: int = 1) -> None:
        # A name that is no tool's is text of the model, and texts stay out of events.
        told = {"tool": tool or "unknown", "status": status, "seconds": seconds, "chars": chars, "calls": calls}
        self._emit("tool", told)

    def _shown(self, tool: Tool[Any], found: str) -> str:
        """What the model reads of a result: without secrets, in one piece that fits, between marks it cannot close."""
        if tool is self._more:
            piece, hint = found, ""
        else:
            piece, hint = self._rests.cut(mask_secrets(found, _PROSE))
        fenced = f"<tool_result>\n{_FENCE.sub('(', piece)}\n</tool_result>"
        return f"{fenced}\n{hint}" if hint else fenced


def _arguments(text: str) -> dict[str, Any] | str:
    """The arguments as an object, or what is wrong with them. Some models send nothing for no arguments, some send the
    JSON as a JSON string."""
    if len(text) > MOST_ARGUMENT_CHARS:
        return f"the arguments have {len(text)} characters, at most {MOST_ARGUMENT_CHARS} are read"
    value: Any = text.strip() or None
    try:
        for _ in range(2):
            value = json.loads(value) if isinstance(value, str) else value
    except json.JSONDecodeError as error:
        return f"the arguments are no JSON ({error.msg} at character {error.pos})"
    except (ValueError, RecursionError) as error:
        return f"the arguments cannot be read ({type(error).__name__})"
    if value is None:
        return {}
    return value if isinstance(value, dict) else "the arguments are no JSON object"


def _faults(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False, include_context=False)[:5]
    return "; ".join(f"{'.'.join(map(str, one['loc']))[:_SHOWN_NAME] or 'arguments'}: {one['msg']}" for one in faults)


def _wanted(tool: Tool[Any]) -> str:
    return sketch(tool.arguments.model_json_schema())


def _raw_key(call: ToolCall) -> str:
    return f"{call.name[:_SHOWN_NAME]}?{call.arguments[:MOST_ARGUMENT_CHARS]}"
