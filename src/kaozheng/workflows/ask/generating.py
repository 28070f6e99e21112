"""Generate the answer from its evidence, and let what is whole of it be heard while it comes."""

from __future__ import annotations

from kaozheng.models.answer import Answer
from kaozheng.models.messages import Delta
from kaozheng.models.model import Model
from kaozheng.ports import Emit
from kaozheng.roles.answerer import AnswerTask, answer
from kaozheng.sessions import Memory
from kaozheng.workflows.ask.handlers import HANDLERS
from kaozheng.workflows.ask.segments import Segmenter
from kaozheng.workflows.ask.state import AskState
from kaozheng.workflows.ask.understanding import history_of, memory_text
from kaozheng.workflows.step import Changes

ANSWER = "answer"
"""The kind under which a piece of the answer is emitted, as {"text"}: never written into events or logs."""


async def generate(state: AskState, model: Model | None, emit: Emit) -> Changes:
    """The answer; its pieces are emitted when both switches for streaming are on."""
    request = state["request"]
    answered = await _heard(
        model, task_of(state), state, emit if request.live_progress and request.stream_answer else None
    )
    return {"drafted": answered}


def task_of(state: AskState) -> AnswerTask:
    """What the answerer is given."""
    task, handler = state["task"], HANDLERS[state["task"].kind]
    return AnswerTask(
        state["question"] if task.kind == "chat" else task.goal,
        state["evidence"],
        state["language"],
        task.kind,
        task.targets if task.kind == "compare" else (),
        history_of(state.get("earlier", ())),
        memory_text(state.get("known", Memory())),
        handler.effort,
        purpose="initial_generation",
    )


async def _heard(model: Model | None, task: AnswerTask, state: AskState, emit: Emit | None) -> Answer[str]:
    if emit is None:
        return await answer(model, task)
    grounded = HANDLERS[state["task"].kind].grounded
    segmenter = Segmenter(task.bundle.labels if grounded else None)

    def hear(delta: Delta) -> None:
        if delta.restart:
            segmenter.restart()
        if delta.text and (new := segmenter.feed(delta.text)):
            emit(ANSWER, {"text": new})

    return await answer(model, task, hear)
