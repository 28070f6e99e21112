"""Tickets: which values departments are asked for, and that they answered."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.api.county import open_data
from kaozheng.api.running import run_sync
from kaozheng.county.ticket import Ticket, TicketState
from kaozheng.errors import InputError
from kaozheng.settings import Settings


def list_tickets(region: str = "", open_only: bool = False, settings: Settings | None = None) -> Sequence[Ticket]:
    """Tickets by department, region, year and indicator. Raises InputError for a region that is none, StorageError."""

    async def listed() -> Sequence[Ticket]:
        async with open_data(settings) as data:
            code = data.lists.region(region).code if region else ""
            found = await data.store.tickets(code)
            return [one for one in found if not open_only or one.state is TicketState.OPEN]

    return run_sync(listed())


def close_ticket(key: str, answered: bool, settings: Settings | None = None) -> None:
    """Mark an open ticket answered, or else withdrawn. Raises InputError when none is open under this key."""

    async def closed() -> bool:
        async with open_data(settings) as data:
            return await data.store.close_ticket(key, answered)

    if not run_sync(closed()):
        raise InputError(f"no ticket {key!r} is open: kaozheng county tickets --open lists them")
