"""Passages and units: the smallest and the next larger part of a source that can be pointed at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kaozheng.documents.span import LineRange, Span

Kind = Literal["paragraph", "list", "item", "table", "code", "quote", "math"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, list, table … of a source. `text` is exactly `source.text[span]`, markup and all; `path` holds the
    headings above it from the outside in; `id` is "S1:12", counted from 1 within its source."""

    id: str
    source: str
    span: Span
    lines: LineRange
    kind: Kind
    text: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands under one heading of level 1 to 3 (or before the first one). `id` is "S1#2", counted from 1 within
    its source; `path` ends with `title`. A unit always has at least one passage."""

    id: str
    source: str
    title: str
    path: tuple[str, ...]
    passages: list[Passage]

    @property
    def text(self) -> str:
        """Its passages, a blank line between them."""
        return "\n\n".join(passage.text for passage in self.passages)
