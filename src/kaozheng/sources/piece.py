"""The shape of a text as its readers hand it on: titles, and the parts between them."""

from __future__ import annotations

from dataclasses import dataclass

from kaozheng.documents.span import Span
from kaozheng.sources.passage import Kind


@dataclass(frozen=True, slots=True)
class Title:
    """A heading with its level from 1."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A block between headings. A list knows the spans of its items."""

    kind: Kind
    span: Span
    items: tuple[Span, ...] = ()


Piece = Title | Part
