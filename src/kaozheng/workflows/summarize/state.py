"""The state of a summary in the making. Where its field names come from: docs/reference/seed-names.md."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict


def collected(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any]:
    """Reducer: the new entries beside, or in place of, the old ones; None begins anew."""
    return {} if new is None else {**(old or {}), **new}


class SummaryState(TypedDict, total=False):
    """Every field is optional and filled step by step; texts are artifact references, the rest is small plain JSON."""

    original_text: str
    """A text that came without a path; `split` keeps it as an artifact and empties this."""
    source_path: str
    """File or folder to read."""
    language: str
    focus: str
    """What the reader wants to know above all; "" for nothing in particular."""
    ratio: float
    """The summary's share of the text; left out, the length follows from that of the text."""
    wanted_sections: int
    """How many sections were asked for; left out, the planner decides."""
    citations: str
    """"footnote" or "none"."""
    date: str
    cache_dir: str
    """The run's folder."""

    context: str
    """Reference of the material."""
    chunks: str
    """Reference of its text blocks."""
    sizes: str
    """Reference of the size plan."""
    level: int
    """Which level of blocks is being summarised, from 0; equal to `levels` when all are done."""
    levels: int
    block_count: int
    """Of the level at work."""
    summaries: Annotated[dict[str, Any], collected]
    """The level at work, by index: {"status": "written" | "gap" | "empty", "ref", "by", "reason", "out_of_budget"}."""
    memories: list[str]
    """References of the levels that are done, lowest first."""
    not_by_model: list[str]
    """Reference of each level's blocks that a model was asked for in vain, or that are gaps."""
    failed_blocks: list[str]
    """Purposes of those blocks ("block/0/12"), which resume sends out again."""

    planning_tree: str
    """Reference of the tree."""
    planned: dict[str, Any]
    """Who made the tree: {"by", "reason", "out_of_budget"}."""
    topic: str
    section_count: int
    section_limits: list[int]
    """Tokens of each section, in their order."""
    sections: Annotated[dict[str, Any], collected]
    """By index: {"status", "ref", "by", "reason", "title", "out_of_budget", "failed"}."""

    statement_count: int
    """How many key statements the text has."""
    watched: str
    """Reference of those that the loss check watches over."""
    rounds: int
    """How often the loss check has run."""
    losses: str
    """Reference of what the last loss check found lost: {"lost": […], "sent": {section: […]}}."""
    to_restore: list[int]
    """Sections that what is lost goes back into, after the last loss check."""
    restored: Annotated[dict[str, Any], collected]
    """By "round/section": {"by", "reason", "count", "out_of_budget", "failed"}."""
    final_output: str
    """The finished summary."""
    trace: str
    """Reference of the trace."""
    conflicts: str
    """Reference of the contradictions of the text with itself."""
    again: list[str]
    """Purposes that a reopened run asks for anew."""
    attempt: int


def nothing_done() -> dict[str, Any]:
    """The state of a text that has just been cut: nothing is summarised, planned or written."""
    return {
        "level": 0,
        "summaries": None,
        "memories": [],
        "not_by_model": [],
        "failed_blocks": [],
        "sections": None,
        "restored": None,
        "rounds": 0,
        "to_restore": [],
        "watched": "",
    }


class BlockTask(TypedDict):
    """What one `summarize_block` is sent."""

    index: int
    level: int
    language: str
    focus: str
    context: str
    chunks: str
    sizes: str
    below: str
    """Reference of the memories of the level below; "" at level 0."""
    purpose: NotRequired[str]


class RestoreTask(TypedDict):
    """What one `restore_section` is sent."""

    index: int
    round: int
    language: str
    context: str
    losses: str
    section: dict[str, Any]
    purpose: str
