"""Ask until the answer has the asked shape: parse, validate, tell the model what was wrong, at most a few times.

Providers' own structured output is only asked for as help (`call.schema`): each supports another part of JSON
schema, some ignore it, and none checks what the words mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from kaozheng.documents.characters import without_controls
from kaozheng.errors import CutAnswerError, ShapeError
from kaozheng.models.messages import Call, Completion, Finish, Message
from kaozheng.models.model import Model
from kaozheng.models.reply import objects_in, without_thinking
from kaozheng.models.sketch import sketch

T = TypeVar("T")
B = TypeVar("B", bound=BaseModel)
Check = Callable[[T], list[str]]

TOO_LONG = "the reply was cut off because it was too long; answer again, shorter"
_REPLY_SHOWN_CHARS = 8_000
_COMPLAINT_CHARS = 1_500
_COMPLAINTS_SHOWN = 10


async def ask_object(model: Model, call: Call, schema: type[B], check: Check[B] | None = None, tries: int = 3) -> B:
    """Ask for an object of this schema. `check` may add complaints about a valid object; after a bad reply the
    model is shown that reply and the complaint. Raises ShapeError with the last complaint, or what the model raises."""
    shape = shape_of(schema)

    def read(completion: Completion) -> B | _Complaint:
        if completion.finish is Finish.LENGTH:
            return _Complaint(TOO_LONG)
        _refuse_filtered(completion, call)
        return _read_object(completion.text, schema, check)

    return await _ask(model, replace(call, schema=shape, messages=_with_shape(call.messages, shape)), read, tries)


async def ask_text(model: Model, call: Call, check: Check[str] | None = None, tries: int = 3) -> str:
    """Ask for prose; thinking is taken off. `check` complaints are fed back as with `ask_object`, without `check`
    there is one call. Raises ShapeError for an empty answer or a last complaint, CutAnswerError (it carries the text
    so far, which a wrapper below may continue) for one that stopped early, or what the model raises."""

    def read(completion: Completion) -> str | _Complaint:
        text = without_controls(without_thinking(completion.text))
        if completion.finish is Finish.LENGTH:
            raise CutAnswerError(f"{call.purpose}: the answer reached the length limit", text)
        if completion.finish is Finish.CUT:
            raise CutAnswerError(f"{call.purpose}: the stream ended early", text)
        _refuse_filtered(completion, call)
        if not text:
            return _Complaint("the reply is empty")
        complaints = check(text) if check else []
        return _listed(complaints) if complaints else text

    return await _ask(model, call, read, tries if check else 1)


@cache
def shape_of(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model, worked out once (it takes milliseconds): to be read, never changed."""
    return schema.model_json_schema()


@dataclass(frozen=True, slots=True)
class _Complaint:
    text: str


async def _ask(model: Model, call: Call, read: Callable[[Completion], T | _Complaint], tries: int) -> T:
    """Call, read, complain. Only the latest reply is shown again: older ones cost tokens and teach old mistakes."""
    if tries < 1:
        raise ValueError(f"tries must be at least 1, not {tries}")
    asked, complaint = call, _Complaint("")
    for attempt in range(1, tries + 1):
        completion = await model.complete(asked)
        answer = read(completion)
        if not isinstance(answer, _Complaint):
            return answer
        complaint = answer
        asked = call.again(attempt + 1, *_fed_back(completion.text, complaint))
    raise ShapeError(f"{call.purpose}: no usable answer from {model.name} in {tries} tries: {complaint.text}")


def _fed_back(reply: str, complaint: _Complaint) -> tuple[Message, Message]:
    shown = without_thinking(reply)
    if len(shown) > _REPLY_SHOWN_CHARS:
        shown = shown[:_REPLY_SHOWN_CHARS] + " […]"
    return (
        # Some endpoints refuse an empty assistant turn.
        Message("assistant", shown or "(empty reply)"),
        Message("user", f"Your last reply cannot be used: {complaint.text}\nGive the whole answer again, corrected."),
    )


def _with_shape(messages: tuple[Message, ...], shape: dict[str, Any]) -> tuple[Message, ...]:
    """The wanted shape stands at the end of the last message: endpoints differ in how many system turns they take."""
    wanted = f"Answer with one JSON object and nothing else, of this shape:\n{sketch(shape)}"
    if not messages:
        return (Message("user", wanted),)
    *before, last = messages
    return (*before, Message(last.role, f"{last.content}\n\n{wanted}"))


def _refuse_filtered(completion: Completion, call: Call) -> None:
    if completion.finish is Finish.FILTER:
        raise ShapeError(f"{call.purpose}: the provider's content filter stopped the answer")


def _read_object(text: str, schema: type[B], check: Check[B] | None) -> B | _Complaint:
    """The first object of the reply that fits; else the complaint about the first one."""
    first: _Complaint | None = None
    for found in objects_in(text):
        read = _Complaint(found) if isinstance(found, str) else _validated(found, schema, check)
        if not isinstance(read, _Complaint):
            return read
        first = first or read
    return first or _Complaint("the reply holds no JSON object")


def _validated(found: dict[str, Any], schema: type[B], check: Check[B] | None) -> B | _Complaint:
    known = {name for key, part in schema.model_fields.items() for name in (key, part.alias) if name}
    if found and not known & found.keys():
        # With defaults for every field any object would be valid, and an example in the prose would be the answer.
        return _Complaint(f"the object has none of the keys {', '.join(sorted(known))}")
    try:
        value = schema.model_validate(_plain(found))
    except ValidationError as error:
        return _listed(
            [
                f"{'.'.join(str(part) for part in fault['loc']) or 'the object'}: {fault['msg']}"
                for fault in error.errors(include_url=False, include_input=False, include_context=False)
            ]
        )
    complaints = check(value) if check else []
    return _listed(complaints) if complaints else value


def _plain(value: Any) -> Any:
    """An object's texts without control characters: escapes bring in what no reply may hold."""
    match value:
        case str():
            return without_controls(value)
        case list():
            return [_plain(one) for one in value]
        case dict():
            return {key: _plain(one) for key, one in value.items()}
    return value


def _listed(complaints: list[str]) -> _Complaint:
    more = len(complaints) - _COMPLAINTS_SHOWN
    text = "; ".join(complaints[:_COMPLAINTS_SHOWN]) + (f"; and {more} more" if more > 0 else "")
    return _Complaint(text if len(text) <= _COMPLAINT_CHARS else text[:_COMPLAINT_CHARS] + " […]")
