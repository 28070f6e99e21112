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
_NEXT = re.compile("[、和与及]")
_DENYING = frozenset("不未没无非禁")
_FEWEST = 2
_ENOUGH = 4
_ENDS = tuple("。！？!?.\n|")
_ALIKE = 0.5
_SAME = 0.6
_CLOSE = 0.15
_NEARLY = 0.75
_DENIED = 0.3
_CLEARLY = 0.3
_BOUND = 0.25


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence between two commas or the like; `words` carry its meaning, without those that deny."""

    text: str
    start: int
    end: int
    words: frozenset[str]
    negated: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """A number and the words that it stands with; dates near it count as words. `words` are those that it surely
    belongs to, `around` all that it may belong to; `clause` counts the clauses of the text."""

    number: Number
    words: frozenset[str]
    around: frozenset[str]
    clause: int


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
            yield Clause(part.strip(), at, start, content_words(without_numbers(part)) - _DENYING, negated)
        at = end


def reversed_in(claim: str, text: str) -> str:
    """The clause of `claim` whose counterparts in `text` all say the opposite: it denies and they do not, or the other
    way round; "" when there is none. The counterparts are the clauses that share most words."""
    mine, theirs = clauses_of(claim), [clause for line in text.split("\n") for clause in clauses_of(line)]
    for clause in mine:
        if len(clause.words) >= _FEWEST and _is_reversed(clause, mine, theirs):
            return clause.text
    return ""


def denial_dropped(claim: str, text: str) -> str:
    """The clause of `text` that denies what `claim`, which denies nothing, says with nearly all of its words; "" when
    there is none."""
    mine = clauses_of(claim)
    if any(clause.negated for clause in mine):
        return ""
    said = frozenset().union(*(clause.words for clause in mine))
    for clause in clauses_of(text):
        if clause.negated and len(clause.words) >= _FEWEST and len(clause.words & said) >= _NEARLY * len(clause.words):
            return clause.text
    return ""


def _is_reversed(clause: Clause, mine: Sequence[Clause], theirs: Sequence[Clause]) -> bool:
    best = max((_alike(clause, other) for other in theirs), default=0.0)
    most = max((len(clause.words & other.words) for other in theirs), default=0)
    near = [
        other
        for other in theirs
        if _alike(clause, other) >= max(best - _CLOSE, _ALIKE) and len(clause.words & other.words) * 2 > most
    ]
    if not near or any(other.negated == clause.negated for other in near):
        return False
    if clause.negated:  # a denial may stand in a clause of its own: 申请，会议没有同意
        verb = DENIAL.search(clause.text)
        return not any(
            other.negated
            and (_alike(clause, other) >= _DENIED or (verb is not None and verb[0].casefold() in other.text.casefold()))
            for other in theirs
        )
    if any(own.negated and _alike(own, other) >= _DENIED for own in mine for other in near):
        return False  # both deny it, here in a clause of its own
    return best >= _SAME  # near indeed, to be held against one that denies


def _alike(clause: Clause, other: Clause) -> float:
    """The share of the words of the shorter one that both have; a clause of one word is like none."""
    fewest = min(len(clause.words), len(other.words))
    if fewest < _FEWEST:
        return 0.0
    shared = len(clause.words & other.words)
    return shared / fewest if shared >= _FEWEST else 0.0


@lru_cache(maxsize=8192)
def bound_numbers(text: str) -> tuple[Bound, ...]:
    """The quantities and dates of a text with their words: in Chinese those before it in its clause, in English those
    on both sides up to the next number. Where it has too few, those of the clause before it too, and for a date those
    of the next one."""
    numbers = sorted(claimed_numbers(text), key=lambda number: number.span)
    found: list[Bound] = []
    before: frozenset[str] = frozenset()
    clauses = clauses_of(text)
    for order, clause in enumerate(clauses):
        inside = [one for one in numbers if clause.start <= one.span.start < clause.end]
        dates = {date for one in inside if one.dimension == "date" for date in _date_words(one)}
        for place, number in enumerate(inside):
            if number.is_quantity or number.dimension == "date":
                words, around = _words_of(text, clause, inside, place)
                if number.dimension == "date":  # 3月5日，董事会…: what happened then follows
                    more = clauses[order + 1].words if order + 1 < len(clauses) else before
                else:
                    more = before
                    words |= dates
                words = words if len(around) >= _ENOUGH else words | more
                found.append(Bound(number, words, words | around, order))
        if text[clause.end : clause.end + 1] in _ENDS:
            before = frozenset()
        elif len(clause.words) >= _FEWEST:
            before = clause.words
    return tuple(found)


def _words_of(text: str, clause: Clause, inside: Sequence[Number], place: int) -> tuple[frozenset[str], frozenset[str]]:
    number = inside[place]
    left = inside[place - 1].span.end if place else clause.start
    right = inside[place + 1].span.start if place + 1 < len(inside) else clause.end
    before, after = text[left : number.span.start], text[number.span.end : max(right, number.span.end)]
    if _HAN.search(clause.text) is None or number.dimension == "date":
        both = content_words(before) | content_words(after)
        return both, both
    after = _NEXT.split(after, maxsplit=1)[0]
    words = content_words(before)
    around = words | content_words(after)
    return (words if len(words) >= _FEWEST else around), around


def _date_words(date: Number) -> Iterator[str]:
    year, month, day = date.unit.split("-")
    if int(year):
        yield year
    if int(month):
        yield f"{month}-{day}"


def misplaced(claim: str, text: str) -> list[Number]:
    """The quantities and dates of `claim` that `text` has, but says of something else: the words that they stand with
    stand there with another one of that kind."""
    theirs = _by_lines(text)
    claims = bound_numbers(claim)
    wrong = []
    for mine in claims:
        same = [(place, other) for place, other in theirs if other.number.dimension == mine.number.dimension]
        agreeing = [(place, one) for place, one in same if _agree(mine, one)]
        if not agreeing or len(agreeing) == len(same):
            continue
        # Two numbers of one clause belong to the same words; only where both are claimed can they be exchanged.
        places = {place for place, _ in agreeing}
        others = [
            one
            for place, one in same
            if not _agree(mine, one) and (place not in places or any(_agree(claimed, one) for claimed in claims))
        ]
        common = Counter(word for _, other in same for word in other.words)
        if others:
            right = max(_share(mine.around, one.around, common) for _, one in agreeing)
            if max(_share(mine.words, one.around, common) for one in others) - right >= _CLEARLY:
                wrong.append(mine.number)
    return wrong


def unbound(claim: str, text: str) -> list[Number]:
    """The quantities and dates of `claim` that stand in `text` only among other words than theirs."""
    theirs = _by_lines(text)
    loose = []
    for mine in bound_numbers(claim):
        agreeing = [one for _, one in theirs if _agree(mine, one)]
        if len(mine.around) >= _FEWEST and agreeing and not any(_shares(mine, one) for one in agreeing):
            loose.append(mine.number)
    return loose


def _by_lines(text: str) -> list[tuple[tuple[int, int], Bound]]:
    """The numbers of a text with the line and clause that each stands in; lines are read once, however often they come
    together."""
    return [((at, one.clause), one) for at, line in enumerate(text.split("\n")) for one in bound_numbers(line)]


def _shares(mine: Bound, other: Bound) -> bool:
    fewest = min(len(mine.around), len(other.around))
    return fewest < _FEWEST or len(mine.around & other.around) >= _BOUND * fewest


def _agree(one: Bound, other: Bound) -> bool:
    return agree(one.number, other.number) or agree(other.number, one.number)


def _share(mine: frozenset[str], others: frozenset[str], common: Counter[str]) -> float:
    """The share of the words of a number that stand with another one; those that stand with many tell little."""
    total = sum((common[word] or 1) ** -2 for word in mine)
    return sum((common[word] or 1) ** -2 for word in mine & others) / total if total else 0.0
