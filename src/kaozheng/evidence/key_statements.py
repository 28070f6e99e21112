"""The statements of a text that a summary is held against: sentences, list items and table rows that hold a fact."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kaozheng.documents.sentences import split
from kaozheng.documents.span import Span
from kaozheng.evidence.clauses import clauses_of
from kaozheng.evidence.folding import fold
from kaozheng.evidence.key_facts import KeyFact, facts_in
from kaozheng.evidence.quotes import locate_folded
from kaozheng.evidence.weighing import Told, weigh
from kaozheng.sources.passage import Passage

_UNREAD = frozenset({"code", "math"})
_RULE = re.compile(r"[ \t|:+-]*-[ \t|:+-]*")
_ITEM = re.compile(
    r"^[ \t]*(?:>[ \t]?)*(?:[-*+•·][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)、．][ \t]*(?!\d)|[（(]\d{1,3}[)）][ \t]*"
    r"|[①-⑳][ \t]*)",
    re.M,
)
_LEADING = re.compile(r"(?:[ \t>]|#{1,6}[ \t])*")
_OPEN = re.compile(r"[：:，,、]\s*[*_]*$")  # what leads into something else says nothing without it
_ONLY_LINK = re.compile(r"\s*!?\[[^\]]*\]\([^)]*\)[.。]?\s*")
_DISTANT = 2
_FEWEST_WORDS = 3
_BY_ITSELF = frozenset({"number", "date", "name", "listed"})


@dataclass(frozen=True, slots=True)
class KeyStatement:
    """A sentence, list item or table row, word for word. `span` is its place in the text of the passage with this id;
    `weight` orders statements by how much a reader would miss them."""

    text: str
    passage: str
    span: Span
    facts: tuple[KeyFact, ...]
    weight: float

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> KeyStatement:
        """Back from `dataclasses.asdict`, also by way of JSON."""
        facts = tuple(KeyFact(**fact) for fact in data["facts"])
        return cls(data["text"], data["passage"], Span(**data["span"]), facts, data["weight"])


def key_statements(passages: Sequence[Passage], language: str, listed: Sequence[str] = ()) -> list[KeyStatement]:
    """The statements of all passages that hold a fact, in the order of the text. `listed` are facts that a model named:
    each stands with the statement that has it word for word; one that no passage has is left out."""
    named = _places_of(listed, passages)
    borders = _borders(passages)
    found: list[tuple[Passage, Span, Told]] = []
    for passage in passages:
        row = passage.kind == "table"
        for span in statement_spans(passage):
            text = passage.text[span.start : span.end]
            extra = [KeyFact("listed", fact) for place, fact in named.get(passage.id, ()) if place.overlaps(span)]
            facts = (*facts_in(text, row), *extra)
            if facts and (row or not _OPEN.search(text)) and _says_something(text, facts):
                found.append((passage, span, Told(text, facts, passage.path, passage.id in borders, row)))
    weights = weigh([told for _, _, told in found])
    return [
        KeyStatement(told.text, passage.id, span, told.facts, weight)
        for (passage, span, told), weight in zip(found, weights, strict=True)
    ]


def statement_spans(passage: Passage) -> Iterator[Span]:
    """The places in a passage's text of what is said in one breath: sentences of prose and of list items (which may go
    on over several lines), rows of a table without its head. Nothing in code and formulas."""
    text = passage.text
    if passage.kind in _UNREAD:
        return
    if passage.kind == "table":
        yield from _rows(text)
    elif passage.kind in ("list", "item"):
        yield from _items(text)
    else:
        yield from _sentences(text, 0, len(text))


def _says_something(text: str, facts: Sequence[KeyFact]) -> bool:
    """Whether it says something by itself: 不行。 and "No." answer what is gone."""
    return (
        any(fact.kind in _BY_ITSELF for fact in facts)
        or sum(len(clause.words) for clause in clauses_of(text)) >= _FEWEST_WORDS
    )


def _rows(text: str) -> Iterator[Span]:
    lines = [found.span() for found in re.finditer(r"[^\n]+", text)]
    rules = {index for index, (start, end) in enumerate(lines) if _RULE.fullmatch(text, start, end)}
    for index, (start, end) in enumerate(lines):
        row = text[start:end]
        if index not in rules and index + 1 not in rules and any(map(str.isalnum, row)):
            yield Span(start + len(row) - len(row.lstrip()), start + len(row.rstrip()))


def _items(text: str) -> Iterator[Span]:
    marks = [found.span() for found in _ITEM.finditer(text)]
    if not marks or marks[0][0] > 0:
        marks.insert(0, (0, 0))
    for (_, start), (end, _) in pairwise([*marks, (len(text), len(text))]):
        yield from _sentences(text, start, end)


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    for span in split(text[start:end]):
        first = start + span.start
        first += len(_LEADING.match(text, first, start + span.end)[0])  # type: ignore[index]  # may be empty
        said = text[first : start + span.end]
        if any(map(str.isalnum, said)) and not _ONLY_LINK.fullmatch(said):
            yield Span(first, start + span.end)


def _borders(passages: Sequence[Passage]) -> frozenset[str]:
    """The passages at the beginning and the end of each section, where what matters is said first or once more."""
    sections: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for passage in passages:
        if passage.kind not in _UNREAD:
            sections[passage.source, passage.path].append(passage.id)
    return frozenset(id for ids in sections.values() if len(ids) > _DISTANT for id in (ids[0], ids[-1]))


def _places_of(listed: Sequence[str], passages: Sequence[Passage]) -> dict[str, list[tuple[Span, str]]]:
    """Passage id -> the places of listed facts in its text; each fact once, where it stands first."""
    places: dict[str, list[tuple[Span, str]]] = defaultdict(list)
    # Folded once: a book has thousands of passages, and thousands of facts are looked for in each.
    left = {fact: fold(fact)[0].strip(" .,;:!?\"'") for fact in listed if fact.strip()}
    for passage in passages if left else ():
        folded = fold(passage.text)
        for fact in [fact for fact, wanted in left.items() if wanted in folded[0]]:
            if place := locate_folded(fact, folded):
                places[passage.id].append((place, fact))
                del left[fact]
    return places
