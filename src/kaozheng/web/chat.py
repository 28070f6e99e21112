"""`/v1/chat/completions` and `/v1/models`: questions as OpenAI's API puts them, so that chat clients work as they are.

Nothing is remembered between requests: the messages are the history. The places of an answer stand below it as text,
and whole in the field `kaozheng`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncGenerator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from kaozheng.access.naming import shown_name
from kaozheng.web.asking import waited
from kaozheng.web.chat_shapes import (
    MODEL,
    Completing,
    base_of,
    conversation,
    corrected,
    extra_of,
    finish_of,
    sources_of,
    usage_of,
)
from kaozheng.web.refusals import RefusedError, body_of, response_to
from kaozheng.web.running import Answers, Running, failure_of
from kaozheng.web.streaming import HEARTBEAT, EventStream, frame
from kaozheng.web.visitors import Asking, Behind, Visitor, searched
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.telling import AskEvent

router = APIRouter(tags=["chat"])
_FIRST_S = 1.0


@router.post("/v1/chat/completions", response_model=None, summary="Answer the last message")
async def complete(given: Completing, request: Request, visitor: Asking, service: Behind) -> Response:
    """OpenAI-compatible, streaming and not. `model` is `kaozheng`, or `kaozheng/` and the name of a base."""
    answers: Answers = request.app.state.answers
    wanted = base_of(given.model)
    question, history = conversation(given.messages)
    bases = await searched(service, visitor, wanted)
    asked = AskRequest(
        question,
        bases=bases,
        owner=visitor.name,
        live_progress=bool(given.stream),
        stream_answer=bool(given.stream),
        history=history,
        sensitivity=service.sensitivity,
    )
    running = answers.begin(visitor.name, lambda tell: service.answer(asked, tell))
    said = Saying(given, question, visitor)
    if not given.stream:
        await waited(request, answers, running)
        failure = failure_of(running)
        return response_to(failure) if failure else JSONResponse(said.whole(running))
    await running.begun(_FIRST_S)
    if running.ended and (failure := failure_of(running)) and not said.any_words(running):
        return response_to(failure)
    answers.enter(running)
    limits = service.limits

    async def pieces() -> AsyncGenerator[bytes, None]:
        yield said.opening()
        async for events in running.listen(0, limits.heartbeat_s):
            yield b"".join(said.piece(event) for _, event in events) or HEARTBEAT
        yield said.closing(running)

    # There is no way back to a stream of this API: who is gone is gone.
    return EventStream(pieces(), limits.send_s, lambda: answers.leave(running, 0.0), {"X-Answer-Id": running.id})


@router.get("/v1/models", summary="The models: all bases, and each")
async def models(visitor: Asking, service: Behind) -> dict[str, Any]:
    """`kaozheng`, and one more for each base that the key may see."""
    names = [shown_name(visitor.owner, kept) for kept in await searched(service, visitor, ())]
    return {"object": "list", "data": [_model(name) for name in (MODEL, *(f"{MODEL}/{one}" for one in names))]}


@router.get("/v1/models/{model:path}", summary="One model")
async def model(model: str, visitor: Asking, service: Behind) -> dict[str, Any]:
    """The model of this name. 404 when there is none."""
    await searched(service, visitor, base_of(model))
    return _model(model)


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL}


class Saying:
    """One completion, said in pieces or whole."""

    def __init__(self, given: Completing, question: str, visitor: Visitor) -> None:
        self._id = f"chatcmpl-{secrets.token_hex(12)}"
        self._created = int(time.time())
        self._model = given.model
        self._counts = bool(given.stream_options and given.stream_options.include_usage)
        self._question = question
        self._visitor = visitor
        self._sent = ""

    def any_words(self, running: Running) -> bool:
        """Whether something of the answer was told before it ended."""
        return any(event.kind in ("delta", "replace") for event in running.events)

    def opening(self) -> bytes:
        """The first piece: who speaks."""
        return self._chunk({"role": "assistant", "content": ""})

    def piece(self, event: AskEvent) -> bytes:
        """What an event adds; nothing for most."""
        text = str(event.data.get("text", ""))
        if event.kind == "replace":
            # This API takes nothing back: what goes on from the words that were sent is sent, else it is corrected.
            held = self._sent
            text = text[len(held) :] if text.startswith(held) else f"{corrected(self._question)}{text}"
        elif event.kind != "delta":
            return b""
        self._sent += text
        return self._chunk({"content": text}) if text else b""

    def closing(self, running: Running) -> bytes:
        """The last pieces: the places, why it ends, what it used; or the error."""
        if failure := failure_of(running):
            return frame(body_of(failure))
        result = running.result
        if result is None:
            return frame(body_of(RefusedError(500, "internal", "there is no answer")))
        places = sources_of(result, self._question)
        parts = [self._chunk({"content": places})] if places else []
        parts.append(self._chunk({}, finish_of(result), kaozheng=self._visitor.shown(extra_of(result))))
        if self._counts:
            parts.append(frame({**self._head("chat.completion.chunk"), "choices": [], "usage": usage_of(result)}))
        return b"".join([*parts, frame("[DONE]")])

    def whole(self, running: Running) -> dict[str, Any]:
        """The completion in one object."""
        result = running.result
        content = (result.answer + sources_of(result, self._question)) if result else ""
        message = {"role": "assistant", "content": content, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": finish_of(result), "logprobs": None}
        extra = {"kaozheng": self._visitor.shown(extra_of(result))} if result else {}
        return {**self._head("chat.completion"), "choices": [choice], "usage": usage_of(result), **extra}

    def _chunk(self, delta: dict[str, Any], finish: str | None = None, **extra: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return frame({**self._head("chat.completion.chunk"), "choices": [choice], **extra})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self._id, "object": kind, "created": self._created, "model": self._model}
