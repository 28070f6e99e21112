"""Judges what no check can: whether the draft keeps the rules of one module that have no code."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from kaozheng.documents.document import Document
from kaozheng.documents.span import LineRange, Span
from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.prompts import prompt, quoted
from kaozheng.rules.violation import Violation

__all__ = ["Judged", "judge"]

_NEAR_LINES = 3
_PREFIX = re.compile(r"^[ \t]*\d{4,}: ?", re.MULTILINE)


class FoundViolation(BaseModel):
    """One breach as the model reports it."""

    rule: str = Field(description="the number of the rule, such as 1.2")
    line: int = Field(description="the line's number")
    quote: str = Field(description="the offending text, word for word")
    problem: str = Field(default="", description="what is wrong, in one sentence")


class Judgement(BaseModel):
    """What the model found; an empty list is a pass."""

    violations: list[FoundViolation] = Field(default_factory=list, max_length=50)


@dataclass(frozen=True, slots=True)
class Judged:
    """Violations that hold, and how many were dropped because their rule or quote does not exist."""

    violations: tuple[Violation, ...]
    dropped: tuple[str, ...]


async def judge(
    model: Model, document: Document, module: str, rules: str, numbers: Sequence[str], purpose: str
) -> Answer[Judged]:
    """Violations of `numbers` (the rules that code cannot check) in the draft. `rules` is the text that the model sees.

    A violation counts only when its number is one of `numbers` and its quote stands in the draft within three lines of
    the named line (or at exactly one other place). Twin: nothing found, since nothing can be judged without a model.
    """
    messages = prompt(
        "reviewer",
        document.language,
        module=module,
        rules=quoted("rules", rules),
        draft=quoted("draft", document.numbered()),
    )
    # Light: it reads and points, most calls of a run are these, and code drops what is not in the draft.
    call = Call(role="reviewer", purpose=purpose, messages=messages, temperature=0.0, weight="light")
    answer = await object_or(model, call, Judgement, otherwise=Judgement)
    held: list[Violation] = []
    dropped: list[str] = []
    seen: set[tuple[str, Span]] = set()
    for found in answer.value.violations:
        number = _number(found.rule, numbers)
        span = _place(document, found) if number else None
        if span is None:
            reason = "quote not in the draft" if number else "no such rule among those asked"
            dropped.append(f"{found.rule}: {reason}: {found.quote[:60]}")
            continue
        if (number, span) in seen:
            continue
        seen.add((number, span))
        held.append(
            Violation(
                rule=number,
                check=None,
                message=found.problem or "judged",
                span=span,
                lines=document.lines_of(span),
                quote=document.quote(span),
                fix=None,
            )
        )
    return answer.carrying(Judged(tuple(held), tuple(dropped)))


def _number(text: str, asked: Sequence[str]) -> str:
    """The asked number that the text names (`1.2`, `规则 1.2`, `Rule 1.2:`), or ""."""
    return next((number for number in re.findall(r"\d+(?:\.\d+)*", text) if number in asked), "")


def _place(document: Document, found: FoundViolation) -> Span | None:
    """Where the quote stands: near the named line, else anywhere when it stands once."""
    quote = _PREFIX.sub("", found.quote).strip()
    if not quote:
        return None
    last = len(document.lines)
    near = LineRange(max(1, min(found.line, last) - _NEAR_LINES), min(last, max(1, found.line) + _NEAR_LINES))
    area = document.span_of_lines(near) if near.start <= near.end else Span(0, len(document.text))
    for text in (quote, unicodedata.normalize("NFKC", quote)):
        at = document.text.find(text, area.start, area.end)
        if at < 0 and document.text.count(text) == 1:
            at = document.text.index(text)
        if at >= 0:
            return Span(at, at + len(text))
    return None
