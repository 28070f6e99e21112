"""The repair of a module: fixes by code, then a reviser a rule, then the acceptance of each replacement."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement
from kaozheng.documents.span import LineRange
from kaozheng.models.answer import Answer, Answered
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.reviser import RepairTask, revise
from kaozheng.roles.reviser.offline import revise as checks_proposals
from kaozheng.rules.engine import Fixed, fix, inspect
from kaozheng.rules.rule import Module, RuleBook
from kaozheng.rules.violation import Violation
from kaozheng.workflows.review.accept import Accepted, Proposal, accept
from kaozheng.workflows.review.judging import restored
from kaozheng.workflows.review.reviewing import MOST_REPAIRS
from kaozheng.workflows.review.state import ReviewState, mark_of
from kaozheng.workflows.step import Changes, Step, purpose_of

REVISERS = 5
WORK_IN_PROGRESS = "draft_wip.md"
_MOST_REFUSALS = 5


@dataclass(frozen=True, slots=True)
class _Repair:
    """One round: what code fixed, what was asked and answered, and what landed."""

    fixed: Fixed
    tasks: list[RepairTask]
    answers: list[Answer[list[LineReplacement]]]
    accepted: Accepted

    @property
    def landed(self) -> int:
        return sum(verdict.accepted for verdict in self.accepted.verdicts)

    @property
    def refused(self) -> int:
        return len(self.accepted.verdicts) - self.landed

    def log(self, module: str, tries: int) -> dict[str, Any]:
        """Everything that was changed or refused, for the report."""
        return {
            "module": module,
            "try": tries,
            "fixed": [
                {"rule": one.rule, "lines": [one.lines.start, one.lines.end], "before": one.before, "after": one.after}
                for one in self.fixed.applied
            ],
            "replacements": [verdict.as_dict() for verdict in self.accepted.verdicts],
            "fallbacks": [
                {"rule": task.number, "reason": answer.reason, "out_of_budget": answer.out_of_budget}
                for task, answer in zip(self.tasks, self.answers, strict=True)
                if answer.by == "fallback"
            ],
        }

    def refusals(self) -> dict[str, list[str]]:
        """Why replacements were refused, by rule: the next try is told."""
        told: dict[str, list[str]] = {}
        for verdict in self.accepted.verdicts:
            if not verdict.accepted:
                one = verdict.replacement
                told.setdefault(one.rule, []).append(f"lines {one.start}-{one.end}: {verdict.why}")
        return {rule: whys[:_MOST_REFUSALS] for rule, whys in told.items()}


def revise_step(book: RuleBook, index: int) -> Step:
    """The repair of one module; it keeps the draft after every round."""
    module = book.modules[index]

    async def repair(
        state: ReviewState, artifacts: ArtifactStore, model: Model | None, lanes: Lanes, emit: Emit
    ) -> Changes:
        before = state["current_draft"]
        tries = state.get("iteration_counts", {}).get(module.key, 0) + 1
        draft, judged = await artifacts.get(before), await artifacts.get(state["judged"])
        done = await _repaired(book, module, draft, judged, state, model, lanes)
        after = await artifacts.put(WORK_IN_PROGRESS, done.accepted.text)
        log = json.dumps(done.log(module.key, tries), ensure_ascii=False, indent=1)
        counted = {"fixed": len(done.fixed.applied), "landed": done.landed, "refused": done.refused}
        emit("note", {"module": module.key, "try": tries, **counted})
        seen = [*state.get("drafts_seen", []), before]
        return {
            "current_draft": after,
            "iteration_counts": {**state.get("iteration_counts", {}), module.key: tries},
            "drafts_seen": seen,
            "refusals": done.refusals(),
            "stuck": _circle(after, before, seen, asked=any(answer.by == "model" for answer in done.answers)),
            "reviews": _failed(state, module, done),
            "revision_log": [await artifacts.put(f"repair_{module.key}_{tries}.json", log)],
        }

    repair.__name__ = f"revise_{module.key}"
    return repair


def _failed(state: ReviewState, module: Module, done: _Repair) -> dict[str, Any]:
    """The module's review with the revisers' calls that failed."""
    review = state.get("reviews", {}).get(module.key, {})
    failed = [task.purpose for task, answer in zip(done.tasks, done.answers, strict=True) if answer.by == "fallback"]
    return {module.key: {**review, "failed": [*review.get("failed", []), *failed]}} if failed else {}


async def _repaired(
    book: RuleBook,
    module: Module,
    draft: str,
    judged: str,
    state: ReviewState,
    model: Model | None,
    lanes: Lanes,
) -> _Repair:
    language = state.get("language")
    tries = state.get("iteration_counts", {}).get(module.key, 0) + 1
    history = state.get("violation_history_cache", []) if tries > 1 else []
    fixed = await aside(fix, Document(draft), module.rules, language=language)
    document = Document(fixed.text)
    left = [*await aside(inspect, document, module.rules, language), *restored(judged, document)]
    marked = [replace(one, repeated=mark_of(one) in history) for one in left]
    tasks = _tasks(book, module, document, marked, tries, state.get("refusals", {}))
    answers = await _revised(model, tasks, lanes, partial(purpose_of, state))
    proposals = [
        Proposal(replacement, task.violations, task.allowed, by)
        for task, answer in zip(tasks, answers, strict=True)
        for replacement, by in _proposed(task, answer, last=tries == MOST_REPAIRS)
    ]
    accepted = await aside(accept, document.text, proposals, book.rules, language)
    return _Repair(fixed, tasks, answers, accepted)


def _proposed(
    task: RepairTask, answer: Answer[list[LineReplacement]], last: bool
) -> list[tuple[LineReplacement, Answered]]:
    """The reviser's replacements; what the checks propose comes after them when it had none, and on the last try."""
    given = [(one, answer.by) for one in answer.value]
    if answer.by == "model" and (last or not given):
        own = checks_proposals(task.document, task.violations)
        given += [(replace(one, rule=task.number), "offline") for one in own]
    return given


def _circle(after: str, before: str, seen: Sequence[str], asked: bool) -> str:
    """Why repairing again is of no use: an earlier draft came back, or nothing changed and only code was asked."""
    if after != before and after in seen:
        return "the repairs go in a circle"
    if after == before and not asked:
        return "nothing more can be repaired without a model"
    return ""


def _tasks(
    book: RuleBook,
    module: Module,
    document: Document,
    violations: Sequence[Violation],
    tries: int,
    refusals: dict[str, list[str]],
) -> list[RepairTask]:
    """A task a rule."""
    groups: dict[str, list[Violation]] = {}
    for violation in violations:
        groups.setdefault(violation.rule, []).append(violation)
    return [
        RepairTask(
            document=document,
            number=number,
            rule=book.rule(number).text,
            violations=tuple(group),
            allowed=_allowed(document, group),
            purpose=f"revise/{module.key}/{number}/round{tries}",
            refusals=tuple(refusals.get(number, ())),
        )
        for number, group in groups.items()
    ]


def _allowed(document: Document, violations: Sequence[Violation]) -> tuple[LineRange, ...]:
    """The lines of each violation, widened to the paragraph, item or heading that holds it."""
    holds: dict[int, LineRange] = {}
    for block in document.blocks:
        if block.kind in {"heading", "paragraph", "row", "code", "html", "footnote"}:
            for line in range(block.lines.start, block.lines.end + 1):
                holds.setdefault(line, block.lines)
    ranges = []
    for violation in violations:
        lines = violation.lines
        around = holds.get(lines.start, lines)
        ranges.append(around if around.end >= lines.end else lines)
    return tuple(dict.fromkeys(ranges))


async def _revised(
    model: Model | None, tasks: Sequence[RepairTask], lanes: Lanes, asked: Callable[[str], str]
) -> list[Answer[list[LineReplacement]]]:
    lane = lanes.of("revise", REVISERS)

    async def one(task: RepairTask) -> Answer[list[LineReplacement]]:
        async with lane:
            return await revise(model, replace(task, purpose=asked(task.purpose)))

    return list(await asyncio.gather(*(one(task) for task in tasks)))
