"""Conflicts: where the items of a bundle contradict each other on what is asked, so that an answer shows both values.

`find_contradictions` reads whole collections and keeps to the narrowest wording, since nobody asked. The few items of a
bundle were all found for one question: here two statements in other words are held against each other too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kaozheng.evidence.agreement import agree
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.contradictions import find_contradictions
from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.nearness import swapped
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.evidence.quotes import features
from kaozheng.evidence.superseding import superseded
from kaozheng.evidence.support import cuts, names_of
from kaozheng.evidence.wording import CONDITION, EXAMPLE, tidy, words
from kaozheng.sources.source import Source

_LETTERS = str.maketrans("0123456789", "abcdefghij")
_CLAUSE = re.compile(r"[，；。！？()（）\n|]|:(?=\D)|[;!?,](?=\s|[^\x00-\x7f])|\.(?=\s)|、(?=[^、]{6})")
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)、]) ?")
_SHARED = 0.75
_ASKED = 0.3
_FEWEST_HAN, _FEWEST_WORDS = 3, 2
_GENERIC = re.compile(
    r"(?:同比|环比|[比较]上[年月期]|其中|[分另]别|增长|下降|增加|减少|提高|降低|达到?|占|约|共|现有|现)"
)
_EVENT = re.compile(
    r"建成|投产|开工|竣工|完工|成立|设立|启用|发布|印发|施行|实施|生效|截止|到期|通车|开业|出生|逝世|毕业"
    r"|\b(?:found|open|built|complet|establish|effective|due|deadline|launch|releas|publish|born|died)",
    re.I,
)
_WHEN = re.compile(r"^\s*(?:in|by|on|during)\s{2,}", re.I)  # "In 2022 the rate was" restricts no more than a date does


@dataclass(frozen=True, slots=True)
class Stated:
    """A value as written, the label of the item that states it, and the sentence around it."""

    label: str
    value: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """One subject with two values or more."""

    about: str
    values: tuple[Stated, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only."""
        values = [{"label": one.label, "value": one.value, "sentence": one.sentence} for one in self.values]
        return {"about": self.about, "values": values}


def conflicts_of(bundle: EvidenceBundle, question: str = "") -> list[Conflict]:
    """The contradictions among the items, in the order of their labels; only those whose subject shares a word with the
    question, where there is one. Two years, two areas and the steps of a list are no contradiction."""
    asked = features(question)
    found: list[Conflict] = []
    for conflict in (*_changed(bundle), *_in_other_words(bundle), *_word_for_word(bundle)):
        values = {(one.label, one.value) for one in conflict.values}
        if any(values <= {(one.label, one.value) for one in known.values} for known in found):
            continue
        if (not asked or _is_about(conflict.about, asked)) and not _adds_up(conflict):
            found.append(conflict)
    order = {label: place for place, label in enumerate(bundle.labels)}
    return sorted(found, key=lambda conflict: order[conflict.values[0].label])


def _changed(bundle: EvidenceBundle) -> Iterator[Conflict]:
    """A value and what a later statement made of it: whoever reads the older one alone is misled."""
    for subject, newer, older in superseded(bundle):
        yield Conflict(subject, (Stated(*older), Stated(*newer)))


def _is_about(subject: str, asked: Counter[str]) -> bool:
    """Whether the question is about the subject: a word that both happen to have is too little."""
    own = features(subject).keys()
    return bool(own) and len(asked.keys() & own) >= _ASKED * min(len(own), len(asked))


def _adds_up(conflict: Conflict) -> bool:
    """Whether one value is worked out from another: 58, then 20 more, 78 together."""
    values = [number for one in conflict.values for number in find_numbers(narrow(one.value))[:1]]
    for stated in conflict.values:
        inside = find_numbers(narrow(stated.sentence))
        for total in inside:
            parts = [one for one in inside if one is not total and one.unit == total.unit and one.value > 0]
            if any(part.value + other.value == total.value for part in parts for other in values):
                return total.value in {one.value for one in values}
    return False


def _word_for_word(bundle: EvidenceBundle) -> Iterator[Conflict]:
    labels = {_path(item): item.label for item in bundle.items}
    sources = [Source.of(_text(item), _path(item), item.label) for item in bundle.items]
    for found in find_contradictions(sources):
        values = (Stated(labels[place.path], place.value.strip(), place.sentence) for place in found.places)
        yield Conflict(found.subject, tuple(values))


def _path(item: EvidenceItem) -> str:
    """The document's name, which may tell of its year, and the label in letters, whose number tells of nothing."""
    return f"{item.document}/{item.label.translate(_LETTERS)}.md"


def _text(item: EvidenceItem) -> str:
    return "\n\n".join((*_headings(item), item.text))


def _headings(item: EvidenceItem) -> Iterator[str]:
    for level, heading in enumerate((item.title, *item.path) if item.title else item.path, 1):
        yield f"{'#' * min(level, 6)} {' '.join(heading.split())}"


@dataclass(frozen=True, slots=True)
class _Statement:
    """A number and the words of its clause; `thing` is what a count counts, `dates` are those of the sentence and
    of the headings above it."""

    label: str
    sentence: str
    number: Number
    subject: str
    words: frozenset[str]
    thing: str
    dates: frozenset[str]
    names: frozenset[str]


def _in_other_words(bundle: EvidenceBundle) -> Iterator[Conflict]:
    statements = [statement for item in bundle.items for statement in _statements(item)]
    groups: list[list[_Statement]] = []
    for first, second in combinations(statements, 2):
        if first.label != second.label and _conflict(first, second):
            group = next((group for group in groups if first in group or second in group), None)
            if group is None:
                groups.append([first, second])
            else:
                group += [one for one in (first, second) if one not in group]
    for group in groups:
        values = tuple(Stated(one.label, one.number.text.strip(), one.sentence) for one in group)
        yield Conflict(group[0].subject, values)


def _statements(item: EvidenceItem) -> Iterator[_Statement]:
    above = " ".join((item.title, *item.path))
    for span in cuts(item.passage):
        sentence = _BULLET.sub("", " ".join(item.text[span.start : span.end].split()))
        plain = narrow(sentence)
        if EXAMPLE.search(plain):
            continue
        numbers = find_numbers(plain)
        dates = frozenset(one.unit[:4] for one in (*numbers, *find_numbers(above)) if one.dimension == "date")
        begin, before = 0, ""
        for stop in (*(found.span() for found in _CLAUSE.finditer(plain)), (len(plain), len(plain))):
            inside = [one for one in numbers if begin <= one.span.start and one.span.end <= stop[0]]
            if any(one.span.start < stop[1] and stop[0] < one.span.end for one in numbers):
                continue  # a comma within a number
            clause = plain[begin : stop[0]]
            number = _stated(clause, inside)
            said = _without(clause, begin, inside)
            own = frozenset(words(_GENERIC.sub("", said)))
            if number is not None and not CONDITION.search(_WHEN.sub("", said).strip()):
                led = own if _says_enough(own) else own | frozenset(words(before))
                subject = tidy(plain[begin : number.span.start]) or tidy(said)
                rest = plain[number.span.end : stop[0]]
                thing = _thing(plain[begin : number.span.start], rest)
                others = dates if number.dimension != "date" else frozenset()
                yield _Statement(item.label, sentence, number, subject, led, thing, others, names_of(clause))
            before, begin = said, stop[1]


def _stated(clause: str, inside: list[Number]) -> Number | None:
    """The one value of a clause: its only quantity, or its only date where it tells of an event."""
    quantities = [one for one in inside if one.is_quantity and one.dimension]
    if len(quantities) == 1:
        return quantities[0]
    dates = [one for one in inside if one.dimension == "date" and not one.unit.startswith("0000")]
    return dates[0] if not quantities and len(dates) == 1 and _EVENT.search(clause) else None


def _without(clause: str, begin: int, inside: list[Number]) -> str:
    parts, at = [], 0
    for number in inside:
        parts += [clause[at : number.span.start - begin], " "]
        at = number.span.end - begin
    return "".join((*parts, clause[at:]))


def _thing(before: str, after: str) -> str:
    """What is counted: the two characters behind the number, or those before it."""
    behind = re.match(rf"[{HAN}]{{1,2}}", after.strip())
    ahead = re.search(rf"[{HAN}]{{1,2}}$", _GENERIC.sub("", before.strip()))
    return behind[0] if behind else ahead[0] if ahead else ""


def _says_enough(said: frozenset[str]) -> bool:
    han = sum(len(word) == 1 for word in said)
    return han >= _FEWEST_HAN or len(said) - han >= _FEWEST_WORDS


def _conflict(first: _Statement, second: _Statement) -> bool:
    one, other = first.number, second.number
    if (one.dimension, one.unit if one.is_quantity else "") != (
        other.dimension,
        other.unit if other.is_quantity else "",
    ):
        return False
    if agree(one, other) or agree(other, one) or one.about != other.about:
        return False
    if one.dimension == "count" and first.thing != second.thing:
        return False
    if first.dates and second.dates and first.dates != second.dates:
        return False
    if not first.names <= second.names and not second.names <= first.names:
        return False
    smaller, larger = sorted((first.words, second.words), key=len)
    shared = smaller & larger
    if not _says_enough(shared) or len(shared) < _SHARED * len(smaller) or len(shared) * 2 < len(larger):
        return False
    return not swapped(first.sentence, second.sentence) and not swapped(second.sentence, first.sentence)
