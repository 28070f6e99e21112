"""The reviser's twin: what the checks themselves propose, safe or not, as line replacements."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

from kaozheng.documents.document import Document
from kaozheng.documents.edits import LineReplacement, TextEdit
from kaozheng.documents.span import LineRange, Span
from kaozheng.rules.violation import Violation


def revise(document: Document, violations: Sequence[Violation]) -> list[LineReplacement]:
    """One replacement a run of touched lines; overlapping edits: the first wins, the next try takes the other."""
    edits: list[TextEdit] = []
    taken: list[Span] = []  # by place, without overlaps
    for violation in violations:
        if violation.fix is None:
            continue
        new = list(violation.fix.edits)
        if not any(_is_taken(edit.span, taken) for edit in new):
            edits.extend(new)
            for edit in new:
                insort(taken, edit.span)
    groups: list[tuple[int, int, list[TextEdit]]] = []
    for edit in sorted(edits, key=lambda edit: edit.span):
        lines = document.lines_of(edit.span)
        if groups and lines.start <= groups[-1][1]:
            start, end, members = groups[-1]
            members.append(edit)
            groups[-1] = (start, max(end, lines.end), members)
        else:
            groups.append((lines.start, lines.end, [edit]))
    return [_replacement(document, start, end, members) for start, end, members in groups]


def _is_taken(span: Span, taken: list[Span]) -> bool:
    at = bisect_left(taken, span)
    return any(span.overlaps(other) or span == other for other in taken[max(0, at - 2) : at + 2])


def _replacement(document: Document, start: int, end: int, edits: Sequence[TextEdit]) -> LineReplacement:
    span = document.span_of_lines(LineRange(start, end))
    first, text = span.start, document.quote(span)
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start - first] + edit.replacement + text[edit.span.end - first :]
    return LineReplacement(start=start, end=end, content=text, reason="proposed by the check")
