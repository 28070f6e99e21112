"""What an OpenAI-compatible endpoint turned out not to understand, learned from its refusals and remembered."""

from __future__ import annotations

import re
from typing import Any

from kaozheng.models.messages import Call, Message
from kaozheng.models.reply import whole_characters

_EFFORT = "reasoning_effort"
_REFUSABLE = ("stream_options", "response_format", "temperature", "max_tokens", _EFFORT)
_FORMS = ("json_schema", "json_object", "none")


class Dialect:
    """Builds the parameters of a request; `learn` drops or replaces the one that a 400 names (of efforts the value)."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._form = 0
        self._refused: set[str] = set()
        self._no_efforts: set[str] = set()

    def request(self, call: Call) -> dict[str, Any]:
        """The parameters of this call, in the words that the endpoint is known to take."""
        asked: dict[str, Any] = {
            "model": self._model,
            "messages": [_turn(message) for message in call.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": call.temperature,
        }
        if call.max_tokens is not None:
            asked["max_tokens"] = call.max_tokens
        if call.effort and call.effort not in self._no_efforts:
            asked[_EFFORT] = call.effort
        if call.tools:
            asked["tools"] = [one.as_function() for one in call.tools]
        if call.schema is not None and (form := _FORMS[self._form]) != "none":
            asked["response_format"] = {"type": form}
            if form == "json_schema":
                named = {"name": _identifier(call.role), "schema": call.schema, "strict": False}
                asked["response_format"]["json_schema"] = named
        if "max_tokens" in self._refused and "max_tokens" in asked:
            asked["max_completion_tokens"] = asked["max_tokens"]
        return {name: value for name, value in asked.items() if name not in self._refused}

    def learn(self, sent: dict[str, Any], complaint: str) -> bool:
        """Whether another form of the request is worth sending after this complaint. Each parameter is given up once,
        `response_format` in two steps, so this ends."""
        named = complaint.replace("json_schema", "response_format").replace("json_object", "response_format")
        for name in _REFUSABLE:
            if name not in sent or name not in named:
                continue
            if name == "response_format":
                # Parallel calls may have learned it meanwhile: then only this request was old.
                refused = _FORMS.index(sent[name]["type"])
                self._form = max(self._form, refused + 1)
            elif name == _EFFORT:
                # Some take other values of it: "none" is the youngest.
                self._no_efforts.add(sent[name])
            else:
                self._refused.add(name)
            return True
        return False


def _turn(message: Message) -> dict[str, Any]:
    """A turn in the protocol's words. What a model thought goes back with the calls that it thought of, and only
    there: DeepSeek wants it in that place and refuses it everywhere else."""
    turn: dict[str, Any] = {"role": message.role, "content": whole_characters(message.content)}
    if message.answers:
        turn["tool_call_id"] = message.answers
    if message.tool_calls:
        turn["tool_calls"] = [one.as_function() for one in message.tool_calls]
        if message.reasoning:
            turn["reasoning_content"] = whole_characters(message.reasoning)
    return turn


def _identifier(name: str) -> str:
    """A schema's name as OpenAI accepts it: letters, digits, _ and -, at most 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "answer"
