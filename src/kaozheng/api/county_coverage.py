"""What there is of the data of counties and what is missing, and the tickets that ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from kaozheng.api.county import CountyData, CountyLists, open_data
from kaozheng.api.running import run_sync
from kaozheng.aside import aside
from kaozheng.county.store import Wanted
from kaozheng.county.ticket import Ticket
from kaozheng.county.ticket_of_gap import tickets_of
from kaozheng.errors import InputError
from kaozheng.indicators.coverage import Completeness, Coverage, coverage
from kaozheng.indicators.panel import Row, panel_of
from kaozheng.indicators.period import PeriodKind
from kaozheng.indicators.region import Region
from kaozheng.indicators.undefined import Undefined
from kaozheng.settings import Settings
from kaozheng.wiring.desk import utc_now

if TYPE_CHECKING:
    from kaozheng.indicators.coverage import Gap
    from kaozheng.indicators.indicator import Indicator


@dataclass(frozen=True, slots=True)
class Asked:
    """Which rows: of these regions and indicators (names, codes, keys; all that have rows when none are named; of a
    prefecture its counties) and years (from the first row to the last), of one kind of period."""

    regions: tuple[str, ...] = ()
    indicators: tuple[str, ...] = ()
    years: tuple[int, int] | None = None
    kind: PeriodKind = PeriodKind.YEAR


@dataclass(frozen=True, slots=True)
class Covered:
    """The coverage matrix by the codes of today, the regions by these codes, and the tickets that were opened for its
    gaps (None: not asked for)."""

    matrix: Coverage
    regions: Mapping[str, Region]
    synthetic: bool
    opened: Sequence[Ticket] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain values: completeness in all directions, and every gap with its department."""
        matrix = self.matrix
        names = {code: region.name for code, region in self.regions.items()}
        return {
            "synthetic": self.synthetic,
            "years": list(matrix.years),
            "total": _plain(matrix.total()),
            "by_region": {code: {"name": names[code], **_plain(of)} for code, of in matrix.by_region().items()},
            "by_indicator": {key: _plain(of) for key, of in matrix.by_indicator().items()},
            "by_year": {str(year): _plain(of) for year, of in matrix.by_year().items()},
            "gaps": [_gap(gap) for gap in matrix.gaps()],
            **({"tickets_opened": [asdict(one) for one in self.opened]} if self.opened is not None else {}),
        }


def county_coverage(asked: Asked, open_tickets: bool = False, settings: Settings | None = None) -> Covered:
    """The coverage matrix; with `open_tickets` each gap that no row explains asks the department of its indicator.

    Raises InputError for names that mean nothing or several things, years in the wrong order, and when there is no row
    at all; StorageError.
    """
    return run_sync(_covered(asked, open_tickets, settings))


async def _covered(asked: Asked, open_tickets: bool, settings: Settings | None) -> Covered:
    async with open_data(settings) as data:
        lists = data.lists
        named = [county for one in asked.regions for county in lists.counties_of(lists.region(one))]
        keys = tuple(lists.indicator(one).key for one in asked.indicators)
        first, last = asked.years or (None, None)
        wanted = Wanted(lists.codes(named), keys, first, last, asked.kind)
        kept = await data.store.rows(wanted)
        given, rows = (lists.lineage.rows(one) for one in (kept, await _explained(kept, wanted, data)))
        if not given and not (named and keys and asked.years):
            raise InputError("there is no row of these regions, indicators and years: kaozheng county sources")
        # What was left blank everywhere is expected too: it is the very thing to ask for.
        extent = _extent(given, asked, named)
        matrix = await aside(_matrix, rows, asked.kind, extent, _indicators(given, keys, lists))
        regions = {code: lists.named(code) for code in matrix.regions}
        opened = await _opened(matrix, data) if open_tickets else None
        return Covered(matrix, regions, await data.store.synthetic(wanted), opened)


async def _explained(rows: Sequence[Row], wanted: Wanted, data: CountyData) -> list[Row]:
    """Without the rows that have no value and do not say why: a blank cell is as much a gap as no row."""
    bare = [row for row in rows if row[3] is None]
    if not bare:
        return list(rows)
    explained = {
        (one.region.code, one.indicator, one.period)
        for one in await data.store.observations(replace(wanted, missing_only=True))
        if one.missing and one.missing.explains
    }
    return [row for row in rows if row[3] is not None or row[:3] in explained]


def _indicators(rows: Sequence[Row], keys: Sequence[str], lists: CountyLists) -> list[Indicator]:
    wanted = keys or sorted({key for _, key, _, _ in rows})
    return [indicator for key in wanted if (indicator := lists.catalogue.get(key))]


def _extent(rows: Sequence[Row], asked: Asked, named: Sequence[Region]) -> tuple[tuple[str, ...], tuple[int, int]]:
    """The regions (codes) and years that are expected: those that were asked for, else those of all rows."""
    years = asked.years or (min(row[2].year for row in rows), max(row[2].year for row in rows))
    return tuple(dict.fromkeys(one.code for one in named)) or tuple(sorted({row[0] for row in rows})), years


def _matrix(
    rows: Sequence[Row],
    kind: PeriodKind,
    extent: tuple[tuple[str, ...], tuple[int, int]],
    indicators: Sequence[Indicator],
) -> Coverage:
    regions, years = extent
    return coverage(panel_of(rows, regions, indicators, kind.of_year(years[0])[0], kind.of_year(years[1])[-1]))


async def _opened(matrix: Coverage, data: CountyData) -> list[Ticket]:
    """The tickets that this call made."""
    made = []
    for ticket in tickets_of(matrix.gaps(), utc_now()):
        kept, is_new = await data.store.open_ticket(ticket)
        if is_new:
            made.append(kept)
    return made


def _plain(of: Completeness) -> dict[str, Any]:
    share = of.share
    return {
        "present": of.present,
        "expected": of.expected,
        "share": None if isinstance(share, Undefined) else round(float(share), 1),
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "region": gap.region,
        "indicator": gap.indicator.key,
        "year": gap.year,
        "missing": gap.missing,
        "explained": gap.explained,
        "department": gap.indicator.owner,
    }
