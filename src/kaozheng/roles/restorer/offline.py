"""The restorer's twin: the source's own sentence, behind the sentence of the section that is nearest to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.restorer.task import Insertion, Restoring
from kaozheng.sources.ranking import TfIdf, terms

_SAME_PASSAGE: Final = 0.5
_BESIDE: Final = 0.25  # of the next passage; less the farther off
_ID = re.compile(r"(?P<source>.+):(?P<number>\d+)$")


def restore(task: Restoring, places: Iterable[int] | None = None) -> list[Insertion]:
    """One insertion for each of the lost sentences (of `places`, else all), two of one text once."""
    wanted = list(range(len(task.lost)) if places is None else places)
    same: dict[str, list[int]] = {}
    for place in wanted:
        same.setdefault(task.lost[place].text, []).append(place)
    table = TfIdf([terms(one.text) for one in (*task.sentences, *task.lost)])
    return [Insertion(_nearest(task, first, table), task.lost[first], (first, *rest)) for first, *rest in same.values()]


def _nearest(task: Restoring, place: int, table: TfIdf) -> int:
    """The sentence that shares most words with the lost one, and comes from near it; -1 where the section is empty."""
    source = task.lost[place]
    at = len(task.sentences) + place

    def near(index: int) -> float:
        return table.similarity(index, at) + _beside(source, task.sentences[index])

    return max(range(len(task.sentences)), key=near, default=-1)


def _beside(one: Sentence, other: Sentence) -> float:
    """How close two sentences stand in the source, by the passages they name first."""
    first, second = (_ID.match(sentence.passages[0]) if sentence.passages else None for sentence in (one, other))
    if not first or not second or first["source"] != second["source"]:
        return 0.0
    apart = abs(int(first["number"]) - int(second["number"]))
    return _BESIDE / apart if apart else _SAME_PASSAGE
