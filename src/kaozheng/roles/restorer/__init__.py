"""Puts back into a section of a summary what was lost: a sentence that says it, and the place where it belongs."""

from __future__ import annotations

import re
from dataclasses import replace

from pydantic import BaseModel, Field

from kaozheng.aside import aside
from kaozheng.evidence.sentence import Sentence
from kaozheng.models.answer import Answer, object_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.answerer.orders import is_order
from kaozheng.roles.labels import labelled_sentences, labels_in, listed
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.restorer import offline
from kaozheng.roles.restorer.holding import held
from kaozheng.roles.restorer.task import Insertion, Restoring

__all__ = ["Insertion", "Restoring", "restore"]

_NUMBER = re.compile(r"\d{1,3}")
_NONE_HELD = "no proposed sentence says what was lost"


class ProposedInsertion(BaseModel):
    """One sentence to put in."""

    after: int = Field(description="number of the sentence behind which it belongs; 0 = before the first")
    sentence: str = Field(description="one sentence that says what was lost")
    restores: list[str] = Field(default_factory=list, description="labels of what it restores, such as E1")


class Restoration(BaseModel):
    """What the model proposes."""

    insertions: list[ProposedInsertion] = Field(default_factory=list, max_length=100)


async def restore(model: Model | None, task: Restoring) -> Answer[tuple[Insertion, ...]]:
    """Insertions that together restore everything in `task.lost`, in the order of their places. Offline, and for what
    no sentence of the model holds: the sentence of the source itself. Raises ModelRefusedError (key, unknown model).
    """
    if not task.lost:
        return Answer((), "offline")
    if model is None:
        return Answer(_in_order(await aside(offline.restore, task)), "offline")
    messages = prompt(
        "restorer",
        task.language,
        title=unfenced(task.title),
        section=quoted("draft", _numbered(task.sentences)),
        evidence=quoted("evidence", listed(task.lost)),
    )
    call = Call("restorer", task.purpose, messages, temperature=0.0)
    answer = await object_or(model, call, Restoration, otherwise=Restoration)
    found = await aside(_accepted, answer.value, task)
    restored = {place for one in found for place in one.lost}
    missing = [place for place in range(len(task.lost)) if place not in restored]
    rest = await aside(offline.restore, task, missing) if missing else []
    whole = answer.carrying(_in_order([*found, *rest]))
    if answer.by == "model" and not found:
        return replace(whole, by="fallback", reason=_NONE_HELD)
    return whole


def _accepted(proposed: Restoration, task: Restoring) -> list[Insertion]:
    """The proposals that hold something lost, each without what an earlier one has restored."""
    restored: set[int] = set()
    found: list[Insertion] = []
    for one in proposed.insertions:
        said = labelled_sentences(one.sentence, task.lost)
        if len(said) != 1 or is_order(said[0].text):
            continue
        claimed = _claimed(one, task)
        holds = held(said[0].text, claimed, task.lost)
        lost = tuple(place for place in holds if place not in restored)
        if one.restores and len(holds) < len(claimed):
            continue  # the rest would be said again by the source's sentence
        if lost:
            restored.update(lost)
            passages = dict.fromkeys(passage for place in lost for passage in task.lost[place].passages)
            after = max(-1, min(one.after - 1, len(task.sentences) - 1))
            found.append(Insertion(after, Sentence(said[0].text, tuple(passages)), lost))
    return found


def _claimed(one: ProposedInsertion, task: Restoring) -> list[int]:
    """The places of what a proposal says to restore; all where it does not say."""
    named = {int(number) for label in one.restores for number in _NUMBER.findall(label)} | labels_in(one.sentence)
    return [label - 1 for label in sorted(named)] or list(range(len(task.lost)))


def _in_order(insertions: list[Insertion]) -> tuple[Insertion, ...]:
    return tuple(sorted(insertions, key=lambda one: (one.after, one.lost)))


def _numbered(sentences: tuple[Sentence, ...]) -> str:
    return "\n".join(f"{place}. {' '.join(one.text.split())}" for place, one in enumerate(sentences, start=1))
