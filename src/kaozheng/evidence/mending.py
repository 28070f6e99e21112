"""Mending: what code takes out of an answer, or puts right, after the one revision."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.document import language_of
from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.span import Span
from kaozheng.evidence.citations import marks_of, normalised
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.grounding import GroundingReport, SentenceReport

_STOP = re.compile(r"[。．.！!？?；;]+$")
_EMPTY_ITEM = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:[-*+]|\d+[.)])[ \t]*(?:\n|\Z)", re.MULTILINE)
_GAPS = re.compile(r"\n{3,}")
_LINED = re.compile(r"^\s*(?:[-*+>#]+|\d{1,3}[.)、])\s*")
_LONGEST_QUOTE = 200


def mended(answer: str, report: GroundingReport, strict: bool = False) -> str:
    """The answer as it may go out: `report` is that of `check` on this answer.

    A sentence with a number, date, quote or document number that its evidence does not have becomes the quote that code
    cuts there, or goes; marks that lead nowhere go; a sentence without a mark gets that of the evidence that carries
    it, and one whose marks are all wrong gets the right one. What nothing carries stays and is listed in the report, or
    goes when `strict`. A refusal loses its marks. The result may be empty. Raises ValueError for the report of another
    answer.
    """
    if report.text != normalised(answer):
        raise ValueError("the report is that of another answer")
    if report.refusal:
        return _without_marks(report.text).strip()
    known = frozenset(report.labels)
    edits = [edit for one in report.sentences for edit in _edits(one, report, strict)]
    text = _without_marks(apply_edits(report.text, edits), keep=known)
    return _GAPS.sub("\n\n", _EMPTY_ITEM.sub("", text)).strip("\n ")


def _edits(one: SentenceReport, report: GroundingReport, strict: bool) -> Iterator[TextEdit]:
    if one.hard:
        quote = "" if one.row or one.nearest is None else _quoted(one.nearest, report.text)
        yield TextEdit(_whole(one, report.text) if not quote else one.span, quote)
        return
    if not one.claims:
        return
    if not one.evidence:
        if strict and not one.derived:
            yield TextEdit(_whole(one, report.text), "")
        return
    labels = tuple(dict.fromkeys(evidence.label for evidence in one.evidence))
    if not set(labels) <= set(one.marks):
        kept = tuple(label for label in one.marks if label in labels)
        yield TextEdit(one.span, _marked(_without_marks(one.text), tuple(dict.fromkeys((*kept, *labels))), one.row))


def _whole(one: SentenceReport, text: str) -> Span:
    """The sentence with the blanks behind it; of a table the whole line."""
    end = one.span.end
    while end < len(text) and text[end] in " \t":
        end += 1
    if one.row and text[end : end + 1] == "\n":
        end += 1
    return Span(one.span.start, end)


def _quoted(evidence: Evidence, text: str) -> str:
    """The cut place as a sentence; "" where it cannot be quoted in one."""
    quote = " ".join(_LINED.sub("", line) for line in evidence.quote.splitlines() if line.strip())
    quote = _STOP.sub("", quote.strip()).strip("*_` ")
    if not quote or len(quote) > _LONGEST_QUOTE or "|" in quote or marks_of(quote):
        return ""
    if language_of(text) == "zh":
        return f"资料原文：“{quote}”[{evidence.label}]。"
    return f"The source says: “{quote}” [{evidence.label}]. "


def _marked(text: str, labels: tuple[str, ...], row: bool) -> str:
    marks = "".join(f"[{label}]" for label in labels)
    body = text.rstrip()
    if row:
        return re.sub(r"\s*\|?\s*$", f" {marks} |", body) if body.endswith("|") else f"{body} {marks}"
    stop = _STOP.search(body)
    cut = stop.start() if stop else len(body)
    gap = "" if language_of(body) == "zh" else " "
    return f"{body[:cut].rstrip()}{gap}{marks}{body[cut:]}{text[len(body) :]}"


def _without_marks(text: str, keep: frozenset[str] = frozenset()) -> str:
    """The text with only the marks of these labels."""
    parts, at = [], 0
    for mark in marks_of(text):
        kept = "".join(f"[{label}]" for label in mark.labels if label in keep)
        before = text[at : mark.span.start]
        parts += [before if kept else before.rstrip(" "), kept]
        at = mark.span.end
    return "".join((*parts, text[at:]))
