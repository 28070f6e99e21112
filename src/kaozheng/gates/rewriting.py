"""From a place in a rewritten text back to the text that it was made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.span import Span


@dataclass(frozen=True, slots=True)
class Rewriting:
    """Edits that were applied at once, in order of their places."""

    edits: Sequence[TextEdit]

    def origin(self, span: Span) -> Span:
        """The characters of the old text that the characters of the new one stand for. New words stand for the place
        that they were put at, whole."""
        start, end = self._back(span.start)[0], self._back(max(span.start, span.end - 1))[1]
        return Span(start, max(start, end) if len(span) else start)

    def _back(self, offset: int) -> tuple[int, int]:
        """The old characters (half-open) that the new character at `offset` stands for."""
        shift = 0
        for edit in sorted(self.edits, key=lambda one: one.span):
            start = edit.span.start + shift
            if offset < start:
                break
            if offset < start + len(edit.replacement):
                return edit.span.start, edit.span.end
            shift += len(edit.replacement) - len(edit.span)
        return offset - shift, offset - shift + 1
