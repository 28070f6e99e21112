"""Answer one question: take up its session, run the graph, keep the record, tell the result, complete the session.

An answer is not resumed: it takes seconds, and who asked is gone when the process is. So there is no run folder and no
checkpoint (decision 0049); what was asked and what became of it stands in one record, failures included.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from kaozheng.access.naming import owned
from kaozheng.errors import InputError, KaozhengError, KnowledgeBaseError, StorageError, UnknownSessionError
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.journal import EventKind, withheld
from kaozheng.runs.conversation import Before, completed, is_long_enough, opened, summed_up, taken_up
from kaozheng.runs.knowledge_desk import KnowledgeDesk
from kaozheng.runs.recorder import stamp
from kaozheng.runs.telling import Teller
from kaozheng.sessions import Interaction
from kaozheng.sessions.interaction import Ended
from kaozheng.sessions.session import new_id
from kaozheng.workflows.ask.a2ui import messages_of
from kaozheng.workflows.ask.generating import ANSWER
from kaozheng.workflows.ask.graph import STEPS_AT_MOST, compiled
from kaozheng.workflows.ask.request import ARTICLE_CHARS, AskRequest, cleaned
from kaozheng.workflows.ask.result import AskResult
from kaozheng.workflows.ask.state import AskState
from kaozheng.workflows.ask.telling import OnAskEvent

_KINDS = frozenset(EventKind)
_PREPARING = ("prepare", "search", "weigh")


async def answer(desk: KnowledgeDesk, request: AskRequest, on_event: OnAskEvent | None = None) -> AskResult:
    """Answer the question and tell of it. Cancelling frees everything; the record then says so.

    Before orchestration: InputError for a question or article that cannot be used, KnowledgeBaseError for an unknown
    base, UnknownSessionError, StorageError. Later: ModelRefusedError (key, unknown model), which is recorded; the
    event `error` has told of it. A store that refuses the record or the session costs a warning, never the answer.
    """
    asking = _Asking(desk, _checked(request), on_event)
    before = await taken_up(desk, request)
    bases = await _bases(desk, request)
    try:
        state = await asking.orchestrated(before, bases)
        return await asking.delivered(state, before)
    except asyncio.CancelledError:
        # The shield lets the record be written although the client is gone.
        await asyncio.shield(asking.recorded("cancelled", "cancelled"))
        asking.teller.end("error", {"code": "cancelled", "message": "the question was cancelled"})
        raise
    except Exception as error:
        said = str(error) if isinstance(error, KaozhengError) else type(error).__name__
        await asking.recorded("failed", f"{type(error).__name__}: {said}")
        asking.teller.end("error", {"code": code_of(error), "message": said})
        raise


def code_of(error: BaseException) -> str:
    """The error's name for machines: `ModelRefusedError` is "model_refused"; what nobody foresaw is "internal"."""
    if not isinstance(error, KaozhengError):
        return "internal"
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()


def _checked(request: AskRequest) -> AskRequest:
    if len(request.article) > ARTICLE_CHARS:
        raise InputError(f"the article has {len(request.article)} characters, {ARTICLE_CHARS} at most")
    return replace(request, question=cleaned(request.question))


async def _bases(desk: KnowledgeDesk, request: AskRequest) -> list[str]:
    """The bases to search, all of which exist. Who names none searches all of the command line; an owner searches none
    then: what nobody has scoped is not shown to everybody, nor an owner's documents to the operator unasked."""
    known = [base.name for base in await desk.index.bases()]
    if request.bases:
        if unknown := [name for name in request.bases if name not in known]:
            raise KnowledgeBaseError(f"there is no knowledge base {unknown[0]!r}")
        return list(dict.fromkeys(request.bases))
    return owned("", known) if not request.owner else []


@dataclass
class _Asking:
    """One question under way: what is told, measured and kept of it."""

    desk: KnowledgeDesk
    request: AskRequest
    on_event: OnAskEvent | None
    clock: Callable[[], float] = time.monotonic
    usage: Counter[str] = field(default_factory=Counter)
    timings: dict[str, float] = field(default_factory=dict)
    state: AskState = field(default_factory=lambda: AskState())
    saved: bool = False

    def __post_init__(self) -> None:
        self.began = self.clock()
        self.id = new_id("i")
        self.at = stamp(self.desk.now())
        self.teller = Teller(self.on_event, self.clock, self.request.live_progress)

    def emit(self, kind: str, data: dict[str, Any]) -> None:
        """What a port or a step says: a piece of the answer, what a call cost, or progress."""
        if kind == ANSWER:
            self.teller.delta(data["text"])
            return
        if kind == EventKind.CALL_FINISHED:
            self.usage.update({name: count for name, count in (data.get("usage") or {}).items() if type(count) is int})
        about = kind if kind in _KINDS else "note"
        if self.request.sensitivity == "secret":
            data = withheld(EventKind(about), data)
        self.teller.progress({"about": kind, **data})

    async def orchestrated(self, before: Before, bases: list[str]) -> AskState:
        """Run the graph to its end; each step's beginning and end is progress."""
        from langsmith import tracing_context

        ports = self.desk.ports_for(self.emit, self.request.budget, self.request.sensitivity)
        opening = AskState(request=self.request, bases=bases, earlier=before.turns, known=before.memory)
        config = {"recursion_limit": STEPS_AT_MOST}
        self.timings["intake_s"] = self.clock() - self.began
        stream = compiled().astream(
            opening, config, context=ports, stream_mode=["tasks", "values"], subgraphs=True, version="v2"
        )
        # LangSmith's own variables may send the states of a question to its service: not those of a secret one.
        with tracing_context(enabled=False if self.request.sensitivity == "secret" else None):
            began: dict[str, float] = {}
            async for part in stream:
                if part["type"] == "values":
                    self.state = part["data"] if not part["ns"] else self.state
                else:
                    self._note(part["data"], tuple(part["ns"]), began)
        return self.state

    def _note(self, data: dict[str, Any], within: tuple[str, ...], began: dict[str, float]) -> None:
        said: dict[str, Any] = {"step": data["name"]}
        if within:
            said["within"] = within[0].partition(":")[0]
        if "input" in data:
            began[data["id"]] = self.clock()
            self.teller.progress({**said, "state": "started"})
            return
        seconds = self.clock() - began.pop(data["id"], self.clock())
        if not within:
            name = "prepare_s" if data["name"] in _PREPARING else f"{data['name']}_s"
            self.timings[name] = self.timings.get(name, 0.0) + seconds
        self.teller.progress({**said, "state": "finished", "seconds": round(seconds, 3)})

    async def delivered(self, state: AskState, before: Before) -> AskResult:
        """Keep the record, tell the result and its text, complete the session, end."""
        delivering = self.clock()
        warnings: list[tuple[str, str]] = []
        session = await self._session(state, before, warnings)
        result = replace(state["result"], session=session, interaction=self.id)
        result = replace(result, usage=dict(self.usage), timings=self._measured())
        if failure := await self._kept(result):
            warnings.append(("interaction_not_saved", failure))
            result = replace(result, interaction=None)
        self.teller.ready(result.as_dict(), messages_of(result, state["language"]))
        self.teller.rest(result.answer)
        if session:
            warnings += await self._session_completed(result, state)
        told = [*((one["code"], one["message"]) for one in result.warnings), *warnings]
        for code, message in told:
            self.teller.warning(code, message)
        self.timings["deliver_s"] = self.timings.get("deliver_s", 0.0) + self.clock() - delivering
        end = {"interaction": result.interaction, "session": result.session, "usage": dict(self.usage)}
        result = replace(
            result,
            timings=self._measured(),
            warnings=[{"code": code, "message": message} for code, message in told],
        )
        self.teller.end("done", {**end, "timings": result.timings})
        if result.interaction:
            self.desk.background.begin(self._measured_again(result))
        return result

    async def _session(self, state: AskState, before: Before, warnings: list[tuple[str, str]]) -> str:
        """The session that the answer belongs to: a new one is made only now that there is an answer."""
        if not before.kept:
            return ""
        if before.session and not state["task"].new_session:
            return before.session
        try:
            return await opened(self.desk, self.request)
        except StorageError as error:
            warnings.append(("session_not_saved", str(error)))
            return ""

    async def _kept(self, result: AskResult) -> str:
        """Why the record could not be kept; "" when it was."""
        try:
            await self.desk.sessions.save(self._record(result.status, result))
        except StorageError as error:
            return str(error)
        self.saved = True
        return ""

    async def _session_completed(self, result: AskResult, state: AskState) -> list[tuple[str, str]]:
        try:
            session = await completed(self.desk, self.request, result)
        except (StorageError, UnknownSessionError) as error:
            return [("session_not_saved", str(error))]
        if is_long_enough(session):
            self.desk.background.begin(summed_up(self.desk, self.request, session, state["language"]))
        return []

    async def _measured_again(self, result: AskResult) -> None:
        """The record once more, with how long the delivery took."""
        try:
            await self.desk.sessions.save(self._record(result.status, result))
        except StorageError:
            return

    async def recorded(self, status: Ended, error: str) -> None:
        """The record of a question that has no answer; where the store refuses, there is none."""
        if self.saved:
            return
        try:
            await self.desk.sessions.save(replace(self._record(status, None), error=error))
        except StorageError:
            return

    def _record(self, status: Ended, result: AskResult | None) -> Interaction:
        evidence = self.state.get("evidence", EvidenceBundle((), "empty"))
        kept = Interaction(
            self.id,
            self.request.owner,
            self.at,
            status,
            question=self.request.question,
            evidence=evidence.as_dict(),
            usage=dict(self.usage),
            timings=self._measured(),
        )
        if task := self.state.get("task"):
            kept = replace(kept, task=task.as_dict())
        if result is not None:
            kept = replace(
                kept,
                session=result.session,
                code=result.code,
                answer=result.answer,
                citations=tuple(result.citations),
                grounding=result.grounding,
                by=result.by,
            )
        return kept.withheld() if self.request.sensitivity == "secret" else kept

    def _measured(self) -> dict[str, float]:
        total = {"total_s": self.clock() - self.began}
        if self.teller.first_text_s is not None:
            total["first_token_s"] = self.teller.first_text_s - self.began
        return {name: round(seconds, 4) for name, seconds in {**self.timings, **total}.items()}
