"""ToolResult: what became of one call of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kaozheng.models.messages import Message
from kaozheng.models.tool_call import ToolCall

Status = Literal["done", "empty", "failed", "bad_arguments", "unknown", "stopped"]
"""Run with a result, run without one, run and failed; not run: arguments that do not fit, no such tool, stopped by the
breaker or a limit."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is what the model reads; `key` is the same for calls that ask for the same."""

    call: ToolCall
    status: Status
    text: str
    key: str

    def message(self) -> Message:
        """The result as the turn that answers the call."""
        return Message("tool", self.text, answers=self.call.id)
