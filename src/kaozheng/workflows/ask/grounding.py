"""Check the answer against its evidence; revise it once where that helps; mend it, or put the sources' words in its
place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from kaozheng.aside import aside
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.evidence.carrying import Fault
from kaozheng.evidence.citations import normalised
from kaozheng.evidence.grounding import GroundingReport, check
from kaozheng.evidence.mending import mended
from kaozheng.evidence.pictures import without_pictures
from kaozheng.models.answer import Answer
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.answerer import AnswerTask, answer
from kaozheng.workflows.ask import wording
from kaozheng.workflows.ask.generating import task_of
from kaozheng.workflows.ask.handlers import HANDLERS
from kaozheng.workflows.ask.state import AskState
from kaozheng.workflows.step import Changes

VALIDATION_FAILED: Final = "answer_validation_failed"
_MOST_COMPLAINTS: Final = 6
_SHOWN_CHARS: Final = 80
_SAID: Final[Mapping[str, Mapping[str, str]]] = {
    "zh": {
        "empty": "回答是空的",
        "unknown": "使用了不存在的证据编号 {said}；只能使用 {labels}",
        "number": "“{text}”中的数字 {said} 在所引证据里没有",
        "date": "“{text}”中的日期 {said} 在所引证据里没有",
        "quote": "“{text}”中的引文 {said} 与证据原文不一致",
        "document_number": "“{text}”中的文号 {said} 在所引证据里没有",
    },
    "en": {
        "empty": "the answer is empty",
        "unknown": "it uses labels that do not exist: {said}; only these exist: {labels}",
        "number": "the number {said} in “{text}” does not stand in the evidence it cites",
        "date": "the date {said} in “{text}” does not stand in the evidence it cites",
        "quote": "the quote {said} in “{text}” is not the wording of the evidence",
        "document_number": "the document number {said} in “{text}” does not stand in the evidence it cites",
    },
}


@dataclass(frozen=True, slots=True)
class _Checked:
    """An answer with its report."""

    answered: Answer[str]
    report: GroundingReport


async def ground(state: AskState, model: Model | None, emit: Emit) -> Changes:
    """The answer as it may go out. What a twin took from the evidence word for word is looked up but not mended."""
    drafted = state["drafted"]
    if not HANDLERS[state["task"].kind].grounded:
        return {"final": without_pictures(drafted.value), "report": None, "revised": False}
    bundle, question = state["evidence"], state["question"]
    first = _Checked(drafted, await aside(check, drafted.value, bundle, question))
    now = await _revised(first, task_of(state), model, question) if drafted.by == "model" else first
    codes = list(now.report.codes)
    emit("note", {"node": "ground", "codes": codes, "revised": now is not first, "by": drafted.by})
    changes: Changes = {"drafted": now.answered, "revised": now is not first}
    if now.report.blocking:
        return {**changes, **await _fallen_back(state, bundle)}
    text = normalised(now.answered.value)
    if drafted.by == "model":
        text = await aside(mended, now.answered.value, now.report, state["request"].strict)
        if not text:
            return {**changes, **await _fallen_back(state, bundle)}
    text = await aside(without_pictures, text)
    # The same text has the same report.
    report = now.report if text == now.answered.value else await aside(check, text, bundle, question)
    return {**changes, "final": text, "report": report}


async def _revised(first: _Checked, task: AnswerTask, model: Model | None, question: str) -> _Checked:
    """The revision, asked for once with the same evidence and heard by nobody; the first answer where that brings none,
    or one that is worse."""
    if not first.report.revise:
        return first
    complaints = tuple(_complaints(first.report, task.language))[:_MOST_COMPLAINTS]
    again = replace(
        task,
        draft=first.answered.value or "(empty)",
        complaints=complaints,
        temperature=0.0,
        purpose="revision_generation",
    )
    answered = await answer(model, again)
    if answered.by != "model":
        return first
    second = _Checked(answered, await aside(check, answered.value, task.bundle, question))
    return first if second.report.blocking and not first.report.blocking else second


async def _fallen_back(state: AskState, bundle: EvidenceBundle) -> Changes:
    """The fallback text with what the sources say themselves; where that is nothing, the refusal."""
    twin = without_pictures((await answer(None, task_of(state))).value)
    report = await aside(check, twin, bundle, state["question"])
    text = twin if report.refusal else wording.fallback(state["language"], normalised(twin))
    stood_in = Answer(text, "fallback", VALIDATION_FAILED, state["drafted"].model)
    return {"final": text, "report": report, "code": VALIDATION_FAILED, "drafted": stood_in}


def _complaints(report: GroundingReport, language: str) -> Iterator[str]:
    said = _SAID[language]
    if "answer_empty" in report.codes:
        yield said["empty"]
    if report.unknown:
        yield said["unknown"].format(said=", ".join(report.unknown), labels=", ".join(report.labels))
    for one in report.sentences:
        for fault in one.hard:
            yield _complaint(fault, one.text, said)


def _complaint(fault: Fault, text: str, said: Mapping[str, str]) -> str:
    shown = " ".join(text.split())
    return said[fault.kind].format(said=fault.said, text=shown[:_SHOWN_CHARS])
