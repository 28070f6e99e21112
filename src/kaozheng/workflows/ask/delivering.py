"""The last step: all that is known about the answer, put together as its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from kaozheng.aside import aside
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.evidence.citations import citations_of
from kaozheng.evidence.conflicts import Conflict, conflicts_of
from kaozheng.evidence.grounding import GroundingReport
from kaozheng.evidence.pictures import without_pictures
from kaozheng.models.answer import Answered
from kaozheng.roles.answerer import MODEL_OUTPUT_EMPTY, MODEL_OUTPUT_LIMIT
from kaozheng.workflows.ask import wording
from kaozheng.workflows.ask.citing import cited, follow_ups
from kaozheng.workflows.ask.preparing import named_bases
from kaozheng.workflows.ask.result import AskResult, Status
from kaozheng.workflows.ask.state import AskState
from kaozheng.workflows.ask.table_parts import told_of
from kaozheng.workflows.step import Changes

_MOST_TOLD: Final = 2
_CODES = (MODEL_OUTPUT_EMPTY, MODEL_OUTPUT_LIMIT)


async def deliver(state: AskState) -> Changes:
    """The result. A refusal carries no citations, whoever gave it."""
    bundle, direct = state["evidence"], state.get("direct")
    if direct is not None:
        said = without_pictures(
            direct.text
        )  # a model may have put the question back, or made the queries that are told
        result = AskResult(direct.status, said, direct.code, **_common(state, []), by=_planned_by(state))
        return {"result": result}
    report = state.get("report")
    drafted, text = state["drafted"], state["final"]
    refused = bool(report and report.refusal)
    conflicts = [] if refused or report is None else await aside(conflicts_of, bundle, state["task"].goal)
    if refused:
        text = wording.with_search(text, state["language"], state["searched"], named_bases(state))
    text = without_pictures(_with_both_sides(text, bundle, conflicts, state["language"]))
    status: Status = "refused" if refused else "answered"
    code = state.get("code") or (drafted.reason if drafted.reason in _CODES else "")
    citations = [] if refused else cited(text, bundle, report, conflicts)
    labels = [entry["label"] for entry in citations]
    asks_more = (
        []
        if refused or state["task"].kind == "chat"
        else follow_ups(f"{state['question']} {state['task'].goal}", bundle, labels, state["language"])
    )
    result = AskResult(
        status,
        text,
        code or ("no_evidence" if refused else ""),
        **_common(state, labels),
        citations=citations,
        grounding=_told(report, state),
        conflicts=[conflict.as_dict() for conflict in conflicts],
        by=drafted.by,
        reason=drafted.reason,
        follow_ups=asks_more,
    )
    return {"result": result}


def _common(state: AskState, labels: list[str]) -> dict[str, Any]:
    return {
        "task": state["task"].as_dict(),
        "evidence_state": state["evidence"].state,
        "searched": list(state.get("searched", ())),
        "warnings": _warnings(state, labels),
    }


def _planned_by(state: AskState) -> Answered:
    return state["planned"].by


def _told(report: GroundingReport | None, state: AskState) -> dict[str, Any]:
    return {**report.as_dict(), "revised": state.get("revised", False)} if report else {}


def _with_both_sides(
    text: str, bundle: EvidenceBundle, conflicts: Sequence[Conflict], language: Literal["zh", "en"]
) -> str:
    """The answer and, where it rests on one side of a contradiction alone, what both sides say."""
    used = {citation.label for citation in citations_of(text, bundle)}
    sides = [{one.label for one in conflict.values} for conflict in conflicts]
    one_sided = [conflict for conflict, labels in zip(conflicts, sides, strict=True) if used & labels and labels - used]
    return "\n\n".join([text, *(wording.disputed(language, conflict) for conflict in one_sided[:_MOST_TOLD])])


def _warnings(state: AskState, labels: list[str]) -> list[dict[str, str]]:
    """What the asker should know about how the answer came about."""
    said: list[tuple[str, str]] = []
    if state["planned"].by == "fallback":
        said.append(("plan_fallback", state["planned"].reason))
    said += [("retrieval_failed", failure) for failure in state["evidence"].failures]
    said += [("search_narrowed", note) for note in state.get("notes", ())]
    drafted, report = state.get("drafted"), state.get("report")
    if state.get("direct") is None and drafted is not None:
        if drafted.by == "fallback":
            said.append(("model_fallback", drafted.reason))
        elif drafted.reason:
            said.append((drafted.reason, "the answer ends where the model's output limit was reached"))
        if report is not None and report.refusal and drafted.by == "model" and state["evidence"].items:
            said.append(("refused_with_evidence", "passages were found, and the model says that they do not answer"))
        if report is not None and report.unsupported:
            count = len(report.unsupported)
            said.append(("support_low", f"{count} sentence{'s' * (count > 1)} without a passage that carries it"))
        said += told_of(state.get("table_parts", ()), labels, state["language"])
    return [{"code": code, "message": message} for code, message in said]
