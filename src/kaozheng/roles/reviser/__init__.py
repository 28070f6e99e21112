"""Repairs the violations of one rule by replacing ranges of lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement
from kaozheng.documents.span import LineRange
from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.prompts import prompt, quoted
from kaozheng.roles.reviser import offline
from kaozheng.rules.violation import Violation

__all__ = ["RepairTask", "revise"]

REPEATED = "【⚠️ 严重警告：在上一轮修改中已被提出但至今未纠正】"
_CONTEXT_LINES = 2


class Replacement(BaseModel):
    """One range of lines and its new text."""

    start_line: int = Field(description="first line to replace (inclusive)")
    end_line: int = Field(description="last line to replace (inclusive)")
    new_content: str = Field(description="new text of these lines, without line-number prefixes")
    reason: str = Field(default="", description="what changed, in one sentence")


class RevisePlan(BaseModel):
    """All replacements for one rule."""

    replacements: list[Replacement] = Field(default_factory=list, max_length=200)


@dataclass(frozen=True, slots=True)
class RepairTask:
    """The violations of one rule in one draft; `allowed` are the lines that a replacement may touch."""

    document: Document
    number: str
    rule: str
    violations: tuple[Violation, ...]
    allowed: tuple[LineRange, ...]
    purpose: str
    refusals: tuple[str, ...] = ()


async def revise(model: Model | None, task: RepairTask) -> Answer[list[LineReplacement]]:
    """Replacements for the violations of one rule. Offline: the unsafe fixes that the checks propose.

    The model sees the lines around the violations with their four-digit numbers, not the whole draft; what was refused
    in the last try is told.
    """
    refused = (f"- refused last time: {why}" for why in task.refusals)
    messages = prompt(
        "reviser",
        task.document.language,
        number=task.number,
        rule=task.rule,
        allowed=", ".join(f"{lines.start}-{lines.end}" for lines in task.allowed),
        violations=quoted("violations", "\n".join([*map(_told, task.violations), *refused])),
        draft=quoted("draft", excerpt(task.document, task.allowed)),
    )
    call = Call(role="reviser", purpose=task.purpose, messages=messages)
    answer = await object_or(model, call, RevisePlan, otherwise=RevisePlan)
    if answer.by != "model":
        twin = offline.revise(task.document, task.violations)
        return answer.carrying([replace(one, rule=task.number) for one in twin])
    proposed = [
        LineReplacement(
            start=one.start_line, end=one.end_line, content=one.new_content, reason=one.reason, rule=task.number
        )
        for one in answer.value.replacements
    ]
    return answer.carrying(proposed)


def excerpt(document: Document, ranges: Sequence[LineRange]) -> str:
    """The numbered lines of `ranges` with two lines around each; `…` where lines are left out."""
    numbered = document.numbered().split("\n")
    last = len(numbered)
    wanted = sorted(
        {
            line
            for lines in ranges
            for line in range(max(1, lines.start - _CONTEXT_LINES), min(last, lines.end + _CONTEXT_LINES) + 1)
        }
    )
    shown: list[str] = []
    previous = 0
    for line in wanted:
        if line != previous + 1:
            shown.append("…")
        shown.append(numbered[line - 1])
        previous = line
    if previous != last:
        shown.append("…")
    return "\n".join(shown)


def _told(violation: Violation) -> str:
    mark = REPEATED if violation.repeated else ""
    quote = " ".join(violation.quote.split())
    return f"- {mark}{violation.rule} (line {violation.lines.start}): {violation.message}: {quote}"
