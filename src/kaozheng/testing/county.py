"""The data of counties as long as the test lives. Keeps the promises of the port."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from kaozheng.county.last_published import last_published
from kaozheng.county.policy import require_own_clauses
from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.revision import contents, require_comparable, revised
from kaozheng.county.store import Imported, Record, Wanted
from kaozheng.county.table_source import TableSource
from kaozheng.county.ticket import Ticket, TicketState
from kaozheng.county.whole_texts import require_keepable
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.panel import Row

R = TypeVar("R", bound=Record)


class MemoryCounty:
    """The CountyStore in dicts."""

    def __init__(self) -> None:
        self._regions: dict[tuple[str, int], RegionEntry] = {}
        self._indicators: dict[str, Indicator] = {}
        self._sources: dict[str, TableSource] = {}
        self._observations: dict[str, dict[tuple[str, str, str], Observation]] = {}
        self._records: dict[tuple[type, str], tuple[Record, str]] = {}
        self._tickets: dict[str, Ticket] = {}

    async def put_regions(self, entries: Sequence[RegionEntry]) -> None:
        require_keepable(entries)
        self._regions |= {(entry.code, entry.since): entry for entry in entries}

    async def regions(self) -> Sequence[RegionEntry]:
        return [self._regions[key] for key in sorted(self._regions)]

    async def put_indicators(self, indicators: Sequence[Indicator]) -> None:
        self._indicators = self._with(indicators)

    async def indicators(self) -> Sequence[Indicator]:
        return [self._indicators[key] for key in sorted(self._indicators)]

    async def import_rows(
        self, source: TableSource, rows: Iterable[Observation], indicators: Sequence[Indicator] = ()
    ) -> Imported:
        known = self._with(indicators)
        require_keepable([source])
        given = list(rows)
        new = contents(source, given, known)
        kept = contents(source, (replace(one, vintage="") for one in self._of_source(source.id)), self._indicators)
        imported = revised(kept.items(), new).imported
        self._indicators = known
        self._sources[source.id] = source
        self._observations[source.id] = {
            _name(one): replace(one, vintage=source.vintage)
            for one in reversed(given)  # of two alike the first
        }
        return imported

    async def sources(self) -> Sequence[TableSource]:
        return [self._sources[id] for id in sorted(self._sources)]

    async def remove_source(self, source: str) -> int:
        self._sources.pop(source, None)
        records = [key for key, (_, of) in self._records.items() if source and of == source]
        for key in records:
            del self._records[key]
        return len(self._observations.pop(source, {})) + len(records)

    async def observations(self, wanted: Wanted) -> Sequence[Observation]:
        found = [(*_name(one), one.vintage, id, one) for id, one in self._wanted(wanted)]
        return [one for *_, one in sorted(found, key=lambda row: row[:-1])]

    async def rows(self, wanted: Wanted) -> Sequence[Row]:
        units = {key: indicator.unit for key, indicator in self._indicators.items()}
        published = (
            (*_name(one), one.vintage, None if one.value is None else str(one.value), one.unit, one.missing)
            for one in await self.observations(wanted)
        )
        return list(last_published(published, units))

    async def synthetic(self, wanted: Wanted) -> bool:
        return any(self._sources[id].synthetic for id, _ in self._wanted(wanted))

    async def put_records(self, records: Sequence[Record], source: str = "") -> None:
        require_keepable(records)
        require_own_clauses(records)
        self._records |= {(type(record), record.id): (record, source) for record in records}

    async def records(self, kind: type[R], region: str = "") -> Sequence[R]:
        kept = [record for record, _ in self._records.values() if isinstance(record, kind)]
        found = [record for record in kept if not region or getattr(record, "region", "") == region]
        return sorted(found, key=lambda record: record.id)

    async def open_ticket(self, ticket: Ticket) -> tuple[Ticket, bool]:
        require_keepable([ticket])
        new = ticket.key not in self._tickets
        return self._tickets.setdefault(ticket.key, ticket), new

    async def tickets(self, region: str = "") -> Sequence[Ticket]:
        found = [ticket for ticket in self._tickets.values() if not region or ticket.region == region]
        return sorted(found, key=lambda one: (one.department, one.region, one.year, one.indicator, one.key))

    async def close_ticket(self, key: str, answered: bool) -> bool:
        known = self._tickets.get(key)
        if known is None or known.state is not TicketState.OPEN:
            return False
        self._tickets[key] = replace(known, state=TicketState.ANSWERED if answered else TicketState.WITHDRAWN)
        return True

    def _with(self, given: Sequence[Indicator]) -> dict[str, Indicator]:
        """What would be kept with these. Raises InputError when rows would mean something else then."""
        require_keepable(given)
        used = {one.indicator for of in self._observations.values() for one in of.values()}
        for indicator in given:
            if indicator.key in used:
                require_comparable(self._indicators[indicator.key], indicator)
        return self._indicators | {indicator.key: indicator for indicator in given}

    def _of_source(self, source: str) -> Iterable[Observation]:
        return self._observations.get(source, {}).values()

    def _wanted(self, wanted: Wanted) -> Iterator[tuple[str, Observation]]:
        for id in self._sources:
            yield from ((id, one) for one in self._of_source(id) if _takes(wanted, one))


def _name(one: Observation) -> tuple[str, str, str]:
    return one.indicator, one.region.code, str(one.period)


def _takes(wanted: Wanted, one: Observation) -> bool:
    return (
        (not wanted.regions or one.region.code in wanted.regions)
        and (not wanted.indicators or one.indicator in wanted.indicators)
        and (wanted.first_year or 0) <= one.period.year <= (wanted.last_year or 9999)
        and (wanted.kind is None or one.period.kind is wanted.kind)
        and (not wanted.vintage or one.vintage <= wanted.vintage)
        and not (wanted.missing_only and one.missing is None)
    )
