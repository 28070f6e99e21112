"""The end of the loop: the answer from what was found, or the word that nothing was."""

from __future__ import annotations

from kaozheng.artifacts import ArtifactStore
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.evidence.pictures import without_pictures
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.answerer import AnswerTask, answer
from kaozheng.workflows.retrieve.seeking import bundle_in
from kaozheng.workflows.retrieve.state import RetrieveState, history_of, purpose_of
from kaozheng.workflows.step import Changes


async def generate_answer(state: RetrieveState, model: Model | None, artifacts: ArtifactStore, emit: Emit) -> Changes:
    """Answer the question from the evidence, with its labels; without a passage nothing is generated."""
    bundle = relevant(state, await bundle_in(state, artifacts))
    targets = tuple(state.get("targets", ()))
    task = AnswerTask(
        state["question"],
        bundle,
        state["language"],
        "compare" if len(targets) > 1 else "qa",
        targets,
        history_of(state),
        state.get("memory", ""),
        sufficient=is_answerable(state),
        purpose=purpose_of(state, "answer"),
    )
    answered = await answer(model, task)
    emit("note", {"node": "generate_answer", "passages": len(bundle.items), "by": answered.by})
    said = {"by": answered.by, "reason": answered.reason, "model": answered.model, "kind": "grounded"}
    text = without_pictures(answered.value)
    turn = [{"role": "assistant", "content": text}]
    return {"answer": text, "answered": said, "messages": turn}


def is_answerable(state: RetrieveState) -> bool:
    """Whether a round was not graded "no"."""
    return any(one["score"] != "no" for one in state.get("grades", ()))


def relevant(state: RetrieveState, bundle: EvidenceBundle) -> EvidenceBundle:
    """What was found by the rounds that were not graded "no", under the labels that it has; all where there is no such
    round."""
    kept = {label for one in state.get("grades", ()) if one["score"] != "no" for label in one["labels"]}
    items = tuple(item for item in bundle.items if item.label in kept) or bundle.items
    return EvidenceBundle(items, bundle.state, bundle.failures)
