"""An answer while it streams in, whatever protocol brings it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from kaozheng.models.messages import Call, Completion, Delta, Finish
from kaozheng.models.reply import whole_characters
from kaozheng.models.tool_call import ToolCallPieces
from kaozheng.models.usage import Usage, estimated_usage

MAX_ANSWER_CHARS: Final = 4_000_000
"""A model that repeats itself for ever is cut here, as if it had reached its own length limit."""


@dataclass(slots=True)
class Streamed:
    """What a stream has brought so far. `finish` stays CUT until the provider says that the answer has ended."""

    finish: Finish = Finish.CUT
    usage: Usage | None = None
    model: str = ""
    tools: ToolCallPieces = field(default_factory=ToolCallPieces)
    _text: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _size: int = 0

    def take(self, text: str, reasoning: str = "", tool: str = "") -> Delta | None:
        """Keep a piece; the delta for who listens, or None when it brings nothing. Pieces of tool calls are kept in
        `tools` and only counted here."""
        if not (text or reasoning or tool):
            return None
        self._text.append(text)
        self._reasoning.append(reasoning)
        self._size += len(text) + len(reasoning) + len(tool)
        return Delta(text, reasoning, tool=tool)

    def take_call(self, index: object, id: str, name: str, arguments: str) -> str:
        """Keep a piece of a tool call; what it said."""
        self.tools.take(index, id, name, arguments)
        return name + arguments

    def ends(self, code: object) -> None:
        """The provider's finish code: the first one counts."""
        if code and self.finish is Finish.CUT:
            self.finish = Finish.of(code)

    def is_over(self) -> bool:
        """Whether the answer has become so long that it is cut here."""
        if self._size > MAX_ANSWER_CHARS:
            self.finish = Finish.LENGTH
        return self._size > MAX_ANSWER_CHARS

    def completion(self, call: Call, name: str) -> Completion:
        """The whole answer; `name` serves where the provider does not say which model answered."""
        text, reasoning = whole_characters("".join(self._text)), whole_characters("".join(self._reasoning))
        calls = self.tools.calls()
        said = "".join([text, reasoning, *(one.name + one.arguments for one in calls)])
        usage = self.usage or estimated_usage(call.prompt(), said)
        # Google, and some endpoints with OpenAI's protocol, end an answer that calls tools with "stop".
        finish = Finish.TOOL_CALLS if calls and self.finish is Finish.STOP else self.finish
        return Completion(text, finish, usage, self.model or name, reasoning, tool_calls=calls)
