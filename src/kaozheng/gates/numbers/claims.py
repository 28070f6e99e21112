"""What each number of a paragraph says: of which indicator, region and period, and in which direction."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from kaozheng.documents.span import Span
from kaozheng.evidence.numbers import Number
from kaozheng.gates.numbers import vocabulary as words
from kaozheng.gates.numbers.directions import Course, comes_from, course, reaches
from kaozheng.gates.numbers.lists import aligned
from kaozheng.gates.numbers.periods import Same
from kaozheng.gates.numbers.places import Where
from kaozheng.gates.numbers.said import CLAUSE, SEGMENT, SENTENCE, WINDOW, Said, runs, start_of
from kaozheng.gates.numbers.scopes import among_of, is_place
from kaozheng.gates.numbers.subjects import against, bases_of, periods_of, regions_of, what_of, wholes_of
from kaozheng.gates.numbers.vocabulary import What
from kaozheng.indicators.period import Period


@dataclass(frozen=True, slots=True)
class Claim:
    """One number with what it is said of.

    `value` has the sign of the word of direction; `changes` says that there is one, `rate` that 增速 or 增幅 is said,
    `towards` the direction of a level that is reached (增至: 1) and `origin` the level before. `levels` are the
    indicators of the name that is said, `growths` those of its growth, `wholes` those that it is a part of, `foreign` a
    noun that is none. `regions` and `against` are codes, `bases` the periods that a change may be against. `unaligned`:
    分别 has no list for it. `prices` is nominal, real, or what the text leaves open. `span` begins at the word of
    direction. `among` are the regions (codes) among which a place is said to be, none where the text leaves it open.
    """

    number: Number
    value: Decimal
    span: Span
    changes: bool
    rate: bool
    towards: int
    levels: frozenset[str]
    growths: frozenset[str]
    wholes: frozenset[str]
    regions: frozenset[str]
    against: frozenset[str]
    periods: Same
    bases: frozenset[Period]
    single: bool
    foreign: str = ""
    unaligned: bool = False
    prices: str = ""
    clause: str = ""
    sentence: str = ""
    origin: Claim | None = field(default=None)
    among: frozenset[str] = frozenset()


def claims(said: Said) -> list[Claim]:
    """The claims of a paragraph, one a number."""
    made: list[Claim] = []
    for place, run in enumerate(runs(said)):
        made.append(_claim(said, place, run, made[-1] if made else None))
    return made


def _claim(said: Said, place: int, run: tuple[int, int], previous: Claim | None) -> Claim:
    number, since = said.numbers[place], said.since(place)
    at, end = number.span.start, number.span.end
    segment, clause = (start_of(stops, said.text, at, since) for stops in (SEGMENT, CLAUSE))
    sentence = start_of(SENTENCE, said.text, at, 0)
    direction = course(said, place, segment)
    in_row = previous if place > run[0] and not direction.changes else None
    if in_row and in_row.changes:  # 分别增长6.1%、5.6%
        direction = Course(at, True, 1 if in_row.value * in_row.number.value >= 0 else -1)
    what, foreign = what_of(said, place, clause)
    periods, single = periods_of(said, place, clause)
    mine = aligned(said, place, run)
    name, stretch = mine or (None, None)
    what = name if isinstance(name, What) else what
    levels, growths = (what.levels, what.growths) if what and not foreign else (frozenset[str](), frozenset[str]())
    periods = stretch or periods
    regions = regions_of(said, place, sentence, name if isinstance(name, Where) else None)
    whole_clause = said.text[start_of(CLAUSE, said.text, at, 0) : end]
    rate = words.RATE.search(said.bare(segment, at)) or words.RATE_BEHIND.match(said.text, end)
    return Claim(
        number=number,
        value=number.value * direction.sign,
        span=Span(direction.word, end),
        changes=direction.changes,
        rate=rate is not None or (in_row is not None and in_row.rate),
        towards=direction.towards,
        levels=levels,
        growths=growths,
        wholes=wholes_of(said, clause, at),
        regions=regions,
        against=against(said, clause, at),
        periods=periods,
        bases=bases_of(said, at, sentence, periods),
        single=single,
        foreign=foreign,
        unaligned=mine is None,
        prices=words.prices(whole_clause) or words.prices_of_sentence(said.text[max(sentence, at - WINDOW) : at]),
        clause=whole_clause,
        sentence=said.text[sentence : _end(said.text, end)],
        origin=previous if previous and reaches(said, place, segment) and comes_from(said, place - 1) else None,
        among=among_of(said, place, regions) if is_place(said.numbers[place]) else frozenset(),
    )


def _end(text: str, after: int) -> int:
    found = SENTENCE.search(text, after, after + WINDOW)
    return found.start() if found else min(len(text), after + WINDOW)
