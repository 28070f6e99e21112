"""RunStore: the port that keeps run records, their events and the answers that were paid for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kaozheng.journal.event import Event
from kaozheng.journal.ledger_entry import LedgerEntry
from kaozheng.journal.run import RunRecord


class RunStore(Protocol):
    """What is written down about runs. Every method raises StorageError when the database refuses."""

    async def create(self, record: RunRecord) -> bool:
        """Write a new record down. False, and nothing written, when its id is taken."""
        ...

    async def get(self, run_id: str) -> RunRecord:
        """The record of a run. UnknownRunError names the ids that look alike."""
        ...

    async def list(self, limit: int = 50) -> Sequence[RunRecord]:
        """The newest records first."""
        ...

    async def update(self, record: RunRecord) -> None:
        """Write the record over the one with its id. UnknownRunError when there is none."""
        ...

    async def add_event(self, *events: Event) -> None:
        """Append events in one write. An event that is already there (same run and seq) is an error of the caller."""
        ...

    async def events(self, run_id: str, after: int = 0) -> Sequence[Event]:
        """The events of a run with a seq above `after`, in order; empty for a run without any."""
        ...

    async def get_answer(self, run_id: str, fingerprint: str) -> LedgerEntry | None:
        """The answer that this run already has for this call."""
        ...

    async def answered(self, run_id: str) -> set[str]:
        """The fingerprints of all answers that this run has."""
        ...

    async def answers(self, run_id: str) -> Sequence[LedgerEntry]:
        """All answers that this run has, oldest first."""
        ...

    async def put_answer(self, run_id: str, entry: LedgerEntry) -> None:
        """Keep an answer; it is on disk when this returns. One with the same fingerprint is replaced."""
        ...
