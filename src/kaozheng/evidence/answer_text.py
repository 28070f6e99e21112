"""An answer as code reads it: marks in one form, sentences with the marks that belong to them, blocks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kaozheng.documents.document import Document
from kaozheng.documents.nodes import Block
from kaozheng.documents.placeholders import HTML, MARK, NOTE
from kaozheng.documents.prose import Prose
from kaozheng.documents.sentences import sentences
from kaozheng.documents.span import Span
from kaozheng.evidence.citations import marks_of

_NOTE = re.compile(r"\[\^(E\d{1,3}|x)\]")
_FOREIGN = "[^x]"
_LEAD_IN = re.compile(r"[:：]\W*$")
_BOLD = re.compile(r"\*\*(?!\s)[^*\n]{1,60}\*\*[:：]?|__(?!\s)[^_\n]{1,60}__[:：]?")
_STOP = re.compile(r"[。！？!?；;]|\.(?:\s|$)")
_HIDDEN = MARK + NOTE + HTML
_Notes = list[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence, or one row of a table. `text` is the answer's at `span`; `plain` is what a reader reads of it
    without marks; `marked` says that it has a mark, known or not; `foreign` that one of its marks names no label;
    `opens` that it leads into what follows, a list of `counted` items."""

    text: str
    span: Span
    plain: str
    labels: tuple[str, ...]
    marked: bool
    foreign: bool = False
    opens: bool = False
    counted: int = 0
    row: bool = False


@dataclass(frozen=True, slots=True)
class AnswerText:
    """`text` is the answer with every mark that names labels as [E1]; marks that name none stay as they are written.
    `blocks` hold the places in `sentences` of each paragraph, list item or table."""

    text: str
    sentences: tuple[Said, ...]
    blocks: tuple[tuple[int, ...], ...]

    @property
    def empty(self) -> bool:
        """Whether nothing is said, marks apart."""
        return not re.search(r"\w", "".join(_unmarked(self.text)))

    @classmethod
    def of(cls, answer: str) -> AnswerText:
        """Read an answer. Footnotes are what the parser knows to belong to the sentence before them, so marks are read
        in that form."""
        text, inner, notes = _forms(answer)
        document = Document(inner)
        places = _Places(text, notes)
        found: list[Said] = []
        blocks: dict[Block, list[int]] = {}
        for block, said in _said(document, places):
            blocks.setdefault(block, []).append(len(found))
            found.append(said)
        return cls(text, tuple(found), tuple(tuple(indices) for indices in blocks.values()))


def _unmarked(text: str) -> Iterator[str]:
    at = 0
    for mark in marks_of(text):
        yield text[at : mark.span.start]
        at = mark.span.end
    yield text[at:]


def _forms(answer: str) -> tuple[str, str, _Notes]:
    """The answer with marks as [E1] and with marks as footnotes, and of each mark its place in the second, what it is
    longer there, and its label ("" when it names none)."""
    shown: list[str] = []
    inner: list[str] = []
    notes: _Notes = []
    at, length = 0, 0
    for mark in marks_of(answer):
        between = answer[at : mark.span.start]
        shown.append(between)
        inner.append(between)
        length += len(between)
        for label in mark.labels or ("",):
            written = f"[{label}]" if label else mark.written
            note = f"[^{label}]" if label else _FOREIGN
            shown.append(written)
            inner.append(note)
            notes.append((length, len(note) - len(written), label))
            length += len(note)
        at = mark.span.end
    return "".join((*shown, answer[at:])), "".join((*inner, answer[at:])), notes


@dataclass(frozen=True, slots=True)
class _Places:
    """From places in the text with footnotes to places in the shown one."""

    text: str
    notes: _Notes

    def span(self, inner: Span) -> Span:
        """The same place in the shown text."""
        return Span(self._moved(inner.start), self._moved(inner.end))

    def within(self, inner: Span) -> _Notes:
        """The marks of a sentence."""
        first = bisect_left(self.notes, (inner.start, -1_000, ""))
        last = bisect_left(self.notes, (inner.end, -1_000, ""))
        return self.notes[first:last]

    def _moved(self, at: int) -> int:
        return at - sum(longer for start, longer, _ in self.notes[: bisect_left(self.notes, (at, -1_000, ""))])


def _said(document: Document, places: _Places) -> Iterator[tuple[Block, Said]]:
    rows = {block.span: block for block in document.blocks if block.kind == "row"}
    tables = [block for block in document.blocks if block.kind == "table"]
    cells: dict[Block, list[Prose]] = {}
    for prose in document.prose:
        if prose.block.kind in ("heading", "footnote"):
            continue
        row = next((row for span, row in rows.items() if span.contains(prose.span)), None)
        if row is None:
            yield from ((prose.block, said) for said in _of_prose(document, prose, places))
            continue
        cells.setdefault(row, []).append(prose)
    for row, parts in cells.items():
        if row.info != "head":
            table = next(table for table in tables if table.span.contains(row.span))
            plain = " | ".join(_readable(part, 0, len(part.source)) for part in parts)
            yield table, _of_span(row.span, plain, places, row=True)


def _of_prose(document: Document, prose: Prose, places: _Places) -> Iterator[Said]:
    titles = _is_title(document, prose)
    for span in sentences(prose):
        start, end = span.start - prose.span.start, span.end - prose.span.start
        said = _of_span(span, _readable(prose, start, end), places)
        opens = _LEAD_IN.search(said.plain) is not None
        counted = _items_behind(document, prose.span.end) if opens or span.end >= prose.span.end - 1 else 0
        yield replace(said, opens=titles or (opens and counted > 0), counted=counted)


def _is_title(document: Document, prose: Prose) -> bool:
    """Whether a paragraph is one bold run without a stop that something follows: a heading in all but its mark."""
    bold = _BOLD.fullmatch(prose.source.strip())
    return bool(bold) and document.blocks[-1].span.start >= prose.span.end and not _STOP.search(prose.source)


def _of_span(span: Span, plain: str, places: _Places, row: bool = False) -> Said:
    notes = places.within(span)
    labels = tuple(dict.fromkeys(label for _, _, label in notes if label))
    shown = places.span(span)
    text = places.text[shown.start : shown.end]
    return Said(text, shown, plain, labels, bool(notes), any(not label for _, _, label in notes), row=row)


def _readable(prose: Prose, start: int, end: int) -> str:
    """What a person reads there, without markup and marks."""
    pairs = zip(prose.source[start:end], prose.masked[start:end], strict=True)
    return "".join(written for written, mask in pairs if mask not in _HIDDEN)


def _items_behind(document: Document, end: int) -> int:
    """How many items the list has that follows this place at once; 0 without one."""
    following = next((block for block in document.blocks if block.span.start >= end), None)
    if following is None or following.kind != "list":
        return 0
    inside = [block for block in document.blocks if block.kind == "item" and following.span.contains(block.span)]
    depth = min((block.depth for block in inside), default=0)
    return sum(block.depth == depth for block in inside)
