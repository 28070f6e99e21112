"""Stores that live as long as the test, and a clock that only a test moves. Each keeps the promises of its port."""

from __future__ import annotations

import copy
import difflib
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from kaozheng.artifacts.in_memory import MemoryArtifacts
from kaozheng.errors import RunHeldError, StorageError, UnknownRunError
from kaozheng.journal import Event, Holder, LedgerEntry, RunRecord
from kaozheng.models.messages import Call, Completion

__all__ = ["FrozenClock", "MemoryArtifacts", "MemoryLeases", "MemoryLedger", "MemoryRuns"]


class MemoryLedger:
    """Answers kept in a dict; `asked` counts the look-ups and `kept` the answers."""

    def __init__(self) -> None:
        self.asked = 0
        self.kept: dict[tuple[str, str], tuple[Call, Completion]] = {}

    async def known(self, run_id: str) -> set[str]:
        return {fingerprint for run, fingerprint in self.kept if run == run_id}

    async def get(self, run_id: str, fingerprint: str) -> Completion | None:
        self.asked += 1
        found = self.kept.get((run_id, fingerprint))
        return found[1] if found else None

    async def put(self, run_id: str, fingerprint: str, call: Call, completion: Completion) -> None:
        self.kept[run_id, fingerprint] = (call, completion)


class MemoryRuns:
    """The journal in dicts. What is put in and handed out are copies, as with a database."""

    def __init__(self) -> None:
        self._records: dict[str, RunRecord] = {}
        self._events: dict[str, dict[int, Event]] = {}
        self._answers: dict[tuple[str, str], LedgerEntry] = {}

    async def create(self, record: RunRecord) -> bool:
        if record.id in self._records:
            return False
        self._records[record.id] = copy.deepcopy(record)
        return True

    async def get(self, run_id: str) -> RunRecord:
        if run_id not in self._records:
            near = difflib.get_close_matches(run_id, self._records, n=3)
            raise UnknownRunError(f"no run has the id {run_id!r}; near it: {', '.join(near) or 'none'}")
        return copy.deepcopy(self._records[run_id])

    async def list(self, limit: int = 50) -> Sequence[RunRecord]:
        newest = sorted(self._records.values(), key=lambda record: (record.created_at, record.id), reverse=True)
        return copy.deepcopy(newest[:limit])

    async def update(self, record: RunRecord) -> None:
        await self.get(record.id)
        self._records[record.id] = copy.deepcopy(record)

    async def add_event(self, *events: Event) -> None:
        for event in events:
            of_run = self._events.setdefault(event.run_id, {})
            if event.seq in of_run:
                raise StorageError(f"event {event.seq} of {event.run_id} is already there")
            of_run[event.seq] = copy.deepcopy(event)

    async def events(self, run_id: str, after: int = 0) -> Sequence[Event]:
        of_run = self._events.get(run_id, {})
        return [copy.deepcopy(of_run[seq]) for seq in sorted(of_run) if seq > after]

    async def get_answer(self, run_id: str, fingerprint: str) -> LedgerEntry | None:
        return copy.deepcopy(self._answers.get((run_id, fingerprint)))

    async def answered(self, run_id: str) -> set[str]:
        return {fingerprint for run, fingerprint in self._answers if run == run_id}

    async def answers(self, run_id: str) -> Sequence[LedgerEntry]:
        of_run = [entry for (run, _), entry in self._answers.items() if run == run_id]
        return copy.deepcopy(sorted(of_run, key=lambda entry: entry.at))

    async def put_answer(self, run_id: str, entry: LedgerEntry) -> None:
        self._answers[run_id, entry.fingerprint] = replace(entry, completion=copy.deepcopy(entry.completion))


class MemoryLeases:
    """Leases within one process. `held` may be filled by a test to play another process."""

    def __init__(self) -> None:
        self.held: dict[str, Holder] = {}

    @asynccontextmanager
    async def take(self, run_id: str) -> AsyncIterator[Holder]:
        if other := self.held.get(run_id):
            raise RunHeldError(f"run {run_id} is being worked on by process {other.pid} since {other.since}")
        self.held[run_id] = Holder(os.getpid(), datetime.now(UTC).isoformat(timespec="seconds"))
        try:
            yield self.held[run_id]
        finally:
            del self.held[run_id]

    def holder(self, run_id: str) -> Holder | None:
        return self.held.get(run_id)


class FrozenClock:
    """Stands still until `pass_s`. `now` gives the time of day (UTC), a call the monotonic seconds."""

    def __init__(self, at: datetime = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)) -> None:
        self._at = at
        self._passed_s = 0.0

    def __call__(self) -> float:
        return self._passed_s

    def now(self) -> datetime:
        return self._at + timedelta(seconds=self._passed_s)

    def pass_s(self, seconds: float) -> None:
        self._passed_s += seconds

    async def sleep(self, seconds: float) -> None:
        """Sleep as `asyncio.sleep` would, at once."""
        self.pass_s(seconds)
