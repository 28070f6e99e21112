"""Outcome: what became of one fault, and whether that and its time are what was promised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """`expect` is how `happened` has to begin; `most_s` is what it may take before the 10 %."""

    name: str
    expect: str
    most_s: float
    happened: str
    took_s: float
    requests: int

    @property
    def limit_s(self) -> float:
        return self.most_s * 1.1

    @property
    def kept(self) -> bool:
        return self.happened.startswith(self.expect) and self.took_s <= self.limit_s
