"""Answers a question from its evidence, each sentence with the label of what it rests on, or says there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from kaozheng.aside import aside
from kaozheng.documents.characters import without_controls
from kaozheng.errors import BudgetReachedError, ModelError, ModelRefusedError
from kaozheng.evidence.bundle import EvidenceBundle
from kaozheng.evidence.listing import listed
from kaozheng.models.answer import Answer
from kaozheng.models.messages import Call, Completion, Delta, Effort, Finish, Message
from kaozheng.models.model import Model, OnDelta
from kaozheng.models.reply import without_thinking
from kaozheng.roles.answerer import offline
from kaozheng.roles.answerer.aloud import Aloud
from kaozheng.roles.answerer.refusing import REFUSALS
from kaozheng.roles.prompts import prompt, quoted, unfenced

__all__ = ["MODEL_OUTPUT_EMPTY", "MODEL_OUTPUT_LIMIT", "REFUSALS", "AnswerTask", "Kind", "answer"]

Kind = Literal["qa", "summary", "compare", "chat"]
MODEL_OUTPUT_EMPTY: Final = "model_output_empty"
MODEL_OUTPUT_LIMIT: Final = "model_output_limit"
"""The reason of a twin's answer when the model gave nothing: by itself, or because its output limit was reached."""
_FILTERED = "the provider's content filter stopped the answer"
_REASON_CHARS = 300
_SHOWN_TURN = 4_000
_MANNERS: Mapping[Kind, Mapping[str, str]] = {
    "qa": {"zh": "简洁，先给结论。", "en": "Be brief; the answer itself comes first."},
    "summary": {
        "zh": "写成有条理的摘要：先用一两句概括，再分点写要点，不遗漏重要的数字与日期。",
        "en": "Write an ordered summary: one or two sentences for the whole, then the main points as a list, with the "
        "numbers and dates that matter.",
    },
    "compare": {
        "zh": "逐项对比：能用表格时用 Markdown 表格，每格标注编号；某一方没有证据的项写“未找到”。",
        "en": "Compare point by point, in a Markdown table where that fits, each cell with its label; write “not "
        "found” where one side has no evidence.",
    },
}


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """What is to be answered. `question` stands alone: what it referred to in the conversation is named in it.
    `targets` are what is compared. `history` are earlier turns, oldest first; `memory` what is known of the
    conversation. `sufficient` False: code doubts that the bundle answers; then the twin refuses. A revision gives the
    `draft` and the `complaints` about it, and temperature 0. `purpose` is that of the model call."""

    question: str
    bundle: EvidenceBundle
    language: Literal["zh", "en"]
    kind: Kind = "qa"
    targets: tuple[str, ...] = ()
    history: tuple[Message, ...] = ()
    memory: str = ""
    effort: Effort = "none"
    sufficient: bool = True
    draft: str = ""
    complaints: tuple[str, ...] = ()
    temperature: float = 0.2
    purpose: str = "answer"


async def answer(model: Model | None, task: AnswerTask, on_delta: OnDelta | None = None) -> Answer[str]:
    """The answer in Markdown; pieces go to `on_delta` while they come, without the model's thinking.

    No evidence, no generation: without an item everything but small talk is refused at once. An answer that is empty
    because the output limit was reached is asked for once more with effort "none". Offline, and when the model fails:
    the sentences of the evidence that answer, or the refusal; `reason` is then one of the two codes above, or a
    sentence. A text that the limit cut off is the model's answer, with MODEL_OUTPUT_LIMIT as its reason. Raises
    ModelRefusedError (key, unknown model).
    """
    if model is None or (task.kind != "chat" and not task.bundle.items):
        return Answer(await aside(offline.answer, task), "offline")
    try:
        completion = await _asked(model, task, Aloud(on_delta) if on_delta else None)
    except ModelRefusedError:
        raise
    except ModelError as error:
        reached = isinstance(error, BudgetReachedError)
        return await _instead(model, task, str(error)[:_REASON_CHARS], reached)
    limited = completion.finish is Finish.LENGTH
    if completion.finish is Finish.FILTER:
        return await _instead(model, task, _FILTERED)
    if not (text := _said(completion)):
        return await _instead(model, task, MODEL_OUTPUT_LIMIT if limited else MODEL_OUTPUT_EMPTY)
    return Answer(text, "model", MODEL_OUTPUT_LIMIT if limited else "", model.name)


async def _asked(model: Model, task: AnswerTask, on_delta: OnDelta | None) -> Completion:
    call = Call("answerer", task.purpose, _messages(task), temperature=task.temperature, effort=task.effort)
    completion = await model.complete(call, on_delta)
    if completion.finish is not Finish.LENGTH or _said(completion):
        return completion
    if on_delta:
        on_delta(Delta("", restart=True))
    return await model.complete(replace(call, purpose=f"{call.purpose}/output_limit_retry", effort="none"), on_delta)


async def _instead(model: Model, task: AnswerTask, reason: str, out_of_budget: bool = False) -> Answer[str]:
    return Answer(await aside(offline.answer, task), "fallback", reason, model.name, out_of_budget)


def _said(completion: Completion) -> str:
    return without_controls(without_thinking(completion.text)).strip()


def _messages(task: AnswerTask) -> tuple[Message, ...]:
    """System, the earlier turns, the question with its evidence; for a revision the draft and what is wrong with it."""
    values = {"question": unfenced(task.question), "context": quoted("material", task.memory) if task.memory else ""}
    if task.kind == "chat":
        system, asked = prompt("answerer", task.language, file="chat", **values)
    else:
        manner = _MANNERS[task.kind][task.language]
        evidence = quoted("evidence", listed(task.bundle.items))
        values |= {"manner": manner, "evidence": evidence, "refusal": REFUSALS[task.language]}
        system, asked = prompt("answerer", task.language, **values)
    earlier = (Message(turn.role, unfenced(turn.content[:_SHOWN_TURN])) for turn in task.history if turn.content)
    revised: tuple[Message, ...] = ()
    if task.draft and task.complaints:
        revised = (Message("assistant", task.draft), Message("user", _complaint(task)))
    return (system, *earlier, asked, *revised)


def _complaint(task: AnswerTask) -> str:
    said = "\n".join(f"- {unfenced(complaint)}" for complaint in task.complaints)
    if task.language == "zh":
        return f"上面的回答不能用：\n{said}\n请根据同样的证据重新写出完整的回答，只改正这些问题，不要解释。"
    return (
        f"The answer above cannot be used:\n{said}\nWrite the whole answer again from the same evidence; mend just "
        "this and explain nothing."
    )
