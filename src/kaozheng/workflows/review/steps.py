"""The two steps of each module: review (by code, then by a model what code cannot judge) and revise (line by line)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

from kaozheng.artifacts import ArtifactStore
from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement
from kaozheng.documents.span import LineRange
from kaozheng.models.answer import Answer
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.reviser import RepairTask, revise
from kaozheng.rules.engine import fix, inspect
from kaozheng.rules.retrieval import RuleStore
from kaozheng.rules.rule import Module, RuleBook
from kaozheng.rules.violation import Violation
from kaozheng.sources.vectors import Embedder, VectorShelf
from kaozheng.workflows.review.accept import Proposal, accept
from kaozheng.workflows.review.judging import Judgements, judgements, restored
from kaozheng.workflows.review.state import ReviewState
from kaozheng.workflows.step import Changes, Step

MOST_REPAIRS = 3
REVISERS = 5
_MOST_COMMENTS = 50
_MOST_HISTORY = 200
WORK_IN_PROGRESS = "draft_wip.md"


def review_step(book: RuleBook, index: int) -> Step:
    """The review of one module: sets `is_valid`, and opens the circuit when the module cannot get any further."""
    module = book.modules[index]

    async def review(
        state: ReviewState,
        artifacts: ArtifactStore,
        vectors: VectorShelf,
        embedder: Embedder | None,
        model: Model | None,
        lanes: Lanes,
        emit: Emit,
    ) -> Changes:
        document = Document(await artifacts.get(state["current_draft"]))
        tries = state.get("iteration_counts", {}).get(module.key, 0)
        store = RuleStore(book, vectors, embedder)
        judged = await judgements(model, document, module, store, lanes, f"review/{module.key}/round{tries + 1}")
        history = state.get("violation_history_cache", []) if tries else []
        found = [*inspect(document, module.rules, state.get("language")), *judged.violations]
        violations = [replace(one, repeated=_mark(one) in history) for one in found]
        stuck = _stuck(state, tries) if violations else ""
        summary = _summary(state, module, violations, tries, stuck, judged)
        emit("note", {"module": module.key, "violations": len(violations), "tries": tries, "circuit": stuck})
        changes: Changes = {
            "is_valid": not violations or bool(stuck),
            "review_comments": _comments(module, violations, tries, stuck),
            "reviews": {module.key: summary},
            "prev_violation_count": len(violations),
            "violation_history_cache": sorted({*history, *(_mark(one) for one in violations)})[:_MOST_HISTORY],
            "judged": await artifacts.put(f"judged_{module.key}.json", judged.to_json()),
            "current_review_index": index,
        }
        if changes["is_valid"]:
            changes |= {
                "current_review_index": index + 1,
                "violation_history_cache": [],
                "drafts_seen": [],
                "refusals": {},
                "stuck": "",
            }
        return changes

    review.__name__ = f"review_{module.key}"
    return review


def revise_step(book: RuleBook, index: int) -> Step:
    """The repair of one module: fixes by code, then a reviser a rule, then the acceptance of each replacement."""
    module = book.modules[index]

    async def repair(
        state: ReviewState, artifacts: ArtifactStore, model: Model | None, lanes: Lanes, emit: Emit
    ) -> Changes:
        before = state["current_draft"]
        tries = state.get("iteration_counts", {}).get(module.key, 0) + 1
        fixed = fix(Document(await artifacts.get(before)), module.rules)
        document = Document(fixed.text)
        open_ones = [
            *inspect(document, module.rules, state.get("language")),
            *restored(await artifacts.get(state["judged"]), document),
        ]
        history = state.get("violation_history_cache", []) if tries > 1 else []
        tasks = _tasks(
            book,
            module,
            document,
            [replace(one, repeated=_mark(one) in history) for one in open_ones],
            tries,
            state.get("refusals", {}),
        )
        answers = await _revised(model, tasks, lanes)
        proposals = [
            Proposal(replacement, task.violations, task.allowed, answer.by)
            for task, answer in zip(tasks, answers, strict=True)
            for replacement in answer.value
        ]
        healed = accept(document.text, proposals, book.rules, state.get("language"))
        after = await artifacts.put(WORK_IN_PROGRESS, healed.text)
        log = {
            "module": module.key,
            "try": tries,
            "fixed": [
                {"rule": one.rule, "lines": [one.lines.start, one.lines.end], "before": one.before, "after": one.after}
                for one in fixed.applied
            ],
            "replacements": [verdict.as_dict() for verdict in healed.verdicts],
            "fallbacks": [
                {"rule": task.number, "reason": answer.reason, "out_of_budget": answer.out_of_budget}
                for task, answer in zip(tasks, answers, strict=True)
                if answer.by == "fallback"
            ],
        }
        landed = sum(verdict.accepted for verdict in healed.verdicts)
        emit(
            "note",
            {
                "module": module.key,
                "try": tries,
                "fixed": len(fixed.applied),
                "landed": landed,
                "refused": len(proposals) - landed,
            },
        )
        seen = [*state.get("drafts_seen", []), before]
        refusals: dict[str, list[str]] = {}
        for verdict in healed.verdicts:
            if not verdict.accepted:
                one = verdict.replacement
                refusals.setdefault(one.rule, []).append(f"lines {one.start}-{one.end}: {verdict.why}")
        return {
            "current_draft": after,
            "iteration_counts": {**state.get("iteration_counts", {}), module.key: tries},
            "drafts_seen": seen,
            "refusals": {rule: whys[:5] for rule, whys in refusals.items()},
            "stuck": _circle(after, before, seen, asked=any(answer.by == "model" for answer in answers)),
            "revision_log": [
                await artifacts.put(f"repair_{module.key}_{tries}.json", json.dumps(log, ensure_ascii=False, indent=1))
            ],
        }

    repair.__name__ = f"revise_{module.key}"
    return repair


def passes(state: ReviewState) -> str:
    """The way out of a review: "pass" to the next module, "fail" to the repair."""
    return "pass" if state.get("is_valid", False) else "fail"


def _mark(violation: Violation) -> str:
    return "|".join(violation.key)[:80]


def _stuck(state: ReviewState, tries: int) -> str:
    if tries >= MOST_REPAIRS:
        return f"{MOST_REPAIRS} repairs made"
    return state.get("stuck", "") if tries else ""


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
    """A task a rule, in the order of the book."""
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
    ranges = []
    leaves = [
        block
        for block in document.blocks
        if block.kind in {"heading", "paragraph", "item", "row", "code", "html", "footnote"}
    ]
    for violation in violations:
        start, end = violation.lines.start, violation.lines.end
        for block in leaves:
            if block.kind != "item" and block.lines.start <= start and end <= block.lines.end:
                start, end = block.lines.start, block.lines.end
                break
        ranges.append(LineRange(start, end))
    return tuple(dict.fromkeys(ranges))


async def _revised(
    model: Model | None, tasks: Sequence[RepairTask], lanes: Lanes
) -> list[Answer[list[LineReplacement]]]:
    lane = lanes.of("revise", REVISERS)

    async def one(task: RepairTask) -> Answer[list[LineReplacement]]:
        async with lane:
            return await revise(model, task)

    return list(await asyncio.gather(*(one(task) for task in tasks)))


def _comments(module: Module, violations: Sequence[Violation], tries: int, stuck: str) -> list[str]:
    lines = [f"{one.rule} {one.message}（{one.lines.start}）" for one in violations[:_MOST_COMMENTS]]
    if violations and stuck:
        return [
            f"【熔断放行】{module.title} ({module.key}): {len(violations)} left after {tries} repairs: {stuck}",
            *lines,
        ]
    return lines


def _summary(
    state: ReviewState, module: Module, violations: Sequence[Violation], tries: int, stuck: str, judged: Judgements
) -> dict[str, object]:
    earlier = state.get("reviews", {}).get(module.key, {}) if tries else {}
    return {
        "title": module.title,
        "found": earlier.get("found", len(violations)),
        "left": len(violations) if stuck else 0,
        "tries": tries,
        "circuit": stuck,
        "dropped": [*earlier.get("dropped", []), *judged.dropped][:20],
        "unjudged": list(dict.fromkeys([*earlier.get("unjudged", []), *judged.unjudged]))[:5],
        "out_of_budget": bool(earlier.get("out_of_budget") or judged.out_of_budget),
    }
