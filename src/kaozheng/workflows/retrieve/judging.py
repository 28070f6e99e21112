"""The second half of a round: does what was found answer the question, and if not, what else to ask."""

from __future__ import annotations

from kaozheng.artifacts import ArtifactStore
from kaozheng.models.answer import Answer
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.grader import Grade, GradeTask, grade
from kaozheng.roles.rewriter import RewriteTask, rewrite
from kaozheng.workflows.retrieve.seeking import bundle_in
from kaozheng.workflows.retrieve.state import MOST_REWRITES, RetrieveState, purpose_of
from kaozheng.workflows.step import Changes

_SEEN = "nothing that had not been found before"


async def grade_documents(state: RetrieveState, model: Model | None, artifacts: ArtifactStore, emit: Emit) -> Changes:
    """Grade what all searches of this round have found, together. What was graded "no" before is not asked about again.
    A grader that fails, or that nobody understands, is "unknown": the way goes on to the answer."""
    bundle = await bundle_in(state, artifacts)
    refused = {label for one in state["grades"] if one["score"] == "no" for label in one["labels"]}
    items = [item for label in state["fresh"] if (item := bundle.item(label)) is not None]
    if items and refused.issuperset(state["fresh"]):
        answer = Answer(Grade("no", _SEEN), "offline")
    else:
        number = state["retry_count"] + 1
        purpose = purpose_of(state, f"grade{number}")
        task = GradeTask(state["question"], items, state["language"], state["idf"], state.get("scored"), purpose)
        answer = await grade(model, task)
    verdict = answer.value
    emit("note", {"node": "grade_documents", "score": verdict.score, "passages": len(items), "by": answer.by})
    kept = {"labels": state["fresh"], "score": verdict.score, "by": answer.by, "reason": verdict.why}
    return {"score": verdict.score, "grades": [*state["grades"], kept]}


def after_grading(state: RetrieveState) -> str:
    """Answer from what is relevant, or from what there is once three rewrites have brought nothing; else rewrite."""
    return "answer" if state["score"] != "no" or state["retry_count"] >= MOST_REWRITES else "rewrite"


async def rewrite_question(state: RetrieveState, model: Model | None, artifacts: ArtifactStore, emit: Emit) -> Changes:
    """Another query for the same question. One that was tried before ends the loop: it would find the same again."""
    bundle = await bundle_in(state, artifacts)
    latest = [item for label in state["fresh"] if (item := bundle.item(label)) is not None]
    number = state["retry_count"] + 1
    tried = [*state["queries"], state["question"]]
    purpose = purpose_of(state, f"rewrite{number}")
    task = RewriteTask(state["question"], tried, latest, state["language"], state["idf"], purpose)
    answer = await rewrite(model, task)
    emit("note", {"node": "rewrite_question", "rewrite": number, "new": bool(answer.value), "by": answer.by})
    if not answer.value:
        return {"exhausted": True}
    return {"query": answer.value, "retry_count": number}


def after_rewriting(state: RetrieveState) -> str:
    """Search again while there is something new to search for."""
    return "stop" if state["exhausted"] else "again"
