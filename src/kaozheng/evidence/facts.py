"""Facts of a source: what a clause or a table row gives a number to, in a form in which two facts can be compared."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kaozheng.documents.document import Document
from kaozheng.documents.nodes import Block
from kaozheng.documents.placeholders import CODE, ESCAPE, HTML, MARK, NAME, NOTE, URL
from kaozheng.documents.prose import Prose
from kaozheng.documents.sentences import split
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.evidence.wording import (
    ASPECT,
    BARE,
    BRACKET,
    CONDITION,
    DIGIT,
    DUE,
    EXAMPLE,
    IDENTIFIER,
    LABEL,
    ORDER,
    PROPER,
    UNIT_NAMED,
    aspect_of,
    states,
    tidy,
    words,
)
from kaozheng.sources.source import Source

_CLAUSE = re.compile(r"[，；。！？()（）\n\t]|[;!?,](?=\s|[^\x00-\x7f])|\.(?=\s)|、(?=[^、]{6})")


@dataclass(frozen=True, slots=True)
class Fact:
    """One number and what it is said of.

    `before` and `after` are the words around the number in its clause without those that carry no meaning; `dates`
    are the dates that hold for it, `condition` the clause that restricts it, `identifiers` the program names in it,
    `context` the headings and `parent` the list item above it, `label` what stands before the sentence's first colon,
    `names` the capitalised names near it. `alone`:
    the clause is a mere label with a value (人数：105), so that only its place says whose value it is.
    """

    path: str
    line: int
    number: Number
    sentence: str
    subject: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    aspect: str = ""
    identifiers: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    condition: str = ""
    context: tuple[str, ...] = ()
    parent: str = ""
    label: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    table: bool = False
    alone: bool = False
    item: bool = False


@dataclass(frozen=True, slots=True)
class _Text:
    """Readable text with the offset of each character in the document."""

    text: str
    places: list[int] = field(repr=False)

    @classmethod
    def of(cls, prose: Prose) -> _Text:
        kept = [
            (written if mask in CODE + ESCAPE + NAME else mask, index)
            for index, (mask, written) in enumerate(zip(prose.masked, prose.source, strict=True))
            if mask not in MARK + NOTE + HTML + URL and not (mask == CODE and written == "`")
        ]
        return cls("".join(character for character, _ in kept), [prose.offset(index) for _, index in kept])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands: the headings above it (without the title), the list item above, its table row."""

    headings: tuple[str, ...] = ()
    parent: str = ""
    item: bool = False
    row: Block | None = None
    table: Block | None = None


def facts_of(source: Source, document: Document) -> list[Fact]:
    """All facts of a source (`document` is its text, parsed): of its prose in order, then of its tables."""
    places = _places(document)
    facts: list[Fact] = []
    rows: dict[Block, list[_Text]] = {}
    for prose in document.prose:
        place = places.get(prose.block, _Place())
        if prose.block.kind == "heading":
            continue
        if place.row is not None:
            rows.setdefault(place.row, []).append(_Text.of(prose))
        elif DIGIT.search(prose.source):
            facts += _of_prose(source.path, document, _Text.of(prose), place)
    heads = {places[row].table: cells for row, cells in rows.items() if row.info == "head"}
    labels = Counter((places[row].table, _label_of(cells)) for row, cells in rows.items())
    for row, cells in rows.items():
        place = places[row]
        if row.info != "head" and labels[place.table, _label_of(cells)] == 1:
            facts += _of_row(source.path, document, place, heads.get(place.table, []), cells)
    return facts


def _places(document: Document) -> dict[Block, _Place]:
    places: dict[Block, _Place] = {}
    stack: list[Block] = []
    headings = {heading.span: heading for heading in document.headings if not heading.nested}
    path: tuple[str, ...] = ()
    titled = bool(document.headings) and document.headings[0].level == 1
    for block in document.blocks:
        while stack and not stack[-1].span.contains(block.span):
            stack.pop()
        if block.kind == "heading" and block.span in headings:
            path = headings[block.span].path
        items = [outer for outer in stack if outer.kind == "item"]
        if block.kind == "paragraph" and items and items[-1].lines.start == block.lines.start:
            items.pop()
        parent = document.lines[items[-1].lines.start - 1].strip() if items else ""
        row = next((outer for outer in (block, *stack) if outer.kind == "row"), None)
        table = next((outer for outer in stack if outer.kind == "table"), None)
        within = block.kind == "item" or any(outer.kind == "item" for outer in stack)
        places[block] = _Place(path[1:] if titled else path, parent, within, row, table)
        stack.append(block)
    return places


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence between two commas or the like, with its numbers (spans count within the sentence)."""

    text: str
    begin: int
    numbers: list[Number]

    @property
    def dates(self) -> list[Number]:
        return [number for number in self.numbers if number.dimension == "date"]

    @property
    def number(self) -> Number | None:
        """The one number that it is about: its only quantity, else its only full date when it names a due date."""
        quantities = [number for number in self.numbers if number.is_quantity]
        if len(quantities) == 1:
            return quantities[0]
        dates = [number for number in self.dates if not number.unit.endswith("-00")]
        return dates[0] if not quantities and len(dates) == 1 and DUE.search(self.text) else None

    @property
    def restricts(self) -> bool:
        """Whether it narrows down what follows it: a condition, or the sizes of the case at hand."""
        return CONDITION.search(self.text) is not None or any(number.is_quantity for number in self.numbers)

    def before(self, number: Number) -> str:
        """What stands in front of a number, without dates."""
        text = self.text[: number.span.start - self.begin]
        for date in reversed(self.dates):
            start = date.span.start - self.begin
            if date.span.end <= number.span.start:
                text = text[:start] + " " + text[start + len(date.span) :]
        return text

    def after(self, number: Number) -> str:
        """What follows a number."""
        return self.text[number.span.end - self.begin :]


def _of_prose(path: str, document: Document, text: _Text, place: _Place) -> Iterator[Fact]:
    numbers = sorted(find_numbers(text.text), key=lambda number: number.span)
    starts = [number.span.start for number in numbers]
    for sentence in split(text.text):
        # Looked up, not searched: a paragraph of a megabyte holds tens of thousands of both.
        near = numbers[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
        inside = [number for number in near if sentence.contains(number.span)]
        whole = text.text[sentence.start : sentence.end]
        plain = narrow(whole)
        if not inside or ORDER.match(plain):
            continue
        moved = [replace(number, span=_moved(number.span, -sentence.start)) for number in inside]
        clauses = list(_clauses(plain, moved))
        for index, clause in enumerate(clauses):
            number = _stated(plain, clause)
            if number is not None:
                line = document.line_of(text.places[sentence.start + number.span.start])
                fact = _fact(path, line, number, plain, clauses[: index + 1], place)
                yield replace(fact, sentence=" ".join(whole.split()))


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _clauses(plain: str, numbers: Sequence[Number]) -> Iterator[_Clause]:
    begin = 0
    stops = [stop for stop in _CLAUSE.finditer(plain) if not any(_cuts(stop, number) for number in numbers)]
    for start, end in [*(stop.span() for stop in stops), (len(plain), len(plain))]:
        inside = [number for number in numbers if begin <= number.span.start and number.span.end <= start]
        yield _Clause(plain[begin:start], begin, inside)
        begin = end


def _cuts(stop: re.Match[str], number: Number) -> bool:
    return number.span.start < stop.end() and stop.start() < number.span.end


def _stated(sentence: str, clause: _Clause) -> Number | None:
    """The number that a clause states, None when it states none."""
    number = clause.number
    if number is None or not states(clause.text, number, clause.begin):
        return None
    if sentence.rstrip().endswith(":") and number.dimension != "count":
        return None  # "the limit is 8 GB:" opens an example
    return None if EXAMPLE.search(sentence[: clause.begin + len(clause.text)]) else number


def _fact(path: str, line: int, number: Number, sentence: str, clauses: Sequence[_Clause], place: _Place) -> Fact:
    """The fact of the last of `clauses`, which are those of the sentence up to it."""
    *earlier, clause = clauses
    before, after = clause.before(number), clause.after(number)
    lead = _lead(before, after, earlier)
    led = f"{lead.text if lead else ''} {before}"
    label = sentence[: max(clause.begin, number.span.start)].partition(":")
    return Fact(
        path,
        line,
        number,
        sentence,
        tidy(led) or tidy(after),
        words(led),
        words(after),
        aspect_of(before + after),
        frozenset(IDENTIFIER.findall(f"{led} {after}") or _named_by_label(label[0] if label[1] else "", clause.text)),
        frozenset(date.unit for part in clauses for date in part.dates if date is not number),
        next((part.text.strip() for part in reversed(earlier) if part is not lead and part.restricts), ""),
        place.headings,
        place.parent,
        words(label[0]) if label[1] else (),
        frozenset(PROPER.findall(f"{led} {after}")),
        alone=LABEL.fullmatch(before.strip()) is not None or BARE.match(before) is not None,
        item=place.item,
    )


def _lead(before: str, after: str, earlier: Sequence[_Clause]) -> _Clause | None:
    """The clause that names what a clause without a subject of its own (默认 10 秒) is about: the one before it."""
    own = (*words(ASPECT.sub("", before)), *words(after))
    return earlier[-1] if earlier and len(own) < 2 and not earlier[-1].restricts else None


def _named_by_label(label: str, clause: str) -> list[str]:
    """flushInterval：…，…，默认 5 秒: the one program name before the colon, for a clause that says a default."""
    names = IDENTIFIER.findall(label)
    return names if len(names) == 1 and len(label) < 60 and ASPECT.search(clause) else []


def _of_row(path: str, document: Document, place: _Place, head: list[_Text], cells: list[_Text]) -> Iterator[Fact]:
    label = cells[0].text if cells else ""
    if not any(character.isalpha() for character in label):
        return
    for index, cell in enumerate(cells[1:], 1):
        title = head[index].text if index < len(head) else ""
        numbers = [number for number in find_numbers(cell.text) if number.is_quantity]
        if len(numbers) != 1 or len(numbers[0].text) * 2 < len(cell.text.strip()):
            continue
        number = numbers[0]
        if not number.dimension and not IDENTIFIER.search(label):
            continue
        if not number.dimension:
            number = find_numbers(number.text + (_unit_of(title) or _unit_named(cells, index)))[0]
        yield Fact(
            path,
            document.line_of(cell.places[0]),
            number,
            " | ".join(part.text.strip() for part in cells),
            tidy(f"{label} {title}"),
            words(narrow(f"{label} {BRACKET.sub('', title)}")),
            (),
            aspect_of(title),
            frozenset(IDENTIFIER.findall(label)),
            context=place.headings,
            names=frozenset(PROPER.findall(label)),
            table=True,
        )


def _label_of(cells: list[_Text]) -> str:
    return cells[0].text.strip() if cells else ""


def _unit_of(title: str) -> str:
    found = BRACKET.search(title)
    return found[1] if found else ""


def _unit_named(cells: list[_Text], index: int) -> str:
    """The unit that another cell of the row names (单位毫秒, in milliseconds)."""
    for other in (*cells[:index], *cells[index + 1 :]):
        if found := UNIT_NAMED.search(other.text):
            return " " + (found[1] or found[2])
    return ""
