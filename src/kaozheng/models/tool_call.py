"""What a model may call and what it did call, before anybody has looked whether that is allowed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool as a model is told of it. `parameters` is the JSON schema of its arguments, an object."""

    name: str
    description: str
    parameters: dict[str, Any] = field(hash=False)

    def as_function(self) -> dict[str, Any]:
        """The offer in the words of OpenAI's protocol, which LangChain reads as well."""
        offered = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": offered}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asked for. `arguments` is the JSON text as the model wrote it: it may be broken, and the
    name may be that of no tool. `id` pairs the call with its result."""

    id: str
    name: str
    arguments: str

    def as_function(self) -> dict[str, Any]:
        """The call in the words of OpenAI's protocol, which LangChain reads as well."""
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments or "{}"}}


@dataclass(slots=True)
class ToolCallPieces:
    """Tool calls as they stream in: pieces of names and arguments, told apart by their index.

    Endpoints differ: some send no index with a call that comes whole, some no id, some the name again with each piece.
    """

    _calls: list[list[str]] = field(default_factory=list)
    _places: dict[object, int] = field(default_factory=dict)

    def take(self, index: object, id: str, name: str, arguments: str) -> None:
        """Add a piece. An `index` of None begins a new call when there is a name, else goes on with the last one."""
        key = index if index is not None else ("new", len(self._calls)) if name or not self._calls else None
        place = len(self._calls) - 1 if key is None else self._places.get(key, -1)
        if place < 0:
            place = len(self._calls)
            self._calls.append(["", "", ""])
            self._places[key] = place
        call = self._calls[place]
        call[0] = call[0] or id
        if name and not call[1].endswith(name):
            call[1] += name
        call[2] += arguments

    def calls(self) -> tuple[ToolCall, ...]:
        """What was called, in order; a call without an id, or with that of another, gets one by its place."""
        ids: set[str] = set()
        whole: list[ToolCall] = []
        for place, (id, name, arguments) in enumerate(self._calls, start=1):
            own = id if id and id not in ids else f"call_{place}"
            ids.add(own)
            whole.append(ToolCall(own, name, arguments))
        return tuple(whole)
