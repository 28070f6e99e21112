"""Of several revisions of a value the one that was published last, for a panel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

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
    given = iter(rows)
    row = next(given, None)
    while row is not None:
        indicator, region, period, _, text, unit, _ = row
        wanted = units[indicator]
        following = next(given, None)
        # Nearly all values have one revision, and there are a million of them: a group is made for the others only.
        if following is not None and following[2] == period and following[:2] == (indicator, region):
            several = [row]
            while following is not None and following[:3] == (indicator, region, period):
                several.append(following)
                following = next(given, None)
            value = _last(several, wanted)
        elif text is None:
            value = None
        else:
            value = Decimal(text) if unit == wanted else converted(Decimal(text), unit, wanted)
        when = periods.get(period)
        if when is None:
            when = periods[period] = read_period(period)[0]
        yield region, indicator, when, value
        row = following


def _last(several: Sequence[Published], unit: str) -> Decimal | None:
    """What the revision published last says; of two sources of its vintage what both say."""
    vintage = max(row[3] for row in several)
    rows = [row for row in several if row[3] == vintage]
    if any(row[6] == Missing.CONTRADICTED for row in rows):
        return None
    values = {converted(Decimal(row[4]), row[5], unit) for row in rows if row[4] is not None}
    return values.pop() if len(values) == 1 else None
