"""The reviser's twin: what the checks themselves propose, safe or not, as line replacements."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement, TextEdit
from kaozheng.rules.violation import Violation


def revise(document: Document, violations: Sequence[Violation]) -> list[LineReplacement]:
    """One replacement a run of touched lines; overlapping edits: the first wins, the next try takes the other."""
    edits: list[TextEdit] = []
    for violation in violations:
        if violation.fix is None:
            continue
        new = list(violation.fix.edits)
        if not any(edit.span.overlaps(other.span) or edit.span == other.span for edit in new for other in edits):
            edits.extend(new)
    groups: list[tuple[int, int, list[TextEdit]]] = []
    for edit in sorted(edits, key=lambda edit: edit.span):
        lines = document.lines_of(edit.span)
        if groups and lines.start <= groups[-1][1]:
            start, end, members = groups[-1]
            groups[-1] = (start, max(end, lines.end), [*members, edit])
        else:
            groups.append((lines.start, lines.end, [edit]))
    return [_replacement(document, start, end, members) for start, end, members in groups]


def _replacement(document: Document, start: int, end: int, edits: Sequence[TextEdit]) -> LineReplacement:
    first = sum(len(line) + 1 for line in document.lines[: start - 1])
    text = "\n".join(document.lines[start - 1 : end])
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start - first] + edit.replacement + text[edit.span.end - first :]
    return LineReplacement(start=start, end=end, content=text, reason="proposed by the check")
