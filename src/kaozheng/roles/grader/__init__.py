"""Grades what a search has found: does it answer the question, yes or no."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from pydantic import BaseModel, Field

from kaozheng.aside import aside
from kaozheng.errors import BudgetReachedError, ModelError, ModelRefusedError
from kaozheng.evidence.bundle import EvidenceItem
from kaozheng.evidence.listing import listed
from kaozheng.models.answer import Answer
from kaozheng.models.messages import Call, Message
from kaozheng.models.model import Model
from kaozheng.models.reply import objects_in, without_thinking
from kaozheng.models.sketch import sketch
from kaozheng.models.structured import shape_of
from kaozheng.roles.grader import offline
from kaozheng.roles.prompts import prompt, quoted, unfenced

__all__ = ["Grade", "GradeDocuments", "GradeTask", "Score", "grade", "read_score"]

Score = Literal["yes", "no", "unknown"]
_SHOWN_CHARS: Final = 16_000
_REASON_CHARS = 300
_WORDS: Mapping[str, Score] = {
    **dict.fromkeys(("yes", "y", "true", "1", "relevant", "是", "是的", "相关", "有关", "能", "可以", "对"), "yes"),
    **dict.fromkeys(
        ("no", "n", "false", "0", "irrelevant", "not relevant", "否", "不是", "不相关", "无关", "不能", "不"), "no"
    ),
}  # fmt: skip
_BARE = re.compile(r"[\W_]+")
_FIRST_WORD = re.compile(
    r"^[\W_]*(?:(?:binary_?score|score|answer|答案?|结论|评分|判断|评判)[\W_]*)?"
    r"(?P<no>not relevant|irrelevant|no\b|不相关|不是|不能|无关|否)?(?P<yes>relevant|yes\b|是的?|相关|能)?",
    re.IGNORECASE,
)


class GradeDocuments(BaseModel):
    """The grader's object."""

    binary_score: str = Field(description="'yes' when the evidence answers the question or a part of it, else 'no'")


@dataclass(frozen=True, slots=True)
class GradeTask:
    """`items` are what this round's searches have found, those of all its calls. `idf` tells of each term of the
    question how telling it is in the bases; `enough` is what the scores of the searches say, None when nobody asked."""

    question: str
    items: Sequence[EvidenceItem]
    language: Literal["zh", "en"]
    idf: Mapping[str, float]
    enough: bool | None = None
    purpose: str = "grade"


@dataclass(frozen=True, slots=True)
class Grade:
    """ "unknown" is what an unreadable grade, or a failing grader, comes to: the way then goes on to the answer."""

    score: Score
    why: str = ""


async def grade(model: Model | None, task: GradeTask) -> Answer[Grade]:
    """The model's verdict, however it is worded; offline what the scores of the searches
    say, or how much of the question's telling terms was found.
    Nothing found is "no" without asking. Raises ModelRefusedError (key, unknown model)."""
    if not task.items:
        return Answer(Grade("no", "nothing was found"), "offline")
    if model is None:
        return Answer(await aside(offline.grade, task), "offline")
    try:
        completion = await model.complete(_call(task))
    except ModelRefusedError:
        raise
    except ModelError as error:
        reason, reached = str(error)[:_REASON_CHARS], isinstance(error, BudgetReachedError)
        return Answer(Grade("unknown", reason), "fallback", reason, model.name, reached)
    score = read_score(completion.text)
    why = "" if score != "unknown" else "the grader gave no readable verdict"
    return Answer(Grade(score, why), "model", model=model.name)


def read_score(text: str) -> Score:
    """The verdict in a reply: an object, a word ("Yes.", "是"), or prose that begins with one."""
    reply = without_thinking(text)
    for value in objects_in(reply):
        if isinstance(value, dict):
            return _score_of(value)
    if (bare := _BARE.sub(" ", reply).strip().casefold()) in _WORDS:
        return _WORDS[bare]
    first = _FIRST_WORD.match(reply)
    if first is None or bool(first["no"]) == bool(first["yes"]):
        return "unknown"
    return "no" if first["no"] else "yes"


def _score_of(value: Mapping[str, object]) -> Score:
    """The field may be named otherwise, and be a truth value."""
    said = value.get("binary_score", value.get("score", value.get("relevant", next(iter(value.values()), ""))))
    word = _BARE.sub(" ", json.dumps(said) if isinstance(said, bool) else str(said)).strip().casefold()
    return _WORDS.get(word, "unknown")


def _call(task: GradeTask) -> Call:
    evidence = quoted("evidence", listed(task.items)[:_SHOWN_CHARS])
    system, asked = prompt("grader", task.language, evidence=evidence, question=unfenced(task.question))
    shape = shape_of(GradeDocuments)
    wanted = f"{asked.content}\n\nAnswer with one JSON object and nothing else, of this shape:\n{sketch(shape)}"
    call = Call("grader", task.purpose, (system, Message(asked.role, wanted)), temperature=0.0, weight="light")
    return replace(call, schema=shape)
