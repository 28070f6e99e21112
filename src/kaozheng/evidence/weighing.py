"""How much a reader would miss a statement: what it holds, what it does in the text, where it stands, how much the rest
of the text speaks of the same."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.cues import CONCLUSION, COURTESY, DEADLINE, DECISION, DENIAL, HISTORY, REQUIREMENT
from kaozheng.evidence.key_facts import KeyFact
from kaozheng.evidence.wording import EXAMPLE
from kaozheng.sources.ranking import FUNCTION_TERMS, terms

_UNIT = re.compile(r"\D\s*$|^[$€£¥]")
_QUESTION = re.compile(r"[?？][\"”’)）]*\s*$")
_POINTS = re.compile(
    r"[\s*_#>|•-]*(?:[这那该此它他她其]|上述|前者|后者|另外|此外|(?:this|that|these|those|it|he|she|they|such)\b)", re.I
)
_SHORT: Final = 8  # tokens: below it a statement hardly says anything by itself
_TELLING: Final = 8  # words that show what a statement is about
_LEAST: Final = 0.85  # of the usual length, for what is shorter: being short is no merit
_USUAL: Final = 30  # tokens of a usual sentence


@dataclass(frozen=True, slots=True)
class Weights:
    """What each trait adds to a statement."""

    figure: float = 0.7
    bare: float = 0.5
    date: float = 0.7
    name: float = 0.1
    negation: float = 0.8
    decision: float = 1.0
    requirement: float = 0.8
    conclusion: float = 0.9
    deadline: float = 1.0
    listed: float = 2.0
    first: float = 0.05
    border: float = 0.2
    heading: float = 0.8
    common: float = 2.6
    example: float = -1.2
    courtesy: float = -1.2
    history: float = -0.5
    question: float = -0.75
    pointing: float = -0.1
    short: float = -0.5
    row: float = -0.4
    length: float = 0.4
    """The power of its length by which the sum is divided: a long statement is no better for holding more."""


WEIGHTS: Final = Weights()


@dataclass(frozen=True)
class Told:
    """A statement before it is weighed. `passage` and `path` say where it stands; `at_border`: in the first or last
    passage of its text or section; `row`: of a table."""

    text: str
    facts: tuple[KeyFact, ...]
    path: tuple[str, ...]
    at_border: bool
    row: bool

    @cached_property
    def terms(self) -> frozenset[str]:
        """What it speaks of, without what any text has."""
        return frozenset(terms(self.text)) - FUNCTION_TERMS

    @property
    def kinds(self) -> Counter[str]:
        """How many facts of each kind it has."""
        return Counter(fact.kind for fact in self.facts)


def weigh(told: Sequence[Told], weights: Weights = WEIGHTS) -> list[float]:
    """The weight of each statement among all of them, in their order. Above 0."""
    common = Counter(term for one in told for term in one.terms)
    headings: dict[tuple[str, ...], frozenset[str]] = {}
    seen: set[str] = set()
    found = []
    for one in told:
        above = headings.setdefault(one.path, frozenset(terms(" ".join(one.path))) - FUNCTION_TERMS)
        names = {fact.text for fact in one.facts if fact.kind == "name"}
        new = len(names - seen)
        seen |= names
        total = _of_facts(one, weights) + _of_cues(one.text, weights)
        total += weights.first * min(new, 2) + weights.border * one.at_border + weights.row * one.row
        total += weights.heading * _share(one.terms, above) + weights.common * _centrality(one.terms, common)
        length = estimate_tokens(one.text)
        total += weights.short * (length < _SHORT)
        found.append(max(total, 0.05) / max(length / _USUAL, _LEAST) ** weights.length)
    return found


def _of_facts(one: Told, weights: Weights) -> float:
    kinds = one.kinds
    figures = [fact for fact in one.facts if fact.kind == "number"]
    with_unit = sum(1 for fact in figures if _UNIT.search(fact.text))
    total = weights.figure * _fading(with_unit) + weights.bare * _fading(len(figures) - with_unit)
    total += weights.date * _fading(kinds["date"]) + weights.name * _fading(kinds["name"])
    return total + weights.negation * bool(kinds["negation"]) + weights.listed * bool(kinds["listed"])


def _fading(count: int) -> float:
    """1 for one, 1.4 for two, at most 1.7: five figures in a row are details."""
    return min(math.sqrt(count), 1.7)


def _of_cues(text: str, weights: Weights) -> float:
    total = weights.decision * bool(DECISION.search(text) or DENIAL.search(text))
    total += weights.requirement * bool(REQUIREMENT.search(text)) + weights.conclusion * bool(CONCLUSION.search(text))
    total += weights.deadline * bool(DEADLINE.search(text)) + weights.example * bool(EXAMPLE.search(text))
    total += weights.courtesy * bool(COURTESY.search(text)) + weights.history * bool(HISTORY.search(text))
    return total + weights.question * bool(_QUESTION.search(text)) + weights.pointing * bool(_POINTS.match(text))


def _share(mine: frozenset[str], others: frozenset[str]) -> float:
    """How much of a heading a statement takes up."""
    return len(mine & others) / len(others) if others else 0.0


def _centrality(mine: frozenset[str], common: Counter[str]) -> float:
    """How much the other statements speak of what this one speaks of, by its most common words; 0.0 to about 1.0."""
    most = heapq.nlargest(_TELLING, (common[term] for term in mine))
    return sum(math.log(count) for count in most) / _TELLING / math.log(30)
