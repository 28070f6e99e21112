"""Tickets: which values departments are asked for, and that they answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kaozheng.api.county import CountyData, open_data
from kaozheng.api.running import run_sync
from kaozheng.county.ticket import Ticket, TicketState
from kaozheng.errors import InputError
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.period import PeriodKind
from kaozheng.settings import Settings


def list_tickets(region: str = "", open_only: bool = False, settings: Settings | None = None) -> Sequence[Ticket]:
    """Tickets by department, region, year and indicator. Raises InputError for a region that is none, StorageError."""

    async def listed() -> Sequence[Ticket]:
        async with open_data(settings) as data:
            code = data.lists.region(region).code if region else ""
            found = await data.store.tickets(code)
            return [one for one in found if not open_only or one.state is TicketState.OPEN]

    return run_sync(listed())


async def answer_filled(data: CountyData, imported: Iterable[Observation]) -> list[str]:
    """Mark open tickets answered whose value has come with these rows; their keys. A year is delivered with its yearly
    value; parts of a year alone leave the ticket open, for a person to close."""
    lineage = data.lists.lineage
    delivered = {
        (lineage.today(one.region.code, one.period.year), one.indicator, one.period.year)
        for one in imported
        if one.value is not None and one.period.kind is PeriodKind.YEAR
    }
    answered = []
    for ticket in await data.store.tickets():
        is_delivered = (ticket.region, ticket.indicator, ticket.year) in delivered
        if (
            is_delivered
            and ticket.state is TicketState.OPEN
            and await data.store.close_ticket(ticket.key, answered=True)
        ):
            answered.append(ticket.key)
    return answered


def close_ticket(key: str, answered: bool, settings: Settings | None = None) -> None:
    """Mark an open ticket answered, or else withdrawn. Raises InputError when none is open under this key."""

    async def closed() -> bool:
        async with open_data(settings) as data:
            return await data.store.close_ticket(key, answered)

    if not run_sync(closed()):
        raise InputError(f"no ticket {key!r} is open: kaozheng county tickets --open lists them")
