"""A sentence of a summary and where it says to come from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` has no labels; `passages` are ids ("S1:12") of the passages that it says to rest on, most telling first;
    may be empty."""

    text: str
    passages: tuple[str, ...] = ()
