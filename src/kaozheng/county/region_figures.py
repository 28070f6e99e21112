"""What the rows say of one region in one period: each value with its growth, its place, its peers and its warnings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaozheng.county.county_profile import features
from kaozheng.county.expertise import Bound, warning_bounds
from kaozheng.county.row_id import RowId
from kaozheng.indicators.early_warning import Signal, judged
from kaozheng.indicators.growth import Growth, period_on_period, year_on_year
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.panel import Row
from kaozheng.indicators.peers import Peers, nearest_peers
from kaozheng.indicators.period import Period, PeriodKind
from kaozheng.indicators.profile import Dimension, profile
from kaozheng.indicators.ranks import Against, Rank, Values, against_peers, rank
from kaozheng.indicators.region import Region
from kaozheng.indicators.series import Series, series_of
from kaozheng.indicators.undefined import Undefined, Why

_PEERS: Final = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """One indicator of the region in the period. `row` names it by the code that the region has today, `observation` is
    where the value comes from (None: no source has one), in the indicator's unit; `on_period` (环比) is None for
    years."""

    indicator: Indicator
    row: RowId
    observation: Observation | None
    on_year: Growth | Undefined
    on_period: Growth | Undefined | None
    place: Rank | Undefined
    against: Against | Undefined
    signals: tuple[Signal, ...]

    @property
    def value(self) -> Decimal | None:
        """In the indicator's unit."""
        return self.observation.value if self.observation else None


@dataclass(frozen=True, slots=True)
class RegionFigures:
    """All figures of a region in a period, the regions most like it, and its profile among those that have values."""

    region: Region
    period: Period
    figures: tuple[Figure, ...]
    peers: Peers | Undefined
    profile: Mapping[Dimension, Decimal | Undefined]


def region_figures(
    region: Region,
    period: Period,
    indicators: Sequence[Indicator],
    observations: Iterable[Observation],
    rows: Iterable[Row],
    breaks: frozenset[int] = frozenset(),
) -> RegionFigures:
    """`observations` are those of the region (over all its codes), `rows` those of all counties in the period, by the
    codes of today. `breaks` are the years in which the region's area changed."""
    values = _by_indicator(rows, region.code)
    peers = nearest_peers(_comparable(values, indicators), region.code, _PEERS)
    near = () if isinstance(peers, Undefined) else tuple(peer.region for peer in peers.nearest)
    of_indicator: dict[str, list[Observation]] = defaultdict(list)
    for row in observations:
        of_indicator[row.indicator].append(row)
    figures = []
    for one in indicators:
        series = series_of(one, of_indicator[one.key], breaks=breaks)
        figures.append(_figure(series, region, period, values.get(one.key, {}), near))
    known = {one.key: one for one in indicators}
    return RegionFigures(region, period, tuple(figures), peers, profile(features(values, known), region.code))


def _by_indicator(rows: Iterable[Row], region: str) -> dict[str, dict[str, Decimal | None]]:
    """Values by indicator and region. The region itself is in each, with a value or without."""
    values: dict[str, dict[str, Decimal | None]] = {}
    for code, key, _, value in rows:
        values.setdefault(key, {region: None})[code] = value
    return values


def _comparable(values: Mapping[str, Values], indicators: Sequence[Indicator]) -> dict[str, Values]:
    """What tells how like two regions are: the indicators of which each region has a value. Amounts count by their
    logarithms where all are above zero: a county is not unlike others for being large."""
    regions = {code for one in values.values() for code in one}
    chosen: dict[str, Values] = {}
    for indicator in indicators:
        known = {code: value for code, value in values.get(indicator.key, {}).items() if value is not None}
        if known.keys() == regions and regions:
            logarithms = not indicator.is_rate and min(known.values()) > 0
            chosen[indicator.key] = {code: value.ln() for code, value in known.items()} if logarithms else known
    return chosen


def _figure(series: Series, region: Region, period: Period, values: Values, peers: Iterable[str]) -> Figure:
    indicator = series.indicator
    found = series.points.get(period)
    on_year = year_on_year(series, period)
    return Figure(
        indicator,
        RowId(indicator.key, region.code, period),
        found,
        on_year,
        None if period.kind is PeriodKind.YEAR else period_on_period(series, period),
        rank(values, region.code, indicator.direction),
        against_peers(values, region.code, peers),
        tuple(
            judged(bound.rule, _judged(bound, found, on_year))
            for bound in warning_bounds()
            if bound.indicator == indicator.key
        ),
    )


def _judged(bound: Bound, found: Observation | None, on_year: Growth | Undefined) -> Decimal | Undefined:
    """What a bound looks at: the value, or its change over the year before."""
    if bound.change:
        return on_year.rate if isinstance(on_year, Growth) else on_year
    if found is None or found.value is None:
        return Undefined(Why.MISSING, bound.indicator)
    return found.value
