"""The clauses of a sentence, and which words each of its numbers stands with: what tells a number that is right from
the right number in the wrong place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kaozheng.documents.characters import HAN
from kaozheng.evidence.agreement import agree
from kaozheng.evidence.carrying import claimed_numbers, without_numbers
from kaozheng.evidence.cues import DENIAL
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.nearness import content_words
from kaozheng.evidence.numbers import Number
from kaozheng.evidence.support import is_negated

_STOP = re.compile(
    r"[，；。！？;!?|\n]|,(?=\D|$)|\.(?=\s|$)|[：:](?=\D)|、(?=[^、]{6})|\s[—–-]\s|——|\b(?:but|whereas|while)\b"
)
_HAN = re.compile(f"[{HAN}]")
_DENYING = frozenset("不未没无非禁")
_FEWEST = 2
_ALIKE = 0.5
_SAME = 0.6
_CLOSE = 0.15
_CLEARLY = 0.3


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence between two commas or the like; `words` carry its meaning, without those that deny."""

    text: str
    start: int
    words: frozenset[str]
    negated: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """A number and the words that it stands with; dates near it count as words."""

    number: Number
    words: frozenset[str]


@lru_cache(maxsize=8192)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses that say something, in order."""
    return tuple(_clauses(text))


def _clauses(text: str) -> Iterator[Clause]:
    plain = narrow(text)
    at = 0
    for start, end in [*(stop.span() for stop in _STOP.finditer(plain)), (len(plain), len(plain))]:
        part = text[at:start]
        if any(character.isalnum() for character in part):
            negated = is_negated(part) or DENIAL.search(part) is not None
            yield Clause(part.strip(), at, content_words(without_numbers(part)) - _DENYING, negated)
        at = end


def reversed_in(claim: str, text: str) -> str:
    """The clause of `claim` whose counterpart in `text` says the opposite: one of both denies, the other does not; ""
    when there is none. The counterparts are the clauses that share most words; one that agrees is enough."""
    theirs = clauses_of(text)
    for clause in clauses_of(claim):
        if len(clause.words) < _FEWEST:
            continue
        best = max((_alike(clause, other) for other in theirs), default=0.0)
        most = max((len(clause.words & other.words) for other in theirs), default=0)
        near = [
            other
            for other in theirs
            if _alike(clause, other) >= max(best - _CLOSE, _ALIKE) and len(clause.words & other.words) * 2 > most
        ]
        # A clause that does not deny must be near indeed before it is held against one that does.
        if near and (clause.negated or best >= _SAME) and all(other.negated != clause.negated for other in near):
            return clause.text
    return ""


def _alike(clause: Clause, other: Clause) -> float:
    """The share of the words of the shorter one that both have; a clause of one word is like none."""
    fewest = min(len(clause.words), len(other.words))
    if fewest < _FEWEST:
        return 0.0
    shared = len(clause.words & other.words)
    return shared / fewest if shared >= _FEWEST else 0.0


@lru_cache(maxsize=8192)
def bound_numbers(text: str) -> tuple[Bound, ...]:
    """The numbers of a text that claim something, each with its words: in Chinese those before it in its clause, in
    English those on both sides up to the next number. Where it has too few, those of the clause before it too, and
    for a date those of the next one."""
    numbers = sorted(claimed_numbers(text), key=lambda number: number.span)
    found: list[Bound] = []
    before: frozenset[str] = frozenset()
    clauses = clauses_of(text)
    for order, clause in enumerate(clauses):
        end = clause.start + len(clause.text) + 1
        inside = [one for one in numbers if clause.start <= one.span.start < end]
        dates = {date for one in inside if one.dimension == "date" for date in _date_words(one)}
        for place, number in enumerate(inside):
            words = _words_of(text, clause, inside, place)
            if number.dimension == "date":  # 3月5日，董事会…: what happened then follows
                more = clauses[order + 1].words if order + 1 < len(clauses) else before
                found.append(Bound(number, words if len(words) >= _FEWEST else words | more))
            else:
                found.append(Bound(number, words | dates if len(words) >= _FEWEST else words | dates | before))
        if len(clause.words) >= _FEWEST:
            before = clause.words
    return tuple(found)


def _words_of(text: str, clause: Clause, inside: Sequence[Number], place: int) -> frozenset[str]:
    end = clause.start + len(clause.text) + 1
    number = inside[place]
    left = inside[place - 1].span.end if place else clause.start
    right = inside[place + 1].span.start if place + 1 < len(inside) else end
    before, after = text[left : number.span.start], text[number.span.end : max(right, number.span.end)]
    words = content_words(before)
    chinese = _HAN.search(clause.text) is not None
    if not chinese or number.dimension == "date" or len(words) < _FEWEST:
        words |= content_words(after)
    return words


def _date_words(date: Number) -> Iterator[str]:
    year, month, day = date.unit.split("-")
    if int(year):
        yield year
    if int(month):
        yield f"{month}-{day}"


def misplaced(claim: str, text: str) -> list[Number]:
    """The numbers of `claim` that `text` has, but says of something else: the words that they stand with stand there
    with another number of that kind."""
    theirs = bound_numbers(text)
    wrong = []
    for mine in bound_numbers(claim):
        same = [other for other in theirs if other.number.dimension == mine.number.dimension]
        common = Counter(word for other in same for word in other.words)
        agreeing, others = [0.0], [0.0]
        for other in same:
            agrees = agree(mine.number, other.number) or agree(other.number, mine.number)
            (agreeing if agrees else others).append(_share(mine, other, common))
        if len(agreeing) > 1 and max(others) - max(agreeing) >= _CLEARLY:
            wrong.append(mine.number)
    return wrong


def _share(mine: Bound, other: Bound, common: Counter[str]) -> float:
    """The share of the words of a number that stand with another one; those that stand with many tell little."""
    total = sum(1 / (common[word] or 1) for word in mine.words)
    return sum(1 / common[word] for word in mine.words & other.words) / total if total else 0.0
