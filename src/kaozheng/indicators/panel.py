"""Many series at once: regions x indicators x periods in one array, for coverage and for growth of all.

Floats are for screening only: a figure that is shown is computed again from the Decimals (`growth`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from kaozheng.indicators.indicator import Indicator, PeriodType
from kaozheng.indicators.period import Period, PeriodKind, calendar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

Row = tuple[str, str, Period, Decimal | None]
"""Region, indicator key, period, and the value or None where a row says that there is none."""


@dataclass(frozen=True, slots=True)
class Panel:
    """`values` (NaN: none) in each indicator's unit and `explained` (a row says that there is none), both by region,
    indicator and period of a calendar without holes. `outside` counts the rows that belong to none of these."""

    regions: tuple[str, ...]
    indicators: tuple[Indicator, ...]
    periods: tuple[Period, ...]
    values: Floats
    explained: Flags
    outside: int


def panel_of(
    rows: Iterable[Row], regions: Sequence[str], indicators: Sequence[Indicator], first: Period, last: Period
) -> Panel:
    """The panel of rows whose values are in the units of the indicators, one row a cell (of two the later counts)."""
    import numpy as np

    periods = calendar(first, last)
    shape = (len(regions), len(indicators), len(periods))
    where = {region: place * shape[1] * shape[2] for place, region in enumerate(regions)}
    which = {indicator.key: place * shape[2] for place, indicator in enumerate(indicators)}
    when = {period: place for place, period in enumerate(periods)}
    cells: dict[int, float] = {}
    outside = 0
    for region, key, period, value in rows:
        try:
            cell = where[region] + which[key] + when[period]
        except KeyError:
            outside += 1
            continue
        cells[cell] = float("nan") if value is None else float(value)
    values, said = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_)
    places = np.fromiter(cells.keys(), dtype=np.int64, count=len(cells))
    values.flat[places] = np.fromiter(cells.values(), dtype=np.float64, count=len(cells))
    said.flat[places] = True
    return Panel(tuple(regions), tuple(indicators), periods, values, said & np.isnan(values), outside)


def rates(panel: Panel, by_year: bool = True) -> Floats:
    """同比 (`by_year`) or 环比 of every cell: % of the base, 个百分点 for indicators that are rates.

    NaN wherever `growth` would say Undefined for want of a value, for a base of zero or less, for a fall below zero
    and for 环比 of cumulative parts of a year. Breaks and revisions are not known here.
    """
    import numpy as np

    kind = panel.periods[0].kind
    lag = kind.in_a_year if by_year else 1
    made = np.full(panel.values.shape, np.nan)
    if lag >= len(panel.periods):
        return made
    now, base = panel.values[..., lag:], panel.values[..., :-lag]
    are_rates = np.array([indicator.is_rate for indicator in panel.indicators])[None, :, None]
    possible = are_rates | ((base > 0) & (now >= 0))
    divisor = np.where(base > 0, base, 1.0)
    grown = np.where(are_rates, now - base, (now - base) / divisor * 100)
    if not by_year and kind is not PeriodKind.YEAR:
        cumulative = [indicator.period_type is PeriodType.CUMULATIVE for indicator in panel.indicators]
        possible &= ~np.array(cumulative)[None, :, None]
    made[..., lag:] = np.where(possible, grown, np.nan)
    return made
