"""The facts of one sentence: what must not be lost when it is said shorter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from kaozheng.evidence.carrying import claimed_numbers
from kaozheng.evidence.clauses import clauses_of
from kaozheng.evidence.cues import CONCLUSION, DEADLINE, DECISION, REQUIREMENT
from kaozheng.evidence.numbers import Number
from kaozheng.evidence.proper_names import proper_names
from kaozheng.evidence.support import is_negated

_COUNTED = frozenset("个次种方类件")
_SMALL = 3
Kind = Literal["number", "date", "name", "negation", "conclusion", "listed"]


@dataclass(frozen=True, slots=True)
class KeyFact:
    """One fact of a statement. `text` is the number with its unit, the date or the name as the statement has it; the
    clause that denies or concludes; or, where a model listed it, the model's words."""

    kind: Kind
    text: str


def facts_in(sentence: str, row: bool = False) -> tuple[KeyFact, ...]:
    """The facts of a sentence (a `row` of a table: bare numbers too), numbers and dates first, each once."""
    found = [KeyFact(kind_of(number), number.text.strip()) for number in numbers_in(sentence, row)]
    found += [KeyFact("name", name) for name in proper_names(sentence)]
    found += _of_clauses(sentence)
    return tuple(dict.fromkeys(found))


def numbers_in(sentence: str, row: bool = False) -> Iterator[Number]:
    """Its numbers with their units, dates and document numbers; bare figures only of two digits and more, or in a
    `row`. What only numbers a point of a list, and ids such as Q3, are none."""
    for number in claimed_numbers(sentence):
        if number.dimension == "id" or _is_said_by_the_way(number):
            continue
        if number.dimension or row or number.digits > 1:
            yield number


def _is_said_by_the_way(number: Number) -> bool:
    """两个, 三方: small counts in Han numerals are words rather than figures."""
    return number.unit in _COUNTED and abs(number.value) <= _SMALL and not any(map(str.isdigit, number.text))


def kind_of(number: Number) -> Kind:
    """What kind of fact a number is: a point in time, or a quantity or document number."""
    return "date" if number.dimension in ("date", "clock") else "number"


def _of_clauses(sentence: str) -> Iterator[KeyFact]:
    for clause in clauses_of(sentence):
        if is_negated(clause.text):
            yield KeyFact("negation", clause.text)
        elif any(cue.search(clause.text) for cue in (DECISION, REQUIREMENT, CONCLUSION, DEADLINE)):
            yield KeyFact("conclusion", clause.text)
