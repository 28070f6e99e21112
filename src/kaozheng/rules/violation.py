"""A place in a document that breaks a rule."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from kaozheng.documents.span import LineRange, Span
from kaozheng.rules.check import Fix


@dataclass(frozen=True, slots=True)
class Violation:
    """Rule `rule` is broken at `span`; `quote` is the document's text there. `check` is None when a model judged.

    `repeated` marks one that an earlier round has already reported.
    """

    rule: str
    check: str | None
    message: str
    span: Span
    lines: LineRange
    quote: str
    fix: Fix | None = None
    repeated: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What stays the same when lines move between rounds: the rule and the quote without its blanks and case."""
        folded = unicodedata.normalize("NFKC", self.quote).casefold()
        return self.rule, "".join(folded.split())

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON. Offsets count characters, lines count from 1."""
        return {
            "rule": self.rule,
            "check": self.check,
            "message": self.message,
            "start": self.span.start,
            "end": self.span.end,
            "start_line": self.lines.start,
            "end_line": self.lines.end,
            "quote": self.quote,
            "fix": _fix_as_dict(self.fix),
            "repeated": self.repeated,
        }


def _fix_as_dict(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    edits = [{"start": edit.span.start, "end": edit.span.end, "replacement": edit.replacement} for edit in fix.edits]
    return {"safe": fix.safe, "edits": edits}
