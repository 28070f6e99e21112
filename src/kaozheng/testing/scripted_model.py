"""A model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kaozheng.models.messages import Call, Completion, Delta, Finish
from kaozheng.models.model import OnDelta
from kaozheng.models.usage import estimated_usage
from kaozheng.testing.filling import fill

__all__ = ["Line", "Script", "ScriptedModel", "fill"]

Line = str | Exception | Completion
Script = Sequence[Line] | Callable[[Call], Line]
_DELTA_CHARS = 24


class ScriptedModel:
    """Answers from a list in order, or from a function of the call; exceptions in the script are raised.

    `calls` holds every call that was made. A list that is used up is an AssertionError, which no fallback catches:
    a test that asks more often than planned must fail.
    """

    def __init__(self, script: Script, name: str = "scripted") -> None:
        self.calls: list[Call] = []
        self._script = script
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        self.calls.append(call)
        line = self._line(call)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, str):
            line = Completion(line, Finish.STOP, estimated_usage(call.prompt(), line), self._name)
        if on_delta:
            if line.reasoning:
                on_delta(Delta("", line.reasoning))
            for piece in _pieces(line.text):
                on_delta(Delta(piece))
            for call_ in line.tool_calls:
                on_delta(Delta("", tool=call_.name + call_.arguments))
        return line

    def _line(self, call: Call) -> Line:
        if not isinstance(self._script, Sequence):
            return self._script(call)
        at = len(self.calls) - 1
        if at >= len(self._script):
            raise AssertionError(f"the script has {len(self._script)} answers; {call.purpose!r} is call {at + 1}")
        return self._script[at]


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), _DELTA_CHARS):
        yield text[start : start + _DELTA_CHARS]
