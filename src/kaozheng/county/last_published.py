"""Of several revisions of a value the one that was published last, for a panel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from operator import itemgetter

from kaozheng.indicators.observation import Missing, converted
from kaozheng.indicators.panel import Row
from kaozheng.indicators.period import Period, read_period

Published = tuple[str, str, str, str, str | None, str, str | None]
"""Indicator, code of the region, period, vintage, value with the digits that were written, unit, reason for none."""


def last_published(rows: Iterable[Published], units: Mapping[str, str]) -> Iterator[Row]:
    """For each indicator, region and period the value published last, in the indicator's unit (`units` by its key).

    `rows` come by indicator, region and period. Of one vintage a value wins over a reason for none, and two values that
    differ leave none, as in `series_of`.
    """
    periods: dict[str, Period] = {}
    for (indicator, region, period), group in groupby(rows, itemgetter(0, 1, 2)):
        when = periods.get(period)
        if when is None:
            when = periods[period] = read_period(period)[0]
        unit = units[indicator]
        several = list(group)
        if len(several) == 1:
            value = _value(several[0], unit)
        else:
            last = max(map(itemgetter(3), several))
            value = _agreed([row for row in several if row[3] == last], unit)
        yield region, indicator, when, value


def _value(row: Published, unit: str) -> Decimal | None:
    text, given = row[4], row[5]
    if text is None:
        return None
    value = Decimal(text)
    return value if given == unit else converted(value, given, unit)


def _agreed(rows: Sequence[Published], unit: str) -> Decimal | None:
    if any(row[6] == Missing.CONTRADICTED for row in rows):
        return None
    values = {_value(row, unit) for row in rows} - {None}
    return values.pop() if len(values) == 1 else None
