"""Contradictions between sources: one subject, one unit, two values, two places.

Precision comes first: a reader who is shown three false findings reads no fourth. What differs in date, heading,
list item or condition is therefore taken as two facts, and a subject that says little counts for nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePosixPath

from kaozheng.documents.document import Document
from kaozheng.evidence.bilingual import twins
from kaozheng.evidence.facts import Fact, facts_of
from kaozheng.sources.source import Source

_MOST_VALUES = 3
_ORDER = re.compile(r"(?<![\w-])\d{1,3}(?=[-_. 、])(?![-_.]\d)")
_MOST_FACTS = 100
_WEAK = 1.5
_STRONG = 2.5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: path, 1-based line, the value as written, and the sentence around it."""

    path: str
    line: int
    value: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One subject that has two values or more. `unit` is the canonical unit that the values were compared in."""

    subject: str
    unit: str
    places: list[Place]


def find_contradictions(sources: Sequence[Source]) -> list[Contradiction]:
    """The contradictions among the statements of all sources, in the order of their first place."""
    titles = {source.path: source.title for source in sources}
    found: list[Contradiction] = []
    groups: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for source in sources:
        document = Document(source.text)
        found += [_contradiction(pair) for pair in twins(source, document)]
        for fact in facts_of(source, document):
            for key in _keys(fact):
                groups[key].append(fact)
    seen: set[tuple[str, int, str]] = set()
    for facts in groups.values():
        for pair in _differing(facts, titles):
            marks = {(fact.path, fact.line, fact.number.text) for fact in pair}
            if not marks <= seen:
                seen |= marks
                found.append(_contradiction(pair))
    order = {source.path: index for index, source in enumerate(sources)}
    return sorted(found, key=lambda item: (order[item.places[0].path], item.places[0].line))


def _keys(fact: Fact) -> Iterator[tuple[object, ...]]:
    """Under which keys a fact may meet another about the same subject."""
    if fact.identifiers and fact.aspect:
        for identifier in fact.identifiers:
            yield ("identifier", identifier.casefold(), fact.aspect)
    if fact.before:
        han = any(len(word) == 1 for word in fact.before)
        words = fact.before if han else tuple(sorted(fact.before))
        unit = fact.number.unit if fact.number.is_quantity else ""
        yield ("words", words, fact.number.dimension, unit)


def _differing(facts: list[Fact], titles: dict[str, str]) -> Iterator[list[Fact]]:
    """Groups of facts of one key that contradict each other; a key with many values is a series and none."""
    values = {fact.number.value for fact in facts}
    files = {fact.path for fact in facts}
    if len(facts) > _MOST_FACTS or len(values) < 2 or len(values) > (_MOST_VALUES if len(files) > 1 else 2):
        return
    rows = {(fact.path, fact.number.value) for fact in facts if fact.table}
    if len(rows) > len({path for path, _ in rows}):
        return  # a name with two values in the tables of one file belongs to two things
    chosen: list[Fact] = []
    for first, second in combinations(facts, 2):
        if _contradict(first, second) and _same_subject(first, second, titles):
            chosen += [fact for fact in (first, second) if fact not in chosen]
    if chosen:
        yield chosen


def _contradict(first: Fact, second: Fact) -> bool:
    """Whether the two numbers can't both be right: same dimension, apart by more than their rounding."""
    one, other = first.number, second.number
    if one.dimension != other.dimension:
        return False
    if one.dimension == "date":
        pairs = list(zip(one.unit.split("-"), other.unit.split("-"), strict=True))
        return any(mine != theirs and int(mine) and int(theirs) for mine, theirs in pairs)
    if one.unit != other.unit:
        return False
    room = max(one.step, other.step) / 2
    if "~" in (one.about, other.about):
        room = max(room, max(abs(one.value), abs(other.value)) / 10)
    return abs(one.value - other.value) > room and _bounds_clash(first, second)


def _bounds_clash(first: Fact, second: Fact) -> bool:
    one, other = first.number, second.number
    if one.about == other.about or not {one.about, other.about} & {"<", ">"}:
        return True
    bound, value = (one, other) if one.about in ("<", ">") else (other, one)
    return value.value > bound.value if bound.about == "<" else value.value < bound.value


def _same_subject(first: Fact, second: Fact, titles: dict[str, str]) -> bool:
    if first.path == second.path and _parallel(first, second):
        return False
    if first.dates != second.dates or first.condition != second.condition or first.parent != second.parent:
        return False
    if first.identifiers & second.identifiers and first.aspect:
        same = (first.identifiers, first.names, first.aspect) == (second.identifiers, second.names, second.aspect)
        return same and not (first.table and second.table and first.path == second.path)
    if first.table and second.table:
        return False
    if first.label and second.label and first.label != second.label:
        return False
    if first.after != second.after and (first.number.dimension == "count" or (first.after and second.after)):
        return False
    return _strong_enough(first, second, titles)


def _parallel(first: Fact, second: Fact) -> bool:
    """Whether both stand side by side in one file, where a writer lists what differs."""
    return first.sentence == second.sentence or (first.item and second.item)


def _strong_enough(first: Fact, second: Fact, titles: dict[str, str]) -> bool:
    """Whether the subject says enough to be the same thing in both places."""
    strength = _weight(first.before)
    if first.after == second.after and strength >= 1.0:
        strength += _weight(first.after)
    if strength < _WEAK or _dated_apart(first, second, titles):
        return False
    shorter, longer = sorted((first.context, second.context), key=len)
    together = longer[: len(shorter)] == shorter
    if first.path == second.path:
        return together
    if first.alone or second.alone:
        return together and (titles[first.path] == titles[second.path] or not _titled(first, second, titles))
    return strength >= _STRONG or together


def _weight(words: Sequence[str]) -> float:
    """How much words say: one for a word, half for a Han character."""
    return sum(0.5 if len(word) == 1 else 1.0 for word in words)


def _titled(first: Fact, second: Fact, titles: dict[str, str]) -> bool:
    """Whether both files say by a heading of their own what they are about."""
    return all(titles[fact.path] != PurePosixPath(fact.path).stem for fact in (first, second))


def _dated_apart(first: Fact, second: Fact, titles: dict[str, str]) -> bool:
    """Minutes of two meetings and reports of two years each speak of their own day.

    A number that only orders the files ("03-hub.md", "04-rollout.md") says nothing, unless it is all that differs.
    """
    named = [titles[fact.path] + " " + fact.path for fact in (first, second)]
    serial = [re.sub(r"\d+", "0", name) for name in named]
    if serial[0] != serial[1]:
        named = [_ORDER.sub("", name) for name in named]
    one, other = (re.findall(r"\d+", name) for name in named)
    return bool(one and other) and one != other


def _contradiction(facts: Iterable[Fact]) -> Contradiction:
    chosen = list(facts)
    places = [Place(fact.path, fact.line, fact.number.text, fact.sentence) for fact in chosen]
    return Contradiction(chosen[0].subject, chosen[0].number.unit, places)
