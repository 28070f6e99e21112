"""The session around a question: taken up before it, completed and summed up after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from kaozheng.errors import ModelError, StorageError, UnknownSessionError
from kaozheng.models.budget import Budget
from kaozheng.roles.memory_keeper import keep
from kaozheng.runs.knowledge_desk import KnowledgeDesk
from kaozheng.runs.recorder import stamp
from kaozheng.sessions import Memory, Session, Turn, remembered
from kaozheng.sessions.session import new_id
from kaozheng.workflows.ask.request import AskRequest
from kaozheng.workflows.ask.result import AskResult

_TURNS_READ = 8
_FROM_TURNS = 2  # four messages
_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class Before:
    """What was said before: the session's id ("" when a new one is to be made), its turns and memory. `kept` is False
    where the caller keeps the conversation itself."""

    session: str = ""
    turns: tuple[Turn, ...] = ()
    memory: Memory = field(default_factory=Memory)
    kept: bool = True


async def taken_up(desk: KnowledgeDesk, request: AskRequest) -> Before:
    """The conversation that the question belongs to. Raises UnknownSessionError, StorageError."""
    if request.history is not None:
        return Before("", request.history, kept=False)
    if not request.session or request.new_session:
        if request.session:  # a session of somebody else is not left politely
            await desk.sessions.get(request.owner, request.session)
        return Before()
    session = await desk.sessions.get(request.owner, request.session)
    turns = await desk.sessions.turns(request.owner, request.session, _TURNS_READ)
    return Before(session.id, tuple(turns), session.memory)


async def opened(desk: KnowledgeDesk, request: AskRequest) -> str:
    """A new session, made when its first answer is there. Raises StorageError."""
    at = stamp(desk.now())
    title = " ".join(request.question.split())[:_TITLE_CHARS]
    while not await desk.sessions.create(Session(name := new_id("s"), request.owner, title, at, at)):
        continue
    return name


async def completed(desk: KnowledgeDesk, request: AskRequest, result: AskResult) -> Session:
    """Keep the turn with its own evidence, and what rules remember of it. Raises StorageError; UnknownSessionError when
    the session was deleted meanwhile."""
    turn = Turn(
        request.question.strip(), result.answer, tuple(result.citations), result.interaction or "", stamp(desk.now())
    )
    subjects = list(result.task.get("targets", ())) if result.status == "answered" else []
    remember = partial(remembered, question=request.question, subjects=subjects)
    return await desk.sessions.complete(request.owner, result.session, turn, remember)


def is_long_enough(session: Session) -> bool:
    """Whether there is enough to sum up: four messages."""
    return session.turns >= _FROM_TURNS


async def summed_up(desk: KnowledgeDesk, request: AskRequest, session: Session, language: Literal["zh", "en"]) -> None:
    """Put a model's summary in the memory's place, unless the session was written to meanwhile. What fails leaves the
    memory as rules made it: nobody is there any more to be told."""
    ports = desk.ports_for(_nobody, Budget(calls=3), request.sensitivity)
    if ports.model is None:
        return
    try:
        turns = await desk.sessions.turns(request.owner, session.id, _TURNS_READ)
        answer = await keep(ports.model, session.memory, turns, language)
        if answer.by == "model":
            await desk.sessions.consolidate(request.owner, session.id, answer.value, session.version)
    except (ModelError, StorageError, UnknownSessionError):
        return


def _nobody(kind: str, data: dict[str, object]) -> None:
    """Nobody watches the background."""
