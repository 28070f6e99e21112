"""The values of one indicator of one region over time, one a period, all in the indicator's unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Indicator, PeriodType
from kaozheng.indicators.observation import Missing, Observation, converted
from kaozheng.indicators.period import Period, PeriodKind
from kaozheng.indicators.undefined import Undefined, Why


@dataclass(frozen=True, slots=True)
class Series:
    """`points` by period, in the unit of the indicator; what has no point was in no source.

    `breaks` are the years from which on values are of another area or calibre: no growth is computed across one.
    """

    indicator: Indicator
    points: Mapping[Period, Observation]
    breaks: frozenset[int] = field(default=frozenset())

    def value(self, period: Period) -> Decimal | None:
        """The value of a period, None when there is none."""
        point = self.points.get(period)
        return point.value if point else None

    def periods(self) -> tuple[Period, ...]:
        """The periods that have a value, in order of time."""
        return tuple(sorted(period for period, point in self.points.items() if point.value is not None))

    def broken(self, earlier: Period, later: Period) -> bool:
        """Whether a break lies between two periods."""
        return any(earlier.year < year <= later.year for year in self.breaks)


def series_of(
    indicator: Indicator, observations: Iterable[Observation], vintage: str = "", breaks: Iterable[int] = ()
) -> Series:
    """The series of the observations that are of this indicator, of each period the one published last (with `vintage`,
    last up to and including that).

    A period for which one vintage says two values has no value (`Missing.CONTRADICTED`). Raises InputError for a value
    whose unit measures something else, and for two regions in one period (over time a region may change its code).
    """
    chosen: dict[Period, Observation] = {}
    for one in observations:
        if one.indicator != indicator.key or (vintage and one.vintage > vintage):
            continue
        point = _in_unit(one, indicator.unit)
        known = chosen.get(point.period)
        if known and known.region.code != one.region.code:
            raise InputError(
                f"{indicator.name}, {one.period}: {known.region.code} and {one.region.code} are two regions"
            )
        if known is None or known.vintage < point.vintage:
            chosen[point.period] = point
        elif known.vintage == point.vintage:
            chosen[point.period] = _agreed(known, point)
    return Series(indicator, chosen, frozenset(breaks))


def _in_unit(point: Observation, unit: str) -> Observation:
    if point.value is None or point.unit == unit:
        return point
    value = converted(point.value, point.unit, unit)
    if value is None:
        raise InputError(f"{point.source}: {point.raw} {point.unit} cannot be said in {unit}")
    return replace(point, value=value, unit=unit)


def _agreed(first: Observation, second: Observation) -> Observation:
    """One of two observations of the same vintage. A value wins over a reason for none, unless that is that values
    contradicted each other; two values must be equal."""
    if second.missing is Missing.CONTRADICTED:
        return second
    if second.value is None or first.missing is Missing.CONTRADICTED:
        return first
    if first.value is None:
        return second
    if first.value == second.value:
        return first
    both = f"{first.source}; {second.source}"
    return replace(first, value=None, missing=Missing.CONTRADICTED, source=both, raw=f"{first.raw} ≠ {second.raw}")


@dataclass(frozen=True, slots=True)
class Singles:
    """A cumulative series made single: the series, and for each period that has no single value the reason."""

    series: Series
    undefined: Mapping[Period, Undefined]


def singles(cumulative: Series) -> Singles:
    """What each quarter or month added, from values that count from the start of the year: v(t) - v(t-1).

    The first period of a year is its own single value. Values of two revisions are not subtracted from each other, and
    the month after one that has no value has none either (many tables begin with 1-2月: then neither January nor
    February has a single value). A series of years comes back as it is. Raises InputError when it is not 累计.
    """
    indicator = cumulative.indicator
    if indicator.period_type is not PeriodType.CUMULATIVE:
        raise InputError(f"{indicator.name} is {indicator.period_type}, not {PeriodType.CUMULATIVE}")
    made: dict[Period, Observation] = {}
    undefined: dict[Period, Undefined] = {}
    for period, point in cumulative.points.items():
        single = _single(cumulative, period)
        if isinstance(single, Undefined):
            undefined[period] = single
        else:
            made[period] = replace(point, value=single, raw=str(single), source=_source(cumulative, period))
    return Singles(Series(replace(indicator, period_type=PeriodType.SINGLE), made, cumulative.breaks), undefined)


def _source(series: Series, period: Period) -> str:
    """The cells that a single value comes from."""
    point, before = series.points[period], series.points.get(period.previous)
    if before is None or before.period.year != period.year:
        return point.source
    return f"{point.source} - {before.source}"


def _single(series: Series, period: Period) -> Decimal | Undefined:
    point = series.points[period]
    if point.value is None:
        return Undefined(Why.MISSING, str(period))
    if period.kind is PeriodKind.YEAR or period.previous.year != period.year:
        return point.value
    before = series.points.get(period.previous)
    if before is None or before.value is None:
        return Undefined(Why.BASE_MISSING, str(period.previous))
    if before.vintage != point.vintage:
        return Undefined(Why.VINTAGES, f"{period.previous}: {before.vintage}, {period}: {point.vintage}")
    return point.value - before.value
