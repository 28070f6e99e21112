"""The trace: every statement of the finished document with its evidence, and which inputs were used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from kaozheng.documents.document import Document
from kaozheng.documents.prose import Prose
from kaozheng.documents.sentences import sentences
from kaozheng.documents.span import Span
from kaozheng.evidence.evidence import Evidence, Statement
from kaozheng.evidence.support import Supporter
from kaozheng.sources.material import Material
from kaozheng.sources.passage import Passage
from kaozheng.workflows.write.assembling import own_parts
from kaozheng.workflows.write.citing import UNSUPPORTED, letters_of, marks_in, without_marks
from kaozheng.workflows.write.code_places import places_of

_SKIPPED_KINDS = {"heading", "footnote", "cell"}
_WHOLE = ("code", "table")
_NOTE = re.compile(r"^(?:注：|Note: )(?=.)")
"""What the section writer's twin puts before a footnote of the material."""
_CAPTION = re.compile(r"^(?:来源：|Source:)\s*$")


@dataclass(frozen=True, slots=True)
class Trace:
    """Statements in order, and the ids of the passages that they rest on or that are marked."""

    statements: list[Statement]
    passages: set[str]

    def unsupported(self) -> list[Statement]:
        return [one for one in self.statements if one.status == "unsupported"]


def trace(document: Document, table: Mapping[str, str], material: Material) -> Trace:
    """Find the evidence of each sentence, table and code block of `document`.

    `table` leads from footnote labels to passages. A sentence without a mark of its own borrows those that follow in
    its paragraph: one mark stands for a run of sentences.
    """
    supporter = Supporter(material.passages, {source.id: source.path for source in material.sources})
    skipped = [part for part in own_parts(document) if part]
    statements = [
        statement
        for prose in document.prose
        if prose.block.kind not in _SKIPPED_KINDS and not any(span.contains(prose.span) for span in skipped)
        for statement in _of_prose(document, prose, table, supporter)
    ]
    whole = {letters_of(passage.text): passage for passage in reversed(material.passages) if passage.kind in _WHOLE}
    for block in document.blocks:
        if block.kind in _WHOLE and not any(span.contains(block.span) for span in skipped):
            text = document.quote(block.span)
            same = whole.get(letters_of(text)) or whole.get(letters_of(_without_head(text)))
            statements.extend(_of_block(document, block.span, same, material, supporter))
    labels = {passage: label for label, passage in table.items()}
    statements = [
        replace(one, evidence=[_led_back(part, labels, material) for part in one.evidence])
        for one in sorted(statements, key=lambda one: one.lines.start)
    ]
    passages = {evidence.passage for one in statements for evidence in one.evidence}
    marked = {
        table[label] for prose in document.prose for label in marks_in(document.quote(prose.span)) if label in table
    }
    return Trace(statements, passages | marked)


def _led_back(evidence: Evidence, labels: Mapping[str, str], material: Material) -> Evidence:
    """The evidence under its label; that from an overview of code leads on to the lines which that names."""
    labelled = evidence.labelled(labels.get(evidence.passage, ""))
    if not material.source(evidence.source).about_code:
        return labelled
    return replace(labelled, places=tuple(places_of(material.passage(evidence.passage).text)))


def _of_prose(document: Document, prose: Prose, table: Mapping[str, str], supporter: Supporter) -> Iterator[Statement]:
    spans = sentences(prose)
    marks = [[table[label] for label in marks_in(document.quote(span)) if label in table] for span in spans]
    for place, span in enumerate(spans):
        marked = next((found for found in marks[place:] if found), [])
        yield from _statement(document, span, marked, supporter)


def _of_block(
    document: Document, span: Span, same: Passage | None, material: Material, supporter: Supporter
) -> list[Statement]:
    """A table or code block: the passage with the same letters and digits, else what supports it best."""
    if same is None:
        return _statement(document, span, [], supporter)
    evidence = Evidence.cut(same, Span(0, len(same.text)), material.source(same.source).path)
    return [Statement(document.quote(span), document.lines_of(span), [evidence], "supported")]


def _without_head(table: str) -> str:
    """A table's rows: a part of a long table has the head of the whole set before it."""
    return table.split("\n", 2)[-1] if table.startswith("|") else table


def _statement(document: Document, span: Span, marked: list[str], supporter: Supporter) -> list[Statement]:
    text = document.quote(span)
    bare = without_marks(text).strip()
    if not re.search(r"\w", bare) or _CAPTION.match(bare):
        return []
    evidence: Evidence | None = None
    if UNSUPPORTED not in marks_in(text):
        evidence = supporter.best(_NOTE.sub("", bare), marked)
    found = [evidence] if evidence else []
    return [Statement(bare, document.lines_of(span), found, "supported" if found else "unsupported")]
