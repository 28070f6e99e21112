"""The review of a module: checks by code, then a model for what code cannot judge; and the end of the loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from kaozheng.artifacts import ArtifactStore
from kaozheng.aside import aside
from kaozheng.documents.document import Document
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.rules.engine import inspect
from kaozheng.rules.retrieval import RuleStore
from kaozheng.rules.rule import Module, RuleBook
from kaozheng.rules.violation import Violation
from kaozheng.sources.vectors import Embedder, VectorShelf
from kaozheng.workflows.review.judging import Judgements, Purpose, judgements
from kaozheng.workflows.review.state import ReviewState, mark_of
from kaozheng.workflows.step import Changes, Step, purpose_of

MOST_REPAIRS = 3
_MOST_COMMENTS = 50
_MOST_HISTORY = 200


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
        broken = await aside(inspect, document, module.rules, state.get("language"))
        store = RuleStore(book, vectors, embedder)
        purpose = Purpose(f"review/{module.key}/round{tries + 1}", partial(purpose_of, state))
        judged = await judgements(model, document, module, store, lanes, purpose)
        history = state.get("violation_history_cache", []) if tries else []
        found = [*broken, *judged.violations]
        violations = [replace(one, repeated=mark_of(one) in history) for one in found]
        stuck = _stuck(state, tries) if violations else ""
        summary = _summary(state, module, violations, tries, stuck, judged)
        place = {"module": module.key, "number": index + 1, "of": len(book.modules)}
        emit("note", {**place, "violations": len(violations), "tries": tries, "circuit": stuck})
        changes: Changes = {
            "is_valid": not violations or bool(stuck),
            "review_comments": _comments(module, violations, tries, stuck),
            "reviews": {module.key: summary},
            "prev_violation_count": len(violations),
            "violation_history_cache": sorted({*history, *(mark_of(one) for one in violations)})[:_MOST_HISTORY],
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


def passes(state: ReviewState) -> str:
    """The way out of a review: "pass" to the next module, "fail" to the repair."""
    return "pass" if state.get("is_valid", False) else "fail"


def _stuck(state: ReviewState, tries: int) -> str:
    if tries >= MOST_REPAIRS:
        return f"{MOST_REPAIRS} repairs made"
    return state.get("stuck", "") if tries else ""


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
        "failed": [*earlier.get("failed", []), *judged.failed],
        "out_of_budget": bool(earlier.get("out_of_budget") or judged.out_of_budget),
    }
