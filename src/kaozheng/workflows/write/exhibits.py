"""Exhibits: the tables and pictures that code has made of a code base, with the sentences that belong to them.

A model would have to copy them sign by sign, so it is not given them; code sets them behind what the model writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kaozheng.roles.explorer.overview import is_caption
from kaozheng.roles.section_writer import Assignment
from kaozheng.sources.passage import Passage

_SHOWN = ("table", "code")


def divided(task: Assignment) -> tuple[Assignment, Assignment]:
    """(what is to be told in words, what stands as it is): `task` with some of its passages each, all of them once."""
    places = set(_exhibits(task.passages))
    told = tuple(passage for place, passage in enumerate(task.passages) if place not in places)
    shown = tuple(passage for place, passage in enumerate(task.passages) if place in places)
    return replace(task, passages=told), replace(task, passages=shown)


def _exhibits(passages: Sequence[Passage]) -> list[int]:
    """Tables and fences; the paragraph before, which leads to it, and the caption below, where they stand under the
    same heading."""
    found: list[int] = []
    for place, passage in enumerate(passages):
        if passage.kind not in _SHOWN:
            continue
        found.append(place)
        before, after = passages[max(0, place - 1)], passages[min(place + 1, len(passages) - 1)]
        if before.kind == "paragraph" and before.path == passage.path:
            found.append(place - 1)
        if after.kind == "paragraph" and after.path == passage.path and is_caption(after.text):
            found.append(place + 1)
    return found
