"""`/v1/ask`: a question answered in events or in one JSON object, and coming back to an answer after a cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from kaozheng.sources.index import Within
from kaozheng.web.refusals import RefusedError, response_to
from kaozheng.web.running import Answers, Numbered, Running, failure_of
from kaozheng.web.streaming import HEARTBEAT, EventStream, frame, until_gone
from kaozheng.web.visitors import Asking, Behind, Visitor, searched
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.telling import AskEvent
from kaozheng.workflows.ingest.labelling import LABEL_CHARS

router = APIRouter(tags=["ask"])
_FIRST_S = 1.0
"""How long the status of a stream waits for its first event: what fails at once shall have a status of its own."""
_SHOWN_BASES = frozenset({"progress", "ready", "warning", "done", "error"})


def whole(text: str) -> str:
    """The text. Raises ValueError for half of a character, which no database keeps."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it holds half of a character") from None
    return text


Label = Annotated[str, Field(max_length=LABEL_CHARS), AfterValidator(whole)]
Labels = Annotated[list[Label], Field(max_length=64)]


class Narrow(BaseModel):
    """Labels of which only these values are searched."""

    model_config = ConfigDict(extra="forbid")
    domain: Labels = []
    data_type: Labels = []
    data_period: Labels = []
    level: Labels = []

    def within(self, bases: tuple[str, ...]) -> Within:
        """The filter of a search."""
        fields = (self.domain, self.data_type, self.data_period, self.level)
        return Within(bases, *(tuple(values) for values in fields))


class Question(BaseModel):
    """A question. `bases`: those to search, none means all that the key may see. `stream`: events, else one object."""

    model_config = ConfigDict(extra="forbid")
    question: str
    bases: list[str] = Field(default=[], max_length=64)
    session: str = Field(default="", max_length=128)
    new_session: bool = False
    article: Annotated[str, AfterValidator(whole)] = ""
    article_name: str = Field(default="", max_length=400)
    within: Narrow = Narrow()
    language: Literal["", "zh", "en"] = ""
    strict: bool = False
    stream: bool = True
    live_progress: bool = True
    stream_answer: bool = True


@router.post("/v1/ask", response_model=None, summary="Ask a question")
async def ask(
    question: Question,
    request: Request,
    visitor: Asking,
    service: Behind,
    last_event_id: Annotated[str, Header()] = "",
) -> Response:
    """Answered as server-sent events (`progress`, `start`, `delta`, `replace`, `ready`, `warning`, and one `done` or
    `error`), or with `"stream": false` as one JSON object. Sent again with the `Last-Event-ID` of a stream that was
    cut, the same question has the same answer go on."""
    answers: Answers = request.app.state.answers
    if last_event_id:
        answer, after = _place_of(last_event_id)
        earlier = answers.find(visitor.name, answer)
        if earlier is None or earlier.asked == question:  # else a client that never forgets an id asks something new
            return await _resumed(request, visitor, answer, after)
    live = question.stream and _takes_events(request)
    bases = await searched(service, visitor, question.bases)
    asked = AskRequest(
        question.question,
        bases=bases,
        session=question.session,
        new_session=question.new_session,
        owner=visitor.name,
        article=question.article,
        article_name=question.article_name,
        within=question.within.within(bases),
        language=question.language,
        live_progress=live and question.live_progress,
        stream_answer=live and question.stream_answer,
        strict=question.strict,
        sensitivity=service.sensitivity,
    )
    running = answers.begin(visitor.name, lambda tell: service.answer(asked, tell), question)
    if not live:
        await waited(request, answers, running)
        if failure := failure_of(running):
            return response_to(failure)
        return JSONResponse(visitor.shown(running.result.as_dict() if running.result else {}))
    await running.begun(_FIRST_S)
    if running.ended and running.error is not None and len(running.events) == 1:
        return response_to(running.error)
    return _stream(request, visitor, running, 0)


@router.get("/v1/ask/{answer}", response_model=None, summary="Come back to an answer")
async def resume(
    answer: str, request: Request, visitor: Asking, last_event_id: Annotated[str, Header()] = ""
) -> Response:
    """The events after `Last-Event-ID` (all without one) of an answer that is under way, or ended less than a minute
    ago."""
    known, after = _place_of(last_event_id) if last_event_id else (answer, 0)
    if known not in ("", answer):
        raise RefusedError(400, "bad_request", "Last-Event-ID is of another answer")
    return await _resumed(request, visitor, answer, after)


async def waited(request: Request, answers: Answers, running: Running) -> None:
    """Wait for the end of an answer whose reader gets all at once; one that hangs up lets it go at once."""
    answers.enter(running)
    gone = asyncio.create_task(until_gone(request.receive))
    over = asyncio.create_task(running.over())
    try:
        await asyncio.wait((gone, over), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (gone, over):
            task.cancel()
        await asyncio.gather(gone, over, return_exceptions=True)
        answers.leave(running, 0.0)


async def _resumed(request: Request, visitor: Visitor, answer: str, after: int) -> Response:
    answers: Answers = request.app.state.answers
    running = answers.find(visitor.name, answer)
    if running is None:
        said = "there is no such answer, or it ended more than a minute ago: its session has it"
        raise RefusedError(404, "unknown_answer", said)
    return _stream(request, visitor, running, after)


def _stream(request: Request, visitor: Visitor, running: Running, after: int) -> EventStream:
    answers: Answers = request.app.state.answers
    limits = request.app.state.service.limits
    answers.enter(running)

    async def pieces() -> AsyncGenerator[bytes, None]:
        yield b"retry: 1000\n\n"
        async for events in running.listen(after, limits.heartbeat_s):
            yield b"".join(_framed(visitor, running.id, one) for one in events) or HEARTBEAT

    def gone() -> None:
        answers.leave(running, limits.grace_s)

    return EventStream(pieces(), limits.send_s, gone, {"X-Answer-Id": running.id})


def _framed(visitor: Visitor, answer: str, numbered: Numbered) -> bytes:
    number, event = numbered
    return frame(_data(visitor, event), event.kind, f"{answer}.{number}")


def _data(visitor: Visitor, event: AskEvent) -> dict[str, Any]:
    data: dict[str, Any] = visitor.shown(event.data) if event.kind in _SHOWN_BASES else event.data
    return data


def _place_of(last_event_id: str) -> tuple[str, int]:
    """The answer and the number of the last event that was seen; a bare number names no answer."""
    answer, _, number = last_event_id.strip().rpartition(".")
    if not number.isascii() or not number.isdigit() or len(number) > 9:
        raise RefusedError(400, "bad_request", "Last-Event-ID is not one of this server's")
    return answer, int(number)


def _takes_events(request: Request) -> bool:
    """Whether the client has not asked for JSON alone."""
    accepted = request.headers.get("accept", "*/*").lower()
    return "text/event-stream" in accepted or "application/json" not in accepted
