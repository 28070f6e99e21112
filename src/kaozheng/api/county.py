"""The data of counties with the lists of regions and indicators that ship: what calls about counties begin with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kaozheng.api.running import run_sync
from kaozheng.county.business_terms import Hit, business_terms, holders
from kaozheng.county.catalogue import Catalogue, built_in
from kaozheng.county.regions.gazetteer import Resolved, Unresolved
from kaozheng.county.regions.lineage import Lineage
from kaozheng.county.regions.region_index import RegionIndex
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.errors import InputError
from kaozheng.indicators.region import Region
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring.county import county_file, open_county
from kaozheng.wiring.desk import utc_now

if TYPE_CHECKING:
    from kaozheng.county.regions.entry import RegionEntry
    from kaozheng.county.store import CountyStore
    from kaozheng.county.table_source import TableSource
    from kaozheng.indicators.indicator import Indicator
    from kaozheng.indicators.reason import Reason


@dataclass(frozen=True, slots=True)
class CountyLists:
    """Regions and indicators by name: those that ship, and those that a store has besides. Of two with one key or code
    the store's counts."""

    regions: RegionIndex
    catalogue: Catalogue
    lineage: Lineage

    def region(self, named: str, year: int | None = None) -> Region:
        """The region that a name or code means in a year (today). Raises InputError with what it may mean."""
        found = self.regions.resolve(named, year or utc_now().year)
        if isinstance(found, Unresolved):
            raise InputError(f"{found.reason.zh} / {found.reason.en}")
        return found.region

    def indicator(self, named: str) -> Indicator:
        """The indicator that a key or name means. Raises InputError with what it may mean."""
        return self.catalogue.meant(named)

    def named(self, code: str) -> Region:
        """The region of a code of today with its name, after that of its prefecture where others bear it too (市中区).
        A code that is not in the lists has none."""
        bare = Region(code, utc_now().year)
        entry = self.regions.entry(bare)
        if entry is None:
            return bare
        above = self.regions.entry(Region(entry.parent, bare.year)) if entry.parent else None
        is_one = isinstance(self.regions.resolve(entry.name, bare.year), Resolved)
        return replace(bare, name=entry.name if is_one or above is None else above.name + entry.name)

    def counties_of(self, region: Region) -> tuple[Region, ...]:
        """The counties of a prefecture or province; a county is its own."""
        counties = self.regions.counties(region.year)
        below = tuple(one for one in counties if self._lies_in(one, region.code))
        return below or (region,)

    def _lies_in(self, county: Region, code: str) -> bool:
        entry = self.regions.entry(county)
        above = self.regions.entry(Region(entry.parent, county.year)) if entry and entry.parent else None
        return entry is not None and code in (entry.parent, above.parent if above else "")

    def codes(self, regions: Iterable[Region]) -> tuple[str, ...]:
        """All codes under which rows of these regions may stand."""
        today = {self.lineage.today(region.code, region.year) for region in regions}
        return tuple(sorted({code for one in today for code in self.lineage.codes(one)}))


@dataclass(frozen=True, slots=True)
class CountyData:
    """The store, open, and the lists by which its rows are named."""

    store: CountyStore
    lists: CountyLists


@dataclass(frozen=True, slots=True)
class NamedRegion:
    """A region that a name means: with its full name, what it is, since when, and its former codes. `note` says what a
    reader should know."""

    region: Region
    full_name: str
    kind: str
    since: int
    codes: tuple[str, ...]
    note: Reason | None = None


@asynccontextmanager
async def open_data(settings: Settings | None = None, making: bool = False) -> AsyncIterator[CountyData]:
    """The data of counties. Without `making` a place that holds none yet raises InputError, so that looking makes
    nothing. Raises StorageError, SettingsError, MissingExtraError."""
    settings = settings or load_settings()
    file = county_file(settings)
    if not making and file is not None and not file.exists():
        raise InputError(
            "there is no data of counties yet: kaozheng county import FILE, or kaozheng county demo FOLDER"
        )
    async with open_county(settings) as store:
        yield CountyData(store, await _lists_of(store))


def regions(named: str, year: int | None = None, settings: Settings | None = None) -> NamedRegion:
    """What a name or code means in a year (today). Raises InputError with the candidates when it is not one region."""
    lists = run_sync(county_lists(settings))
    found = lists.regions.resolve(named, year or utc_now().year)
    if isinstance(found, Unresolved):
        raise InputError(f"{found.reason.zh} / {found.reason.en}")
    entry = lists.regions.entry(found.region)
    today = lists.lineage.today(found.region.code, found.region.year)
    return NamedRegion(
        found.region,
        lists.regions.full_name(found.region),
        entry.kind if entry else "",
        entry.since if entry else found.region.year,
        lists.lineage.codes(today),
        found.note,
    )


def terms(question: str) -> Sequence[Hit]:
    """What holds the answer to a question, by its words. Raises InputError for a question of no words."""
    if not question.strip():
        raise InputError("there is nothing to look for: give words")
    return holders(question, business_terms())


def sources(settings: Settings | None = None) -> Sequence[TableSource]:
    """The sources that were imported, by id."""

    async def listed() -> Sequence[TableSource]:
        async with open_data(settings) as data:
            return await data.store.sources()

    return run_sync(listed())


def remove_source(source: str, settings: Settings | None = None) -> int:
    """Take a source out with its rows and records; how many there were. Raises InputError when there is none."""

    async def removed() -> int:
        async with open_data(settings) as data:
            known = [one.id for one in await data.store.sources()]
            if source not in known:
                raise InputError(f"there is no source {source!r}; there are: {', '.join(known) or 'none'}")
            return await data.store.remove_source(source)

    return run_sync(removed())


async def county_lists(settings: Settings | None = None) -> CountyLists:
    """The lists, with those of the store where there is one already."""
    settings = settings or load_settings()
    file = county_file(settings)
    if file is not None and not file.exists():
        return CountyLists(sichuan(), built_in(), Lineage(sichuan().entries, sichuan().changes))
    async with open_data(settings) as data:
        return data.lists


async def _lists_of(store: CountyStore) -> CountyLists:
    own = await store.regions()
    index = RegionIndex(_together(own), sichuan().changes) if own else sichuan()
    catalogue = Catalogue((*built_in().indicators, *await store.indicators()))
    return CountyLists(index, catalogue, Lineage(index.entries, index.changes))


def _together(own: Sequence[RegionEntry]) -> tuple[RegionEntry, ...]:
    known = {(entry.code, entry.since): entry for entry in (*sichuan().entries, *own)}
    return tuple(known.values())
