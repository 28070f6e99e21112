"""What a number is said of: the indicator, region and period that stand before it, and what it is compared with."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from kaozheng.gates.numbers import vocabulary as words
from kaozheng.gates.numbers.directions import comes_from, goes_on
from kaozheng.gates.numbers.periods import COMPARISONS, Same, When, same
from kaozheng.gates.numbers.places import Where
from kaozheng.gates.numbers.said import SENTENCE, WINDOW, Said, before, joined, start_of
from kaozheng.gates.numbers.vocabulary import What
from kaozheng.indicators.period import Period, PeriodKind

_ADJACENT: Final = re.compile(r"[末底]?的?(?:仅|约|为)?")
_ENGLISH: Final = re.compile(r"(?:[A-Za-z]{2,}[ ,.]+){3}")
"""English prose: an indicator holds to the end of its sentence only, for what other nouns measure is not known."""
_OF_WHOLE: Final = re.compile(r"(?:占|相当于|占到|占全部)$")
_LONGEST_OF_WHOLE: Final = 4


def periods_of(said: Said, place: int, clause: int) -> tuple[Same, bool]:
    """The stretch of time that a number is of, and whether it is a quarter or month alone. A sentence that names none
    goes on with the part of a year that was named before it, or is of the year of the report again."""
    when = _when(said, place, clause)
    if when is None:
        periods, single = same(said.period) if said.period else frozenset[Period](), False
    else:
        periods, single = when.stretches[-1], when.single
    named = when is not None and _touches(said, when, place)
    if not named and comes_from(said, place) and goes_on(said, place):
        return frozenset(period.year_ago for period in periods), single
    if when is not None and not single and _is_over(said, when, place):
        periods = periods | {said.period} if said.period else periods
    return periods, single


def _is_over(said: Said, when: When, place: int) -> bool:
    """Whether a part of the report's year was named in a sentence before that of the number."""
    sentence = start_of(SENTENCE, said.text, said.numbers[place].span.start, 0)
    year = said.period if said.period and said.period.kind is PeriodKind.YEAR else None
    return year is not None and when.span.end <= sentence and all(one.year == year.year for one in when.stretches[-1])


def _when(said: Said, place: int, clause: int) -> When | None:
    """The last period that is named, but not one that is only compared with, nor 上年 of another number."""
    span = said.numbers[place].span
    after = bisect_right(said.whens, span.end, key=lambda when: when.span.start)
    if after < len(said.whens) and not said.whens[after].base:
        behind = said.whens[after]
        if said.text[span.end : behind.span.start] in ("(", " "):  # 56.1万人（2024年末）, 379.45亿元 in 2024
            return behind
    reached = place > 0 and comes_from(said, place - 1) and goes_on(said, place - 1)
    for when in reversed(before(said.whens, span.start)):
        if said.text[when.span.start : when.span.end] in COMPARISONS:
            continue
        if reached and _touches(said, when, place - 1):  # 由2023年末198家增至207家
            continue
        own = _touches(said, when, place)
        near = when.span.start >= max(said.since(place), clause)
        if own or not (when.base or (when.relative and not near)):
            return when
    return None


def _touches(said: Said, when: When, place: int) -> bool:
    """Whether a period stands right before a number."""
    return _ADJACENT.fullmatch(said.text[when.span.end : said.numbers[place].span.start]) is not None


def what_of(said: Said, place: int, clause: int) -> tuple[What | None, str]:
    """The indicator that is named last before a number or right behind it, and the noun besides that is none."""
    span = said.numbers[place].span
    end = span.end + said.text.startswith("的", span.end)
    after = bisect_right(said.whats, end - 1, key=lambda what: what.span.start)
    if after < len(said.whats) and said.whats[after].span.start == end:
        return said.whats[after], ""
    all_named = before(said.whats, span.start)
    named = [one for one in all_named if not _is_whole(said, one)]
    reach = max(0, span.start - WINDOW)
    if _ENGLISH.search(said.text, reach, span.end):
        start = max(said.text.rfind(stop, reach, span.start) for stop in (". ", "; "))
        return (named[-1] if named and named[-1].span.start > start else None), ""
    since = max(clause, *(one.span.end for one in all_named), 0)
    return named[-1] if named else said.what, words.foreign(said.bare(since, span.start))


def _is_whole(said: Said, what: What) -> bool:
    """Whether an indicator is what another is a part of: 占地区生产总值的."""
    start = what.span.start
    return _OF_WHOLE.search(said.text, max(0, start - _LONGEST_OF_WHOLE), start) is not None


def wholes_of(said: Said, clause: int, at: int) -> frozenset[str]:
    """The indicators that the number is a part of."""
    named = (one for one in before(said.whats, at) if one.span.start >= clause and _is_whole(said, one))
    return frozenset(key for one in named for key in one.levels)


def regions_of(said: Said, place: int, sentence: int, aligned: Where | None) -> frozenset[str]:
    """The regions that a number is of: several for those that are named together."""
    if aligned:
        return aligned.codes
    named = [where for where in before(said.wheres, said.numbers[place].span.start) if not (where.base or where.scope)]
    if not named:
        return frozenset({said.region}) if said.region else frozenset()
    group = joined(said.text, named)
    together = frozenset(code for where in group for code in where.codes)
    if len(group) > 1 and group[0].span.start < sentence and said.region in together:
        return frozenset({said.region})
    return together


def against(said: Said, clause: int, at: int) -> frozenset[str]:
    """The regions that a number is compared with."""
    beside = [where for where in before(said.wheres, at) if where.base and clause <= where.span.start]
    return beside[-1].codes if beside else frozenset()


def bases_of(said: Said, at: int, sentence: int, periods: Same) -> frozenset[Period]:
    """The periods that a change may be against: the one that is named, else the year before and all that are."""
    named = before(said.whens, at)
    compared = [when for when in named if when.base and sentence <= when.span.start]
    if compared:
        return frozenset(period for stretch in compared[-1].stretches for period in stretch)
    mentioned = (period for when in named for stretch in when.stretches for period in stretch)
    return frozenset((*(period.year_ago for period in periods), *mentioned))
