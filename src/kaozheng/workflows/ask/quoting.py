"""What is quoted of a passage under one label: what was said of it, no more and no less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.span import LineRange
from kaozheng.evidence.bundle import EvidenceItem
from kaozheng.evidence.citations import normalised
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.numbers import find_numbers
from kaozheng.evidence.quotes import features
from kaozheng.sources.tables import cells_of, is_rule, row_lines

_MOST_CHARS: Final = 300
_NEARLY: Final = 0.1
_CELLS: Final = 0.6


@dataclass(frozen=True, slots=True)
class Quoted:
    """A part of a passage: offsets within its text."""

    start: int
    end: int


def quoted(item: EvidenceItem, carried: Sequence[tuple[str, Evidence]]) -> tuple[str, LineRange]:
    """The quote for the sentences that cite the item, each with the evidence found for it, and the quote's lines: from
    the first place to the last where that is short, else the place of the best one, rather with a number than without.
    """
    places = [(_place(item, sentence, found), found.support, _numbered(sentence)) for sentence, found in carried]
    start, end = min(one.start for one, _, _ in places), max(one.end for one, _, _ in places)
    if end - start > _MOST_CHARS:
        best = max(places, key=lambda place: (place[2], place[1]))[0]
        start, end = best.start, best.end
    quote = item.text[start:end]
    first = item.lines.start + item.text.count("\n", 0, start)
    return quote, LineRange(first, first + quote.rstrip("\n").count("\n"))


def _place(item: EvidenceItem, sentence: str, found: Evidence) -> Quoted:
    """Where the sentence stands: the row of a table that has its cells, the line of a list, else what was found."""
    if row := _row(item, sentence):
        return row
    start = found.span.start - item.span.start
    if item.text[start : start + len(found.quote)] != found.quote:
        start = max(0, item.text.find(found.quote))
    whole = Quoted(start, min(len(item.text), start + len(found.quote)))
    return _line(item.text, whole, sentence)


def _numbered(sentence: str) -> bool:
    """Whether it has a number; that of its mark is none."""
    return bool(find_numbers(normalised(sentence, written=lambda label: "")))


def _row(item: EvidenceItem, sentence: str) -> Quoted | None:
    """The row that shares most cells with a sentence, if it is most of the row; the head is none."""
    plain = narrow(sentence).casefold()
    lines = item.text.split("\n")
    best: tuple[float, int] = (0.0, -1)
    for at, line in row_lines(item.text, 0):
        if is_rule(line) or (at + 1 < len(lines) and is_rule(lines[at + 1])):
            continue
        cells = [narrow(cell).casefold() for cell in cells_of(line) if cell]
        share = sum(len(cell) for cell in cells if cell in plain) / max(1, sum(map(len, cells)))
        best = max(best, (share, -at), key=lambda one: one[0])
    if best[0] < _CELLS:
        return None
    before = sum(len(line) + 1 for line in lines[: -best[1]])
    return Quoted(before, before + len(lines[-best[1]]))


def _line(text: str, whole: Quoted, sentence: str) -> Quoted:
    """The one line of a quote of several that carries the sentence nearly as well as all of them."""
    asked = features(sentence)
    if "\n" not in text[whole.start : whole.end].strip() or not asked:
        return whole

    def share(part: str) -> float:
        has = features(part)
        return sum(min(count, has[feature]) for feature, count in asked.items()) / sum(asked.values())

    at, best = whole.start, whole
    most = share(text[whole.start : whole.end]) - _NEARLY
    for line in text[whole.start : whole.end].split("\n"):
        if line.strip() and (reached := share(line)) >= most:
            best, most = Quoted(at, at + len(line)), reached
        at += len(line) + 1
    return best
