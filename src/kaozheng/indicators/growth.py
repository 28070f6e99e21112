"""Growth by calendar join: 同比, 环比, per cent and percentage points, average rates, elasticity.

Formulas: rate = (v1 - v0) / v0 x 100 %; a rate that is itself in % changes by v1 - v0 个百分点. National Bureau of
Statistics, 统计指标解释 (同比, 环比, 百分点, 平均增长速度); 两年平均: its bulletins of 2021.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from kaozheng.indicators.indicator import Calibre, PeriodType
from kaozheng.indicators.period import Period, PeriodKind
from kaozheng.indicators.series import Series
from kaozheng.indicators.undefined import Undefined, Why

_HUNDRED: Final = Decimal(100)
PERCENT, POINTS = "%", "个百分点"


class Comparison(StrEnum):
    """With what a value is compared."""

    YEAR_ON_YEAR = "同比"
    PERIOD_ON_PERIOD = "环比"


@dataclass(frozen=True, slots=True)
class Growth:
    """`value` and `base_value` in the indicator's unit, `rate` in `unit`: % of the base, or 个百分点 when the values
    are themselves rates. `revised`: the two values were published in different revisions, so the published rate may
    differ. `calibre` 现价 makes it a nominal rate, which is never the published real one."""

    comparison: Comparison
    period: Period
    base: Period
    value: Decimal
    base_value: Decimal
    rate: Decimal
    unit: str
    calibre: Calibre
    revised: bool = False

    @property
    def difference(self) -> Decimal:
        """What was added, in the unit of the values."""
        return self.value - self.base_value


def year_on_year(series: Series, period: Period) -> Growth | Undefined:
    """同比: the value against that of the same period of the year before, found by the calendar.

    Undefined when either is missing, the base is zero or negative, the value is negative on a positive base, or a break
    lies between. A part of a year is never held against a whole one.
    """
    return _growth(series, Comparison.YEAR_ON_YEAR, period, period.year_ago)


def period_on_period(series: Series, period: Period) -> Growth | Undefined:
    """环比: the value against that of the period before. Not adjusted for the season.

    Undefined as 同比, and for quarters and months that count from the start of the year (see `singles`).
    """
    if series.indicator.period_type is PeriodType.CUMULATIVE and period.kind is not PeriodKind.YEAR:
        return Undefined(Why.CUMULATIVE, series.indicator.name)
    return _growth(series, Comparison.PERIOD_ON_PERIOD, period, period.previous)


def _growth(series: Series, comparison: Comparison, period: Period, base: Period) -> Growth | Undefined:
    now, then = series.points.get(period), series.points.get(base)
    if now is None or now.value is None:
        return Undefined(Why.MISSING, str(period))
    if then is None or then.value is None:
        return Undefined(Why.BASE_MISSING, str(base))
    if series.broken(base, period):
        return Undefined(Why.BREAK, f"{base} - {period}", now.value - then.value)
    rates = series.indicator.is_rate
    rate = points(now.value, then.value) if rates else percent(now.value, then.value)
    if isinstance(rate, Undefined):
        return Undefined(rate.why, f"{base}: {then.value}", rate.difference)
    unit, calibre, revised = POINTS if rates else PERCENT, series.indicator.calibre, now.vintage != then.vintage
    return Growth(comparison, period, base, now.value, then.value, rate, unit, calibre, revised)


def percent(value: Decimal, base: Decimal) -> Decimal | Undefined:
    """(value - base) / base in %. Undefined, with the difference, for a base of zero or less and a fall below zero."""
    why = Why.ZERO_BASE if base == 0 else Why.NEGATIVE_BASE if base < 0 else Why.SIGN_CHANGE if value < 0 else None
    if why:
        return Undefined(why, difference=value - base)
    return (value - base) / base * _HUNDRED


def points(value: Decimal, base: Decimal) -> Decimal:
    """value - base in 个百分点, for values in %: from 7.2 % to 5.3 % is -1.9 points (and -26.4 %)."""
    return value - base


def average_rate(value: Decimal, year: int, base: Decimal, base_year: int) -> Decimal | Undefined:
    """年均增长 (CAGR) in %: (value / base) ^ (1 / n) - 1 with n = year - base_year, so 2020-2024 is n = 4.

    Undefined for a base of zero or less, a value below zero, and when no year lies between.
    """
    if year <= base_year:
        return Undefined(Why.TOO_FEW, f"{base_year} - {year}")
    if isinstance(whole := percent(value, base), Undefined):
        return whole
    return ((value / base) ** (Decimal(1) / (year - base_year)) - 1) * _HUNDRED


def average_of_series(series: Series, base: Period, period: Period) -> Decimal | Undefined:
    """年均增长 in % between two yearly values of a series, by the calendar. Undefined also across a break, for rates
    and for periods that are not whole years."""
    value, base_value = series.value(period), series.value(base)
    if value is None or base_value is None:
        return Undefined(*((Why.MISSING, str(period)) if value is None else (Why.BASE_MISSING, str(base))))
    if series.broken(base, period):
        return Undefined(Why.BREAK, f"{base} - {period}", value - base_value)
    if series.indicator.is_rate or PeriodKind.YEAR is not base.kind or PeriodKind.YEAR is not period.kind:
        return Undefined(Why.CALIBRES, f"{series.indicator.name}, {base} - {period}", value - base_value)
    return average_rate(value, period.year, base_value, base.year)


def two_year_average(first: Decimal, second: Decimal) -> Decimal | Undefined:
    """两年平均 in % of two yearly rates in %: sqrt((1 + a)(1 + b)) - 1. Undefined when a rate is -100 % or less."""
    factors = [1 + rate / _HUNDRED for rate in (first, second)]
    if min(factors) <= 0:
        return Undefined(Why.NEGATIVE_BASE, f"{min(first, second)} %")
    return ((factors[0] * factors[1]).sqrt() - 1) * _HUNDRED


def implied_deflator(nominal: Decimal, real: Decimal) -> Decimal | Undefined:
    """The rise of prices in % that a nominal and a real rate (%) imply: (1 + n) / (1 + r) - 1."""
    divisor = 1 + real / _HUNDRED
    if divisor <= 0:
        return Undefined(Why.SMALL_DIVISOR, f"{real} %")
    return ((1 + nominal / _HUNDRED) / divisor - 1) * _HUNDRED


def elasticity(rate: Decimal, of: Decimal, least: Decimal = Decimal(1)) -> Decimal | Undefined:
    """How many per cent `rate` moves for one per cent of `of` (both in %): 用电量 for real GDP, 7.2 / 5.5 = 1.31.

    Undefined (不适用) when `of` is below `least`: then the quotient says nothing. 电力消费弹性系数, National Energy
    Administration.
    """
    if of < least:
        return Undefined(Why.SMALL_DIVISOR, f"{of} %")
    return rate / of
