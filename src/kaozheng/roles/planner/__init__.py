"""Plans a question: what is wanted, of what, with everything that it refers to named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar, get_args

from pydantic import BaseModel, Field

from kaozheng.documents.document_numbers import document_numbers
from kaozheng.evidence.agreement import unsupported
from kaozheng.evidence.numbers import find_numbers
from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.answerer import Kind
from kaozheng.roles.planner import offline
from kaozheng.roles.planner.comparing import compared
from kaozheng.roles.planner.references import points_back
from kaozheng.roles.planner.request import PlanTask, Target, TaskRequest
from kaozheng.roles.prompts import prompt, quoted, unfenced

__all__ = ["PlanTask", "SaidTask", "Target", "TaskRequest", "plan"]

T = TypeVar("T", bound=str)
_GOAL_CHARS: Final = 500
_TARGET_CHARS: Final = 120
_MOST_TARGETS: Final = 6
_CLARIFICATION_CHARS: Final = 300
_SHOWN_TURNS: Final = 4
_SHOWN_CHARS: Final = 600
_ARTICLE: Final = {
    True: {"zh": "现在有打开的文章", "en": "one is open now"},
    False: {"zh": "现在没有打开的文章，不能用", "en": "none is open now, so it is not possible"},
}


class SaidTask(BaseModel):
    """What a model says is wanted. Everything is read leniently here and cleaned by code."""

    kind: str = Field(description="qa, summary, compare or chat")
    target: str = Field(default="topic", description="article, topic or entity")
    goal: str = Field(default="", description="the question as it stands alone")
    targets: list[str] = Field(default_factory=list, description="phrases to search; each thing that is compared")
    clarification: str = Field(default="", description="a question back to the user, else empty")
    new_session: bool = Field(default=False, description="whether a fresh start is asked for")


async def plan(model: Model | None, task: PlanTask) -> Answer[TaskRequest]:
    """The task. Offline, and when the model gives none: by rule. What a model says is cleaned against that.

    Raises ModelRefusedError (key, unknown model).
    """
    fallback = offline.plan(task)
    context = _context(task)
    messages = prompt(
        "planner",
        task.language,
        question=unfenced(task.question),
        context=quoted("material", context) if context else "",
        article=_ARTICLE[task.article]["zh" if task.language == "zh" else "en"],
    )
    call = Call("planner", "plan", messages, temperature=0.0, weight="light", effort="none")
    answer = await object_or(model, call, SaidTask, otherwise=lambda: SaidTask(kind=fallback.kind))
    return answer.carrying(cleaned(answer.value, task, fallback) if answer.by == "model" else fallback)


def cleaned(said: SaidTask, task: PlanTask, fallback: TaskRequest) -> TaskRequest:
    """A model's task made usable: what it lacks, or must not say, is that of the fallback.

    A fresh start is the model's to see only where the question does not point back; small talk is never made of a
    question with numbers in it; a goal keeps every number and document number of the question.
    """
    kind = _one_of(said.kind, get_args(Kind), fallback.kind)
    target = _one_of(said.target, get_args(Target), fallback.target)
    if target == "article" and not task.article:
        target = fallback.target if fallback.target != "article" else "topic"
    goal = _goal(said.goal, task.question, fallback)
    clarification = " ".join(said.clarification.split())[:_CLARIFICATION_CHARS]
    if kind == "chat":
        if _loses(task.question, ""):
            kind = "qa"
        else:
            clarification = ""
    targets = _targets(said.targets)
    if kind == "compare" and len(targets) < 2:
        targets = compared(goal[:_GOAL_CHARS]) or fallback.targets
        if len(targets) < 2:
            clarification = clarification or offline.WHICH_TWO[task.language]
    elif fallback.clarification and fallback.target == "article" and not task.turns:
        clarification = clarification or fallback.clarification
    fresh = fallback.new_session or (said.new_session and not points_back(task.question))
    found = TaskRequest(kind, target, goal, targets or (fallback.targets if kind != "chat" else ()), clarification)
    return replace(found, new_session=fresh)


def _goal(said: str, question: str, fallback: TaskRequest) -> str:
    goal = " ".join(said.split())
    if not goal or len(goal) > _GOAL_CHARS:
        return fallback.goal
    return f"{goal} ({question.strip()})" if _loses(question, goal) else goal


def _loses(question: str, goal: str) -> bool:
    """Whether a number or document number of the question is missing from the goal."""
    asked = {one.form for one in document_numbers(question)}
    lost = unsupported(find_numbers(question), find_numbers(goal))
    return bool(lost) or bool(asked - {one.form for one in document_numbers(goal)})


def _targets(said: Sequence[str]) -> tuple[str, ...]:
    plain = (" ".join(one.split())[:_TARGET_CHARS].strip() for one in said)
    return tuple(dict.fromkeys(one for one in plain if one))[:_MOST_TARGETS]


def _one_of(said: str, known: tuple[T, ...], otherwise: T) -> T:
    word = said.strip().lower()
    return next((one for one in known if one == word), otherwise)


def _context(task: PlanTask) -> str:
    """What is remembered and the latest turns, each shortened."""
    lines = [task.memory.summary, *(f"- {one}" for one in task.memory.asked[:-_SHOWN_TURNS])] if task.memory else []
    for turn in task.turns[-_SHOWN_TURNS:]:
        lines += [f"user: {turn.question[:_SHOWN_CHARS]}", f"assistant: {turn.answer[:_SHOWN_CHARS]}"]
    return "\n".join(line for line in lines if line)
