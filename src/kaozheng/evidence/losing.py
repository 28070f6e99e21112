"""What a summary lost: which statements of a text none of its sentences says, and what of them is gone.

A number that stands somewhere is not kept: it must stand in a sentence (or two neighbours) that speaks of the same,
with the words that it belongs to. An index over the summary's words finds the sentences to look at.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from kaozheng.documents.span import Span
from kaozheng.evidence.agreement import agree
from kaozheng.evidence.carrying import Ground, roughly, same_figure, without_numbers
from kaozheng.evidence.clauses import misplaced, reversed_in, unbound
from kaozheng.evidence.folding import fold
from kaozheng.evidence.key_facts import KeyFact, kind_of, numbers_in
from kaozheng.evidence.key_statements import KeyStatement
from kaozheng.evidence.naming import names_name
from kaozheng.evidence.nearness import content_words
from kaozheng.evidence.numbers import Number
from kaozheng.evidence.quotes import features

_LOOKED_AT = 6
_SAME = 0.25
_SAME_WITHOUT_FIGURES = 0.4
_CONCLUDED = 0.45
_PART = 0.6
_THIN = 6
_FEWEST = 3
_ROUNDED = Decimal("0.05")


@dataclass(frozen=True, slots=True)
class Loss:
    """A statement that the summary does not carry, and which of its facts are gone: all of them where no sentence
    speaks of the same."""

    statement: KeyStatement
    missing: tuple[KeyFact, ...]


def lost(statements: Sequence[KeyStatement], summary: Sequence[str]) -> list[Loss]:
    """The statements of which the summary (its sentences in order) lost a fact, in the order given."""
    index = _Index(summary)
    said = [_Said(statement) for statement in statements]
    common = Counter(feature for one in said for feature in {*one.features, *one.compared})
    weights = {feature: math.log(1 + len(said) / count) for feature, count in common.items()}
    losses = (_loss(one, index, weights) for one in said)
    return [loss for loss in losses if loss is not None]


def _loss(said: _Said, index: _Index, weights: Mapping[str, float]) -> Loss | None:
    if index.has(said.folded):
        return None
    places = index.near(said, weights)
    # Looked for in all that speaks of it: a sentence alone may hide that another one has its words with another number.
    wrong = {number.span for number in misplaced(said.statement.text, index.text_of(places))}
    best: tuple[int, float] | None = None
    missing = said.statement.facts
    for window in index.windows(places):
        share = said.share(window.features, weights)
        gone = _missing(said, window, share, wrong)
        if best is None or (len(gone), -share) < best:
            best, missing = (len(gone), -share), gone
        if not gone:
            return None
    return Loss(said.statement, missing)


class _Said:
    """A statement with what is compared."""

    def __init__(self, statement: KeyStatement) -> None:
        self.statement = statement
        self.names = [fact.text for fact in statement.facts if fact.kind == "name"]
        plain = without_numbers(statement.text)
        self.features = features(plain)
        for name in self.names:
            plain = plain.replace(name, " ")
        bare = features(plain)
        # Names are looked up by themselves: where there are words beside them, these tell whether it is the same.
        self.compared = bare if len(bare) >= _FEWEST else self.features
        self.folded = fold(statement.text)[0].strip(" .,;:!?\"'")

    @cached_property
    def words(self) -> frozenset[str]:
        return content_words(without_numbers(self.statement.text))

    @cached_property
    def numbers(self) -> list[tuple[KeyFact, Number]]:
        """Each number with the fact that it is."""
        wanted = set(self.statement.facts)
        found = numbers_in(self.statement.text, row=True)
        pairs = ((KeyFact(kind_of(number), number.text.strip()), number) for number in found)
        return [(fact, number) for fact, number in pairs if fact in wanted]

    def share(self, others: Counter[str], weights: Mapping[str, float]) -> float:
        """The weighted share of its words that a window has."""
        total = have = 0.0
        for feature, count in self.compared.items():
            weight = weights[feature]
            total += count * weight
            have += min(count, others[feature]) * weight
        return have / total if total else 1.0


@dataclass(frozen=True)
class _Window:
    """A sentence of the summary, or two neighbours."""

    text: str

    @cached_property
    def ground(self) -> Ground:
        return Ground(self.text)

    @cached_property
    def features(self) -> Counter[str]:
        return features(without_numbers(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        return content_words(without_numbers(self.text))


class _Index:
    """The sentences of a summary by their words."""

    def __init__(self, summary: Sequence[str]) -> None:
        self._windows = {(place, place): _Window(sentence) for place, sentence in enumerate(summary)}
        self._windows |= {
            (place, place + 1): _Window(f"{first}\n{second}") for place, (first, second) in enumerate(pairwise(summary))
        }
        self._places: dict[str, list[int]] = defaultdict(list)
        for place in range(len(summary)):
            for feature in self._windows[place, place].features:
                self._places[feature].append(place)
        self._folded = "\n".join(fold(sentence)[0] for sentence in summary)

    def has(self, folded: str) -> bool:
        """Whether a statement stands there word for word, and not behind a word that may turn it round."""
        at = self._folded.find(folded) if folded else -1
        return at == 0 or (at > 0 and not self._folded[at - 1].isalnum())

    def near(self, said: _Said, weights: Mapping[str, float]) -> list[int]:
        """The places of the sentences that share most with a statement, most first."""
        scores: dict[int, float] = defaultdict(float)
        for feature in said.features:
            for place in self._places.get(feature, ()):
                scores[place] += weights[feature]
        return sorted(scores, key=lambda place: (-scores[place], place))[:_LOOKED_AT]

    def text_of(self, places: Sequence[int]) -> str:
        """These sentences and their neighbours, a line each."""
        wider = sorted({near for place in places for near in (place - 1, place, place + 1)})
        return "\n".join(self._windows[place, place].text for place in wider if (place, place) in self._windows)

    def windows(self, places: Sequence[int]) -> Iterator[_Window]:
        """Each of these sentences, then each with a neighbour."""
        keys = [(place, place) for place in places]
        keys += [pair for place in places for pair in ((place - 1, place), (place, place + 1))]
        for key in dict.fromkeys(keys):
            if key in self._windows:
                yield self._windows[key]


def _missing(said: _Said, window: _Window, share: float, wrong: Set[Span]) -> tuple[KeyFact, ...]:
    """The facts of a statement that a window does not have; all when it speaks of something else, or says the
    opposite."""
    facts = said.statement.facts
    if share < _SAME and not _is_part_of(window, said):
        return facts
    text = said.statement.text
    turned = reversed_in(text, window.text)
    if turned and not any(fact.kind == "negation" and fact.text == turned for fact in facts):
        return facts
    loose = {number.span for number in unbound(text, window.text)} | wrong
    gone = {fact for fact, number in said.numbers if number.span in loose or not _has_number(number, window)}
    gone |= {fact for fact in facts if fact.kind == "name" and not names_name(fact.text, window.text)}
    gone |= {
        fact
        for fact in facts
        if fact.kind in ("negation", "listed") and (turned == fact.text or not _says(fact, said, window))
    }
    figures = len(said.numbers) - sum(fact in gone for fact, _ in said.numbers)
    enough = share >= (_SAME if figures else _SAME_WITHOUT_FIGURES)
    gone |= {
        fact
        for fact in facts
        if fact.kind == "conclusion" and not _says(fact, said, window) and not (enough and _is_thin(fact))
    }
    return tuple(fact for fact in facts if fact in gone)


def _is_part_of(window: _Window, said: _Said) -> bool:
    """Whether a window only says a part of what the statement says: most of its own words stand there."""
    shared = len(window.words & said.words)
    return shared >= _FEWEST and shared >= _PART * len(window.words)


def _is_thin(fact: KeyFact) -> bool:
    """调查组认定: a clause that says who concludes, and nothing that could be missed."""
    return len(content_words(fact.text)) <= _THIN


def _says(fact: KeyFact, said: _Said, window: _Window) -> bool:
    """Whether a window has half of the words of a clause (its names are looked up by themselves), and says it the same
    way round."""
    plain = fact.text
    for name in said.names:
        plain = plain.replace(name, " ")
    words = content_words(without_numbers(plain))
    if len(words & window.words) < _CONCLUDED * len(words):
        return False
    return not reversed_in(fact.text, window.text)


def _has_number(number: Number, window: _Window) -> bool:
    return any(_keeps(number, other) for other in window.ground.numbers)


def _keeps(number: Number, other: Number) -> bool:
    """Whether a number of the summary says what a number of the text does: the same, rounded a little, or more
    exact; a date with its smallest part."""
    if number.dimension == "date" == other.dimension:
        return agree(other, number) and _finest(other.unit) >= _finest(number.unit)
    if agree(number, other) or same_figure(number, other):
        return True
    near = abs(abs(other.value) - abs(number.value)) <= _ROUNDED * abs(number.value)
    return (agree(other, number) or (bool(other.about) and roughly(other, number))) and (
        near or not number.is_quantity or not (number.dimension and other.dimension)
    )


def _finest(date: str) -> int:
    """1 for a year, 2 for a month, 3 for a day."""
    return max((place for place, part in enumerate(date.split("-"), 1) if int(part)), default=0)
