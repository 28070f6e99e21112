"""What the data says of one region: values, growth, places, peers, warnings and its profile, each with its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kaozheng.api.county import CountyData, CountyLists, open_data
from kaozheng.api.running import run_sync
from kaozheng.aside import aside
from kaozheng.county.region_figures import Figure, RegionFigures, region_figures
from kaozheng.county.store import Wanted
from kaozheng.errors import InputError
from kaozheng.indicators.growth import Growth
from kaozheng.indicators.period import Period, read_period
from kaozheng.indicators.undefined import Undefined
from kaozheng.settings import Settings

if TYPE_CHECKING:
    from kaozheng.county.table_source import TableSource
    from kaozheng.indicators.indicator import Indicator
    from kaozheng.indicators.observation import Observation
    from kaozheng.indicators.panel import Row
    from kaozheng.indicators.region import Region


@dataclass(frozen=True, slots=True)
class RegionReport:
    """The figures, the titles of the publications that they come from (by vintage and file), and the names of the
    regions that they speak of."""

    figures: RegionFigures
    sources: Sequence[TableSource]
    names: Mapping[str, str]
    synthetic: bool

    def as_dict(self) -> dict[str, Any]:
        """Plain values; numbers as texts with the digits that they have."""
        found = self.figures
        return {
            "synthetic": self.synthetic,
            "region": {"code": found.region.code, "name": found.region.name},
            "period": str(found.period),
            "indicators": [_figure(one) for one in found.figures],
            "peers": _plain(found.peers),
            "profile": {dimension.value: _plain(score) for dimension, score in found.profile.items()},
            "names": dict(self.names),
        }


def region_report(
    named: str, period: str = "", indicators: Sequence[str] = (), settings: Settings | None = None
) -> RegionReport:
    """The figures of a region in a period (the last year that has rows). `indicators` by key or name; all that have
    rows when none are named. Raises InputError for names that mean nothing or several things, a period that is none,
    and when there is no row; StorageError."""
    return run_sync(_report(named, period, indicators, settings))


async def _report(named: str, period: str, asked: Sequence[str], settings: Settings | None) -> RegionReport:
    when = read_period(period)[0] if period else None
    async with open_data(settings) as data:
        lists = data.lists
        region = lists.named(lists.region(named).code)
        keys = tuple(lists.indicator(one).key for one in asked)
        own = Wanted(lists.codes([region]), keys, kind=when.kind if when else None)
        observations = await data.store.observations(own)
        when = when or _last_year(observations, region)
        observations = [one for one in observations if one.period.kind is when.kind]
        indicators = _indicators(observations, keys, lists)
        if not indicators:
            raise InputError(f"{region.name} ({region.code}): there is no row of it: kaozheng county coverage")
        rows, everywhere = await _rows(data, when, indicators)
        figures = await aside(
            region_figures, region, when, indicators, observations, rows, lists.lineage.breaks(region.code)
        )
        synthetic = await data.store.synthetic(everywhere) or await data.store.synthetic(own)
        return RegionReport(figures, await data.store.sources(), _names(figures, rows, lists), synthetic)


async def _rows(data: CountyData, when: Period, indicators: Sequence[Indicator]) -> tuple[list[Row], Wanted]:
    """The rows of all counties in the period, by the codes of today."""
    lists = data.lists
    counties = {region.code for region in lists.regions.counties(when.year)}
    wanted = Wanted((), tuple(one.key for one in indicators), when.year, when.year, when.kind)
    found = await data.store.rows(wanted)
    return lists.lineage.rows(row for row in found if row[2] == when and row[0] in counties), wanted


def _last_year(observations: Sequence[Observation], region: Region) -> Period:
    years = [one.period for one in observations if not (one.period.quarter or one.period.month)]
    if not years:
        raise InputError(
            f"{region.name} ({region.code}): there is no row of a year: say a period, or import its tables"
        )
    return max(years)


def _indicators(observations: Sequence[Observation], keys: Sequence[str], lists: CountyLists) -> list[Indicator]:
    wanted = keys or sorted({one.indicator for one in observations})
    return [indicator for key in wanted if (indicator := lists.catalogue.get(key))]


def _names(figures: RegionFigures, rows: Sequence[Row], lists: CountyLists) -> dict[str, str]:
    codes = {figures.region.code, *(code for code, *_ in rows)}
    return {code: lists.named(code).name for code in sorted(codes)}


def _figure(one: Figure) -> dict[str, Any]:
    indicator, row = one.indicator, one.observation
    return {
        "row": str(one.row),
        "key": indicator.key,
        "name": indicator.name,
        "value": _plain(one.value),
        "unit": indicator.unit,
        "calibre": indicator.calibre.value,
        "period_type": indicator.period_type.value,
        "missing": row.missing.value if row and row.missing else None,
        "source": row.source if row else None,
        "vintage": row.vintage if row else None,
        "on_year": _growth(one.on_year),
        "on_period": _growth(one.on_period) if one.on_period is not None else None,
        "rank": _plain(one.place),
        "peers": _plain(one.against),
        "warnings": [
            {"rule": signal.rule.id, "colour": signal.colour.value, "reason": asdict(signal.reason)}
            for signal in one.signals
        ],
    }


def _growth(growth: Growth | Undefined) -> dict[str, Any]:
    if isinstance(growth, Undefined):
        return {"undefined": asdict(growth.reason)}
    return {"rate": str(growth.rate), "unit": growth.unit, "base": str(growth.base), "revised": growth.revised}


def _plain(value: Any) -> Any:
    if isinstance(value, Undefined):
        return {"undefined": asdict(value.reason)}
    if value is None or isinstance(value, str | int):
        return value
    return asdict(value) if hasattr(value, "__dataclass_fields__") else str(value)
