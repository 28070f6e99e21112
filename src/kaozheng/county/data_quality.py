"""What does not fit in the rows of counties: totals and parts, units, prices, values since new year, contradictions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from kaozheng.county.catalogue import Catalogue
from kaozheng.county.lists import shipped_list
from kaozheng.indicators import consistency
from kaozheng.indicators.consistency import Inconsistency, Part
from kaozheng.indicators.growth import year_on_year
from kaozheng.indicators.indicator import Indicator, PeriodType
from kaozheng.indicators.observation import Missing, Observation, converted
from kaozheng.indicators.period import Period, PeriodKind
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.series import Series, series_of
from kaozheng.indicators.undefined import Undefined

SeriesByKey = Mapping[str, Series]
_WITH_REAL_GROWTH: Final = "gdp"
"""The bounds of the implied deflator are those of a gross product; prices of one industry may move further."""
_MAY_FALL: Final = frozenset({"ind_profit"})
"""Counted from the start of the year, and yet smaller after a quarter with losses."""


@dataclass(frozen=True, slots=True)
class Total:
    """An indicator and those that are parts of it, by key: `parts` together are all of it, each of `some` (其中) is at
    most all of it."""

    key: str
    parts: tuple[str, ...]
    some: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Misfit:
    """What does not fit in the rows of one region, by its code of today."""

    region: str
    found: Inconsistency


@cache
def totals() -> tuple[Total, ...]:
    """The totals that ship."""
    rows = shipped_list("totals.tsv")
    return tuple(
        Total(
            key,
            tuple(row["part"] for row in rows if row["total"] == key and row["share"] == "all"),
            tuple(row["part"] for row in rows if row["total"] == key and row["share"] == "some"),
        )
        for key in dict.fromkeys(row["total"] for row in rows)
    )


def misfits(
    observations: Iterable[Observation], catalogue: Catalogue, breaks: Callable[[str], Iterable[int]]
) -> list[Misfit]:
    """All that does not fit, by region. Regions are given by their codes of today, `breaks` says the years from which
    on the area of one is another. Rows of indicators that the catalogue does not know are passed over."""
    by_region: dict[str, list[Observation]] = defaultdict(list)
    for one in observations:
        by_region[one.region.code].append(one)
    return [
        Misfit(region, found)
        for region in sorted(by_region)
        for found in _of_region(by_region[region], catalogue, breaks(region))
    ]


def _of_region(rows: Sequence[Observation], catalogue: Catalogue, breaks: Iterable[int]) -> Iterator[Inconsistency]:
    yield from consistency.contradictions(rows)
    yield from map(_contradicted, (one for one in rows if one.missing is Missing.CONTRADICTED))
    by_kind: dict[PeriodKind, dict[str, list[Observation]]] = defaultdict(lambda: defaultdict(list))
    for one in rows:
        by_kind[one.period.kind][one.indicator].append(one)
    for of_kind in by_kind.values():
        series = {
            key: series_of(indicator, of_key, breaks=breaks)
            for key, of_key in of_kind.items()
            if (indicator := catalogue.get(key))
        }
        yield from _of_series(series, catalogue)


def _contradicted(row: Observation) -> Inconsistency:
    """A row that has no value because its source said two."""
    said = Reason(f"同一口径有两个数值：{row.raw}", f"two values for the same thing: {row.raw}")
    return Inconsistency("contradiction", (row.indicator, str(row.period), row.vintage, row.source), said)


def _of_series(series: SeriesByKey, catalogue: Catalogue) -> Iterator[Inconsistency]:
    for total in totals():
        if whole := series.get(total.key):
            for period in whole.periods():
                yield from _of_total(total, period, series)
    for one in series.values():
        yield from consistency.unit_jumps(one)
        if _only_grows(one.indicator):
            yield from consistency.cumulative_and_single(one, Series(one.indicator, {}))
    nominal = series.get(_WITH_REAL_GROWTH)
    growth = catalogue.growth_of(nominal.indicator) if nominal else None
    if nominal and growth and (real := series.get(growth.key)):
        yield from _of_prices(nominal, real)


def _of_total(total: Total, period: Period, series: SeriesByKey) -> Iterator[Inconsistency]:
    whole = series[total.key].points[period]
    if whole.value is None:
        return
    where = (total.key, str(period))
    parts = [_part(key, whole, series) for key in total.parts]
    yield from consistency.parts_and_total(where, whole.value, parts) if parts else ()
    some = [_part(key, whole, series, total.key) for key in total.some]
    yield from consistency.parts_and_total(where, whole.value, [Part(total.key, whole.value), *some])


def _part(key: str, whole: Observation, series: SeriesByKey, within: str = "") -> Part:
    """A part in the unit of its total. One of another revision is none: revised and first figures do not add up."""
    point = series[key].points.get(whole.period) if key in series else None
    if point is None or point.vintage != whole.vintage:
        return Part(key, Missing.NO_DATA, within)
    value = None if point.value is None else converted(point.value, point.unit, whole.unit)
    return Part(key, value if value is not None else point.missing or Missing.NO_DATA, within)


def _of_prices(nominal: Series, real: Series) -> Iterator[Inconsistency]:
    for period in real.periods():
        rate, published = year_on_year(nominal, period), real.value(period)
        if published is not None and not isinstance(rate, Undefined):
            where = (nominal.indicator.key, real.indicator.key, str(period))
            yield from consistency.nominal_and_real(where, rate.rate, published)


def _only_grows(indicator: Indicator) -> bool:
    """Whether a value can only grow from the start of a year on: amounts do, rates and ratios do not."""
    is_ratio = indicator.is_rate or "/" in indicator.unit
    return indicator.period_type is PeriodType.CUMULATIVE and not is_ratio and indicator.key not in _MAY_FALL
