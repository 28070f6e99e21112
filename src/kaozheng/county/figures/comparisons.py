"""What follows from the rows of a sheet when regions stand beside each other: places, and differences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby, permutations

from kaozheng.county.figures.derivation import Derivation, Operation
from kaozheng.county.figures.fact_sheet import Fact, FactSheet
from kaozheng.indicators.indicator import Direction


def differences(sheet: FactSheet, regions: Collection[str], years: Collection[int]) -> Iterator[Derivation]:
    """Each of these regions (codes) less each other, for every indicator and period of these years of which both have a
    value."""
    for facts in _at_one_time(sheet):
        rows = [fact.id for fact in facts if fact.id.region in regions and fact.id.period.year in years]
        for pair in permutations(rows, 2):
            yield Derivation(Operation.DIFFERENCE, pair)


def places(
    sheet: FactSheet, regions: Collection[str], among: Iterable[frozenset[str]], year: int | None = None
) -> Iterator[Derivation]:
    """The place of each of these regions (codes) among each group of which all members have a value, and, in `year`,
    among all that have one: a place among some of the counties of a prefecture is no place in the prefecture."""
    groups = tuple(among)
    for facts in _at_one_time(sheet):
        rows = {fact.id.region: fact.id for fact in facts}
        whole = [group for group in groups if group <= rows.keys()]
        if facts[0].id.period.year == year:
            whole.append(frozenset(rows))
        operation = Operation.RANK_UP if facts[0].indicator.direction is Direction.LESS else Operation.RANK
        for region in sorted(rows.keys() & set(regions)):
            for group in dict.fromkeys(whole):
                if region in group and len(group) > 1:
                    others = (rows[other] for other in sorted(group - {region}))
                    yield Derivation(operation, (rows[region], *others))


def _at_one_time(sheet: FactSheet) -> Iterator[list[Fact]]:
    """The rows with a value of one indicator and period, by region."""
    known = [fact for fact in sheet.facts.values() if fact.value is not None]
    known.sort(key=lambda fact: (_time(fact), fact.id.region))
    for _, facts in groupby(known, _time):
        yield list(facts)


def _time(fact: Fact) -> tuple[str, str]:
    return fact.indicator.key, str(fact.id.period)
