"""What the loop remembers between its steps. Plain JSON only: nothing in a checkpoint needs a type to be loaded."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from kaozheng.rules.violation import Violation


def merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Reducer: the new entries beside, or in place of, the old ones."""
    return {**(old or {}), **new}


def logged(old: list[str], new: list[str] | None) -> list[str]:
    """Reducer: the new entries after the old ones; None begins anew."""
    return [] if new is None else [*(old or []), *new]


def mark_of(violation: Violation) -> str:
    """By what a violation is known again in the next round; short, since the state is kept small."""
    return "|".join(violation.key)[:80]


class ReviewState(TypedDict, total=False):
    """Every field is optional and filled step by step; texts are artifact references."""

    language: str
    current_draft: str
    """Reference of the draft as it stands."""
    review_pipeline: list[str]
    """Keys of the modules, in order."""
    current_review_index: int
    is_valid: bool
    """The verdict of the last review: go on to the next module, or repair."""
    review_comments: list[str]
    """What the last review found, a line each."""
    judged: str
    """Reference of the violations of the current module that a model found."""
    iteration_counts: dict[str, int]
    """Repairs made, by module."""
    prev_violation_count: int
    violation_history_cache: list[str]
    """Keys of the violations that the current module had in earlier rounds."""
    drafts_seen: list[str]
    """Drafts of the current module; one that comes back means that the repairs go in a circle."""
    refusals: dict[str, list[str]]
    """Why replacements of the last repair were refused, by rule."""
    stuck: str
    """Why the current module cannot get any further; "" while it can."""
    reviews: Annotated[dict[str, Any], merged]
    """The outcome of each module: found, left, tries, circuit, and the purposes of the calls that failed."""
    revision_log: Annotated[list[str], logged]
    """References of the logs of all repairs."""
    again: list[str]
    """Purposes of calls that failed before a done run was reopened: they are asked once more."""
    attempt: int
    """How often the run was reopened."""
