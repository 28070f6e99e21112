"""The port behind which the data of counties is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from kaozheng.county.policy import Policy
from kaozheng.county.records import (
    BusinessTerms,
    ChainLink,
    Enterprise,
    ExpertRule,
    FactorConstraint,
    Mechanism,
    Project,
)
from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.table_source import TableSource
from kaozheng.county.ticket import Ticket
from kaozheng.county.whole_texts import require_whole_texts
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.panel import Row
from kaozheng.indicators.period import PeriodKind

Record = Policy | Enterprise | Project | FactorConstraint | ChainLink | ExpertRule | Mechanism | BusinessTerms
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which observations: those of these regions (codes), indicators (keys) and years; an empty tuple takes all of
    them. `vintage` leaves out what was published after it, `missing_only` what has a value. Raises InputError for texts
    that no database has."""

    regions: tuple[str, ...] = ()
    indicators: tuple[str, ...] = ()
    first_year: int | None = None
    last_year: int | None = None
    kind: PeriodKind | None = None
    vintage: str = ""
    missing_only: bool = False

    def __post_init__(self) -> None:
        require_whole_texts((*self.regions, *self.indicators, self.vintage), "what is wanted")


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import changed: rows `added`, `changed` and `removed` (those that the source no longer has), and
    `unchanged`. All are 0 but the last when the same source comes again."""

    added: int
    changed: int
    removed: int
    unchanged: int


class CountyStore(Protocol):
    """The data of counties. Writes are atomic: wholly or not at all. Raises StorageError."""

    async def put_regions(self, entries: Sequence[RegionEntry]) -> None:
        """Keep these, in the place of those with their code and first year."""

    async def regions(self) -> Sequence[RegionEntry]:
        """All, by code and first year."""

    async def put_indicators(self, indicators: Sequence[Indicator]) -> None:
        """Keep these, in the place of those with their keys. Raises InputError when one would change the unit, calibre
        or period type of an indicator that has rows."""

    async def indicators(self) -> Sequence[Indicator]:
        """All, by key."""

    async def import_rows(
        self, source: TableSource, rows: Iterable[Observation], indicators: Sequence[Indicator] = ()
    ) -> Imported:
        """Make the rows of this source these, in one go with the indicators that are new. Importing the same again
        changes nothing, two rows of one name that say the same count once. Rows are of the vintage of their source,
        which they may leave out. Raises InputError for a row of an indicator that is not kept, of a unit that cannot
        be said in its, of another vintage, and for two rows of one name whose values differ."""

    async def sources(self) -> Sequence[TableSource]:
        """All sources, by id."""

    async def remove_source(self, source: str) -> int:
        """Take a source, its rows and the records that came with it out; how many rows and records."""

    async def observations(self, wanted: Wanted) -> Sequence[Observation]:
        """The observations of all revisions, by indicator, region, period and vintage, as they were given."""

    async def rows(self, wanted: Wanted) -> Sequence[Row]:
        """For each indicator, region and period the row published last, in the indicator's unit, for a panel."""

    async def synthetic(self, wanted: Wanted) -> bool:
        """Whether any of these observations is of a synthetic source."""

    async def put_records(self, records: Sequence[Record], source: str = "") -> None:
        """Keep these, in the place of those of their kind and id. `source` is the id of the source that they came with.
        Raises InputError for a policy with clauses of another."""

    async def records(self, kind: type[R], region: str = "") -> Sequence[R]:
        """The records of a kind by id, all of them or those of a region (policies are of none)."""

    async def open_ticket(self, ticket: Ticket) -> tuple[Ticket, bool]:
        """The ticket of this key, and whether this call made it. Safe for many writers at once."""

    async def tickets(self, region: str = "") -> Sequence[Ticket]:
        """Tickets by department, region, year and indicator."""

    async def close_ticket(self, key: str, answered: bool) -> bool:
        """Mark an open ticket answered or withdrawn; False when none is open under this key."""
