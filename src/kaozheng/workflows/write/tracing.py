"""The trace: every statement of the finished document with its evidence, and which inputs were used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kaozheng.documents.document import Document
from kaozheng.documents.sentences import sentences
from kaozheng.documents.span import Span
from kaozheng.evidence.evidence import Evidence, Statement
from kaozheng.evidence.support import Supporter
from kaozheng.sources.material import Material
from kaozheng.workflows.write.assembling import CONTENTS, REFERENCES
from kaozheng.workflows.write.citing import UNSUPPORTED, marks_in, without_marks

_SKIPPED_SECTIONS = {*CONTENTS.values(), *REFERENCES.values()}
_SKIPPED_KINDS = {"heading", "footnote"}
_CAPTION = re.compile(r"^(?:来源：|Source: )\s*$")


@dataclass(frozen=True, slots=True)
class Trace:
    """Statements in order, and the ids of the passages that they rest on."""

    statements: list[Statement]
    passages: set[str]

    def unsupported(self) -> list[Statement]:
        return [one for one in self.statements if one.status == "unsupported"]


def trace(document: Document, table: Mapping[str, str], material: Material) -> Trace:
    """Find the evidence of each sentence, table and code block; `table` leads from footnote labels to passages.

    A sentence without a mark of its own borrows those that follow in its paragraph: one mark stands for a run of
    sentences.
    """
    supporter = Supporter(material.passages)
    statements: list[Statement] = []
    skipped = _skipped(document)
    for prose in document.prose:
        if (
            prose.block.kind in _SKIPPED_KINDS
            or prose.block.kind == "cell"
            or any(span.contains(prose.span) for span in skipped)
        ):
            continue
        spans = sentences(prose)
        marks = [[table[label] for label in marks_in(document.quote(span)) if label in table] for span in spans]
        for place, span in enumerate(spans):
            marked = next((found for found in marks[place:] if found), [])
            statements.extend(_statement(document, span, marked, supporter))
    for block in document.blocks:
        if block.kind in {"code", "table"} and not any(span.contains(block.span) for span in skipped):
            statements.extend(_statement(document, block.span, [], supporter))
    statements.sort(key=lambda one: one.lines.start)
    passages = {evidence.passage for one in statements for evidence in one.evidence}
    return Trace(statements, passages)


def inputs(material: Material, used: set[str]) -> dict[str, object]:
    """Which sources the document rests on: used (with the share of their passages), unused, unreadable or skipped."""
    cited = {material.passage(name).source for name in used}
    totals: dict[str, list[str]] = {}
    for passage in material.passages:
        totals.setdefault(passage.source, []).append(passage.id)
    return {
        "used": [
            {
                "path": source.path,
                "passages": len(totals.get(source.id, ())),
                "cited": len(used.intersection(totals.get(source.id, ()))),
            }
            for source in material.sources
            if source.id in cited
        ],
        "unused": [
            {"path": source.path, "why": "holds no text" if source.id not in totals else "nothing of it was taken up"}
            for source in material.sources
            if source.id not in cited
        ],
        "skipped": [{"path": one.path, "why": one.why} for one in material.skipped],
    }


def _statement(document: Document, span: Span, marked: list[str], supporter: Supporter) -> list[Statement]:
    text = document.quote(span)
    bare = without_marks(text).strip()
    if not re.search(r"\w", bare) or _CAPTION.match(bare):
        return []
    evidence: Evidence | None = None
    if UNSUPPORTED not in marks_in(text):
        evidence = supporter.best(bare, marked)
    found = [evidence] if evidence else []
    return [Statement(bare, document.lines_of(span), found, "supported" if found else "unsupported")]


def _skipped(document: Document) -> list[Span]:
    """The spans of the contents, the references and what stands behind them."""
    spans = []
    for place, heading in enumerate(document.headings):
        if heading.text in _SKIPPED_SECTIONS:
            rest = (one.span.start for one in document.headings[place + 1 :] if one.level <= heading.level)
            spans.append(Span(heading.span.start, next(rest, len(document.text))))
    return spans
