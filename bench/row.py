"""A row of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, ours, what it is held against in the same run, and the bound that was promised."""

    what: str
    ours: str
    against: str = ""
    ratio: str = ""
    bound: str = ""
