"""The state of a document in the making. Where its field names come from: docs/reference/seed-names.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from kaozheng.workflows.review.state import ReviewState, merged

InputMode = Literal["text", "notes", "code"]


class DocState(ReviewState, total=False):
    """Every field is optional and filled step by step; texts are artifact references, the rest is small plain JSON."""

    input_mode: InputMode
    topic: str
    """The document's title; "" lets the outline name it."""
    source_path: str
    """File or folder that the entry reads."""
    context: str
    """Before the entry: a raw text, when there is no `source_path`. After it: the reference of the material."""
    strict: bool
    """Drop sentences that nothing supports, instead of marking them."""
    cache_dir: str
    """The run's folder."""
    explored: dict[str, Any]
    """Who explored the code base: {"by", "reason", "out_of_budget"}."""
    outline: str
    """Reference of the outline."""
    planned: dict[str, Any]
    """Who made the outline: {"by", "reason", "out_of_budget"}."""
    section_count: int
    sections: Annotated[dict[str, Any], merged]
    """By index: {"status": "written" | "gap", "ref", "by", "reason", "title", "failed"}; "failed" says
    that a model was asked for it in vain."""
    marks: str
    """Reference of the table that leads from footnote labels to passages."""
    conflicts: str
    """Reference of the contradictions among the sources."""
    date: str
    """The day of the document, ISO."""


class SectionTask(TypedDict):
    """What one `write_section` is sent: its index and what all sections share."""

    index: int
    section_count: int
    outline: str
    context: str
    strict: bool
    purpose: NotRequired[str]
    """Under which purpose it is asked, when not "section/<index>"."""
