"""Sums up what a session is about, in the background, so that later questions are understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.prompts import prompt, quoted
from kaozheng.sessions import Memory, Turn

__all__ = ["SaidMemory", "keep"]

_SUMMARY_CHARS = 600
_SUBJECT_CHARS = 60
_MOST_SUBJECTS = 8
_SHOWN_CHARS = 600


class SaidMemory(BaseModel):
    """What a model says a session is about."""

    summary: str = Field(description="what the user wants and has asked, in at most five sentences")
    subjects: list[str] = Field(default_factory=list, description="names of what was asked about, the latest first")


async def keep(
    model: Model | None, memory: Memory, turns: Sequence[Turn], language: Literal["zh", "en"]
) -> Answer[Memory]:
    """The memory with a summary of what it held and of these turns. Offline, and when the model gives none: as it is,
    since what rules can keep is in it already. Raises ModelRefusedError (key, unknown model)."""
    if model is None or not turns:
        return Answer(memory, "offline")
    lines = [memory.summary] if memory.summary else []
    for turn in turns:
        lines += [f"user: {turn.question[:_SHOWN_CHARS]}", f"assistant: {turn.answer[:_SHOWN_CHARS]}"]
    messages = prompt("memory_keeper", language, conversation=quoted("material", "\n".join(lines)))
    call = Call("memory_keeper", f"memory{memory.turns}", messages, temperature=0.0, weight="light", effort="none")
    answer = await object_or(model, call, SaidMemory, lambda: SaidMemory(summary=""), _complaints)
    return answer.carrying(_kept(answer.value, memory) if answer.by == "model" else memory)


def _complaints(said: SaidMemory) -> list[str]:
    return [] if said.summary.strip() else ["summary is empty"]


def _kept(said: SaidMemory, memory: Memory) -> Memory:
    named = (" ".join(one.split())[:_SUBJECT_CHARS] for one in said.subjects)
    subjects = tuple(dict.fromkeys([*(one for one in named if one), *memory.subjects]))[:_MOST_SUBJECTS]
    return Memory(" ".join(said.summary.split())[:_SUMMARY_CHARS], subjects, (), memory.turns)
