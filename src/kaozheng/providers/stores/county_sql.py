"""The data of counties in a database: one SQLite file, or the schema `county` of a PostgreSQL with the same tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

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
from kaozheng.providers.stores import county_records, county_rows
from kaozheng.providers.stores.county_database import CountyDatabase
from kaozheng.providers.stores.county_records import fields_in, read_all, replace_rows
from kaozheng.providers.stores.county_sqlite import open_sqlite_county
from kaozheng.providers.stores.county_tables import indicators, observations, regions, sources, tickets
from kaozheng.providers.stores.unbroken import Unbroken, to_its_end

R = TypeVar("R", bound=Record)
T = TypeVar("T")


class SqlCounty:
    """The CountyStore on one database. Made by `open_county_store`. All work is done in threads; a call goes to its
    end although its caller is cancelled."""

    def __init__(self, database: CountyDatabase) -> None:
        self._database = database
        self.unbroken = Unbroken()

    async def put_regions(self, entries: Sequence[RegionEntry]) -> None:
        """See CountyStore.put_regions."""
        require_keepable(entries)
        rows = [fields_in(entry, regions) for entry in entries]
        await self._write(lambda connection: replace_rows(connection, regions, rows))

    async def regions(self) -> Sequence[RegionEntry]:
        """See CountyStore.regions."""
        return await self._read(lambda connection: read_all(connection, RegionEntry, regions))

    async def put_indicators(self, indicators: Sequence[Indicator]) -> None:
        """See CountyStore.put_indicators."""
        require_keepable(indicators)
        await self._write(lambda connection: _put_indicators(connection, indicators))

    async def indicators(self) -> Sequence[Indicator]:
        """See CountyStore.indicators."""
        return await self._read(_indicators)

    @to_its_end
    async def import_rows(
        self, source: TableSource, rows: Iterable[Observation], indicators: Sequence[Indicator] = ()
    ) -> Imported:
        """See CountyStore.import_rows."""
        require_keepable((source, *indicators))

        def put(connection: sa.Connection) -> Imported:
            _put_indicators(connection, indicators)
            given = contents(source, found, {one.key: one for one in _indicators(connection)})
            number = county_rows.source_number(connection, source)
            revision = revised(county_rows.contents_of(connection, number), given)
            self._database.remove(connection, number, revision.gone)
            self._database.add(connection, county_rows.written(number, revision.new))
            return revision.imported

        # Whoever makes the rows may read a workbook for it; nobody else should have to wait for that.
        found = await asyncio.to_thread(list, rows)
        return await self._write(put)

    async def sources(self) -> Sequence[TableSource]:
        """See CountyStore.sources."""
        return await self._read(county_rows.all_sources)

    async def remove_source(self, source: str) -> int:
        """See CountyStore.remove_source."""

        def remove(connection: sa.Connection) -> int:
            if not source:  # records that came with no source have no other mark
                return 0
            number = sa.select(sources.c.number).where(sources.c.id == source).scalar_subquery()
            rows = connection.execute(sa.delete(observations).where(observations.c.source == number)).rowcount
            connection.execute(sa.delete(sources).where(sources.c.id == source))
            return rows + county_records.remove_records(connection, source)

        return await self._write(remove)

    async def observations(self, wanted: Wanted) -> Sequence[Observation]:
        """See CountyStore.observations."""
        return await self._read(lambda connection: county_rows.observed(self._database, connection, wanted))

    async def rows(self, wanted: Wanted) -> Sequence[Row]:
        """See CountyStore.rows."""
        return await self._read(lambda connection: county_rows.for_panel(self._database, connection, wanted))

    async def synthetic(self, wanted: Wanted) -> bool:
        """See CountyStore.synthetic."""
        return await self._read(lambda connection: county_rows.has_synthetic(self._database, connection, wanted))

    async def put_records(self, records: Sequence[Record], source: str = "") -> None:
        """See CountyStore.put_records."""
        require_keepable(records)
        require_own_clauses(records)
        await self._write(lambda connection: county_records.put_records(connection, records, source))

    async def records(self, kind: type[R], region: str = "") -> Sequence[R]:
        """See CountyStore.records."""
        return await self._read(lambda connection: county_records.records_of(connection, kind, region))

    async def open_ticket(self, ticket: Ticket) -> tuple[Ticket, bool]:
        """See CountyStore.open_ticket."""
        require_keepable((ticket,))

        def opened(connection: sa.Connection) -> tuple[Ticket, bool]:
            # Writers take turns, so nobody comes between the look and the insert.
            known = read_all(connection, Ticket, tickets, tickets.c.key == ticket.key)
            if not known:
                connection.execute(sa.insert(tickets).values(fields_in(ticket, tickets)))
            return (known or [ticket])[0], not known

        return await self._write(opened)

    async def tickets(self, region: str = "") -> Sequence[Ticket]:
        """See CountyStore.tickets."""
        of_region = (tickets.c.region == region,) if region else ()
        found = await self._read(lambda connection: read_all(connection, Ticket, tickets, *of_region))
        return sorted(found, key=lambda one: (one.department, one.region, one.year, one.indicator, one.key))

    async def close_ticket(self, key: str, answered: bool) -> bool:
        """See CountyStore.close_ticket."""
        state = TicketState.ANSWERED if answered else TicketState.WITHDRAWN
        of_key = sa.and_(tickets.c.key == key, tickets.c.state == TicketState.OPEN)
        close = sa.update(tickets).where(of_key).values(state=state)
        return await self._write(lambda connection: bool(connection.execute(close).rowcount))

    @to_its_end
    async def _read(self, work: Callable[[sa.Connection], T]) -> T:
        def whole() -> T:
            with self._database.reading() as connection:
                return work(connection)

        return await asyncio.to_thread(whole)

    @to_its_end
    async def _write(self, work: Callable[[sa.Connection], T]) -> T:
        def whole() -> T:
            with self._database.writing() as connection:
                return work(connection)

        return await asyncio.to_thread(whole)


@asynccontextmanager
async def open_county_store(place: Path | str) -> AsyncIterator[SqlCounty]:
    """The data in the SQLite file of this path, which is made when it is missing, or at this postgresql:// address (a
    text). Raises StorageError; for a server MissingExtraError and SettingsError too."""
    database = await _opened(place)
    store = SqlCounty(database)
    try:
        yield store
    finally:
        await store.unbroken.settle()
        database.close()


async def _opened(place: Path | str) -> CountyDatabase:
    if isinstance(place, Path):
        return await open_sqlite_county(place)
    # Only there: SQLite needs no driver.
    from kaozheng.providers.stores.county_postgres import open_postgres_county

    return await open_postgres_county(place)


def _indicators(connection: sa.Connection) -> list[Indicator]:
    return read_all(connection, Indicator, indicators)


def _put_indicators(connection: sa.Connection, given: Sequence[Indicator]) -> None:
    """Keep these. Raises InputError when rows would mean something else then."""
    known = {one.key: one for one in _indicators(connection)}
    for one in given:
        before = known.get(one.key)
        if before is not None and before != one and _has_rows(connection, one.key):
            require_comparable(before, one)
    changed = [fields_in(one, indicators) for one in given if known.get(one.key) != one]
    replace_rows(connection, indicators, changed)


def _has_rows(connection: sa.Connection, indicator: str) -> bool:
    chosen = sa.select(observations.c.source).where(observations.c.indicator == indicator).limit(1)
    return connection.execute(chosen).first() is not None
