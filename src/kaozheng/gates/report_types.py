"""Types of reports as data: the sections and words that each must have, and when a person must look at it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from kaozheng.errors import InputError


class ReviewWhen(StrEnum):
    """What makes a report of a type go to a person."""

    ALWAYS = "always"
    PUBLIC = "public"  # it is for the public
    AMBER = "amber"  # a result of amber readiness carries a claim
    CAUSE = "cause"  # it speaks of causes, carried or put in milder words
    ADVANTAGE = "advantage"  # it claims a comparative advantage
    PRIORITY = "priority"  # it puts projects in an order
    AUTHORITY = "authority"  # it speaks of the powers of departments or of reform
    PENDING = "pending"  # something in it waits for verification


@dataclass(frozen=True, slots=True)
class ReportType:
    """`sections`: for each section the headings of which one must be there; `slots`: for each slot the words of which
    one must be there; `min_sections`: how many level-1 sections at least."""

    key: str
    zh: str
    en: str
    sections: tuple[tuple[str, ...], ...]
    slots: tuple[tuple[str, ...], ...]
    min_sections: int
    review: str
    review_when: frozenset[ReviewWhen]


@cache
def report_types() -> dict[str, ReportType]:
    """All types by key, from report_types.toml."""
    text = files("kaozheng.gates").joinpath("report_types.toml").read_text(encoding="utf-8")
    return {key: _type(key, entry) for key, entry in tomllib.loads(text).items()}


def report_type(key: str) -> ReportType:
    """The type of this key. Raises InputError for one that there is not."""
    if found := report_types().get(key):
        return found
    raise InputError(f"there is no report type {key!r}; types: {', '.join(sorted(report_types()))}")


def _type(key: str, entry: dict[str, Any]) -> ReportType:
    return ReportType(
        key,
        entry["zh"],
        entry["en"],
        tuple(map(tuple, entry["sections"])),
        tuple(map(tuple, entry.get("slots", ()))),
        entry.get("min_sections", len(entry["sections"])),
        entry["review"],
        frozenset(map(ReviewWhen, entry["review_when"])),
    )
