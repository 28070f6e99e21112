"""The nouns of a model call: what is asked, what streams back, what came out."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Literal

from kaozheng.models.tool_call import ToolCall, ToolOffer
from kaozheng.models.usage import Usage

Speaker = Literal["system", "user", "assistant", "tool"]
Weight = Literal["light", "deep"]
Effort = Literal["", "none", "low", "medium", "high"]
"""How hard a model shall think before it answers; "" leaves it to the provider."""
Sensitivity = Literal["open", "internal", "secret"]
SENSITIVITIES: Final[tuple[Sensitivity, ...]] = ("open", "internal", "secret")
"""From what anybody may read to what may leave this machine for private providers only."""


def strictest(*levels: Sensitivity) -> Sensitivity:
    """The one of these that lets least out."""
    return max(levels, key=SENSITIVITIES.index)


class Finish(StrEnum):
    """Why an answer ended. Only `STOP` means that the model had said what it wanted to say."""

    STOP = "stop"
    LENGTH = "length"
    FILTER = "filter"
    TOOL_CALLS = "tool_calls"
    CUT = "cut"

    @classmethod
    def of(cls, code: object) -> Finish:
        """Read a provider's finish code. None or "" is `CUT`: a stream that ends without one was broken off.
        An unknown code is `STOP`: the provider did close the answer itself."""
        return _FINISH_BY_CODE.get("" if code is None else str(code).strip().lower(), cls.STOP)


_FINISH_BY_CODE = {
    code: finish
    for finish, codes in {
        Finish.STOP: ("stop", "end_turn", "stop_sequence", "eos", "1"),
        Finish.LENGTH: ("length", "max_tokens", "token_limit", "model_length", "model_context_window_exceeded", "2"),
        Finish.FILTER: (
            *("filter", "content_filter", "safety", "sensitive", "refusal"),
            *("recitation", "prohibited_content", "blocklist", "spii"),
        ),
        Finish.TOOL_CALLS: ("tool_calls", "tool_use", "function_call"),
        Finish.CUT: ("", "cut", "error", "abort", "network_error", "insufficient_system_resource"),
    }.items()
    for code in codes
}


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation. An assistant's turn may ask for tools (`tool_calls`; `reasoning` is what it thought
    before, which some endpoints want back); a turn of role "tool" answers the call whose id is `answers`."""

    role: Speaker
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    answers: str = ""
    reasoning: str = ""

    def said(self) -> str:
        """All that is read of this turn: the text and the calls."""
        return "\n".join([self.content, *(f"{one.name} {one.arguments}" for one in self.tool_calls)])


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model. `role` names the role that asks ("outliner"); `purpose` is unique within a run
    ("section/3", "revise/naming/1.2/try2"): with the rest it makes the fingerprint under which an answer is kept.
    `schema` is the JSON schema of the wanted object, `tools` are those that the answer may call; `sensitivity` says
    what the texts in it may touch; `effort` is asked for where the provider knows it."""

    role: str
    purpose: str
    messages: tuple[Message, ...]
    schema: dict[str, Any] | None = field(default=None, hash=False)
    tools: tuple[ToolOffer, ...] = ()
    temperature: float = 0.2
    max_tokens: int | None = None
    weight: Weight = "deep"
    sensitivity: Sensitivity = "internal"
    effort: Effort = ""

    def fingerprint(self) -> str:
        """sha256 over role, purpose, messages, schema, tools and temperature: the same question has the same one
        in every process. Limits and routing are left out: they do not change what is asked."""
        asked: list[Any] = [
            self.role,
            self.purpose,
            [_asked(message) for message in self.messages],
            self.schema,
            float(self.temperature),
        ]
        if self.tools:
            asked.append([[tool.name, tool.description, tool.parameters] for tool in self.tools])
        return hashlib.sha256(json.dumps(asked, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def prompt(self) -> str:
        """All message texts in order, for estimates and logs of sizes."""
        return "\n".join(message.said() for message in self.messages)

    def again(self, attempt: int, *more: Message) -> Call:
        """The same question with more turns, under a purpose of its own ("…/try2")."""
        return replace(self, purpose=f"{self.purpose}/try{attempt}", messages=(*self.messages, *more))


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer while it streams. `tool` is a piece of a tool call (name or arguments). `restart` says:
    forget what came before, the answer begins again."""

    text: str
    reasoning: str = ""
    restart: bool = False
    tool: str = ""

    @property
    def heard(self) -> str:
        """All that came with this piece: what is timed, weighed and paid for."""
        return self.text + self.reasoning + self.tool


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer. `reasoning` is what the model thought aloud, kept apart from the text.
    `replayed` marks an answer that came from the ledger and cost nothing now. `asked` names the model that was asked,
    as PROVIDER:NAME, where wiring has more than a name; `model` is what the provider called it."""

    text: str
    finish: Finish
    usage: Usage
    model: str
    reasoning: str = ""
    replayed: bool = field(default=False, compare=False)
    tool_calls: tuple[ToolCall, ...] = ()
    asked: str = field(default="", compare=False)

    def turn(self) -> Message:
        """The answer as a turn of the conversation that goes on."""
        return Message("assistant", self.text, self.tool_calls, reasoning=self.reasoning)


def _asked(message: Message) -> list[Any]:
    """A turn for the fingerprint; one without tools is what it was before there were tools."""
    calls = [[call.id, call.name, call.arguments] for call in message.tool_calls]
    return [message.role, message.content, *([calls, message.answers] if calls or message.answers else [])]
