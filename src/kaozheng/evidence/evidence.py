"""Evidence: the place in a source that carries a statement, with a hash that shows it was not invented or changed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Literal

from kaozheng.documents.span import LineRange, Span
from kaozheng.sources.passage import Passage

Status = Literal["supported", "unsupported", "structural"]
Level = Literal[1, 2, 3, 4]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One cut place. `quote` is exactly the source's text at `span`; `label` ("E1") holds within one answer or
    document; `level` is 1 hard data, 2 text of a source, 3 hypothesis, 4 rule of an expert; `support` is the share of
    the statement that stands in the quote (1.0: word for word)."""

    label: str
    source: str
    path: str
    span: Span
    lines: LineRange
    quote: str
    sha256: str
    level: Level = 2
    support: float = 1.0
    passage: str = ""
    """Id of the passage that it was cut from ("S1:12")."""
    places: tuple[str, ...] = ()
    """Lines of code that the quote, of an overview of code, rests on itself: "path#L10-L20"."""

    @classmethod
    def cut(cls, passage: Passage, span: Span, path: str = "", support: float = 1.0) -> Evidence:
        """The text of `passage` at `span` (offsets within the passage's text), not yet labelled."""
        quote = passage.text[span.start : span.end]
        first = passage.lines.start + passage.text.count("\n", 0, span.start)
        place = Span(passage.span.start + span.start, passage.span.start + span.end)
        lines = LineRange(first, first + quote.rstrip("\n").count("\n"))
        return cls("", passage.source, path, place, lines, quote, digest(quote), 2, support, passage.id)

    def labelled(self, label: str) -> Evidence:
        """The same place under a label."""
        return replace(self, label=label)

    def holds_in(self, text: str) -> bool:
        """Whether the source's text still has this quote at this place."""
        return text[self.span.start : self.span.end] == self.quote and digest(self.quote) == self.sha256

    def as_dict(self) -> dict[str, Any]:
        """For `trace.json`: plain values only."""
        return {
            "label": self.label,
            "source": self.source,
            "passage": self.passage,
            "path": self.path,
            "span": [self.span.start, self.span.end],
            "lines": [self.lines.start, self.lines.end],
            "quote": self.quote,
            "sha256": self.sha256,
            "level": self.level,
            "support": round(self.support, 3),
            **({"places": list(self.places)} if self.places else {}),
        }


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a finished document and what carries it. Headings, captions and the like are "structural"."""

    text: str
    lines: LineRange
    evidence: list[Evidence]
    status: Status

    def as_dict(self) -> dict[str, Any]:
        """For `trace.json`: plain values only."""
        return {
            "text": self.text,
            "lines": [self.lines.start, self.lines.end],
            "status": self.status,
            "evidence": [evidence.as_dict() for evidence in self.evidence],
        }


def digest(quote: str) -> str:
    """The SHA-256 of a quote's UTF-8 form, in hex."""
    return hashlib.sha256(quote.encode("utf-8", "surrogatepass")).hexdigest()
