"""The first steps: take the question in, and plan what is to be done."""

from __future__ import annotations

from typing import Literal

from kaozheng.documents.document import language_of
from kaozheng.evidence.citations import normalised
from kaozheng.models.messages import Message
from kaozheng.models.model import Model
from kaozheng.roles.planner import PlanTask
from kaozheng.roles.planner import plan as planned_by
from kaozheng.rules.script import has_han
from kaozheng.sessions import Memory, Turn
from kaozheng.workflows.ask.request import cleaned
from kaozheng.workflows.ask.state import AskState
from kaozheng.workflows.step import Changes

_SHOWN_TURNS = 6


async def intake(state: AskState) -> Changes:
    """The question in clean words, and the language of the answer."""
    request = state["request"]
    question = cleaned(request.question)
    return {"question": question, "language": request.language or _language(question)}


async def plan(state: AskState, model: Model | None) -> Changes:
    """What is wanted, with all that the question refers to named. A fresh start forgets what was said before."""
    request = state["request"]
    task = PlanTask(
        state["question"],
        state["language"],
        state.get("earlier", ()),
        state.get("known", Memory()),
        bool(request.article.strip()),
    )
    answer = await planned_by(model, task)
    changes: Changes = {"planned": answer, "task": answer.value}
    if answer.value.new_session:
        changes |= {"earlier": (), "known": Memory()}
    return changes


def history_of(turns: tuple[Turn, ...]) -> tuple[Message, ...]:
    """The latest turns as a model reads them. Their marks are left out: they lead into other evidence than ours."""
    said: list[Message] = []
    for turn in turns[-_SHOWN_TURNS:]:
        answer = normalised(turn.answer, written=lambda label: "")
        said += [Message("user", turn.question), Message("assistant", answer)]
    return tuple(said)


def memory_text(memory: Memory) -> str:
    """What is remembered of the session, as a model reads it."""
    return "\n".join(filter(None, (memory.summary, *(f"- {one}" for one in memory.asked))))


def _language(question: str) -> Literal["zh", "en"]:
    return language_of(question) or ("zh" if has_han(question) else "en")
