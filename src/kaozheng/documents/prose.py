"""Prose: what a reader reads of one leaf block, with everything else masked character for character."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kaozheng.documents.markdown import Run
from kaozheng.documents.names import mask_names
from kaozheng.documents.nodes import Block
from kaozheng.documents.placeholders import ALL, CODE, ESCAPE, HTML, MARK, MATH, NAME, NOTE, UNSEEN, URL
from kaozheng.documents.span import Span

__all__ = ["ALL", "CODE", "ESCAPE", "HTML", "MARK", "MATH", "NAME", "NOTE", "URL", "Prose", "prose_of"]

_DROP_UNSEEN = {ord(placeholder): None for placeholder in UNSEEN}
_HIDDEN_TARGET = re.compile(f"(?<=[{MARK}]){URL}+(?=[{MARK}])")


@dataclass(frozen=True, slots=True)
class Prose:
    """One run of inline text of one leaf block: a paragraph, heading, cell or tight item.

    `masked` has the length of `source`; position i of either is offset span.start + i of the document.
    """

    block: Block
    span: Span
    source: str
    masked: str

    def offset(self, i: int) -> int:
        """The document offset of position i."""
        return self.span.start + i

    def sub(self, start: int, end: int) -> Span:
        """The document span of masked[start:end]."""
        return Span(self.span.start + start, self.span.start + end)

    @property
    def plain(self) -> str:
        """`masked` without markup and footnote marks; code, math, addresses and names stay placeholders."""
        return self.masked.translate(_DROP_UNSEEN)

    @property
    def readable(self) -> str:
        """What a person reads: code, math and bare addresses as written, without markup, notes, tags, link targets."""
        shown = _HIDDEN_TARGET.sub(lambda found: MARK * len(found[0]), self.masked)
        hidden = MARK + NOTE + HTML
        return "".join(written for written, mask in zip(self.source, shown, strict=True) if mask not in hidden)


def prose_of(text: str, run: Run) -> Prose:
    """The prose of a parser's run over `text`."""
    return Prose(run.block, run.span, text[run.span.start : run.span.end], mask_names(run.masked))
