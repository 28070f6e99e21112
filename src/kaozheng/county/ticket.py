"""A ticket: a department is asked for a value that nobody delivered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TicketState(StrEnum):
    """Where a ticket stands."""

    OPEN = "open"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Ticket:
    """Asks `department` for `indicator` of `region` in `year`. Of one `key` there is one ticket, however often and by
    however many it is opened."""

    key: str
    region: str
    indicator: str
    year: int
    department: str
    reason: str
    opened_at: str
    """ISO 8601 with its zone."""
    state: TicketState = TicketState.OPEN
