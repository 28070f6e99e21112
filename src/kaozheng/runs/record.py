"""What doors show of runs: records with the truth about dead processes, and events added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kaozheng.artifacts import Version
from kaozheng.journal import Event, EventKind, Leases, RunRecord, RunStatus
from kaozheng.runs.desk import Desk

_LEFT = "its process ended before the run did"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run with its events and the versions of each of its artifacts (oldest first), as `runs show` prints it."""

    record: RunRecord
    events: Sequence[Event]
    artifacts: Mapping[str, Sequence[Version]] = field(default_factory=dict)

    @property
    def steps(self) -> dict[str, int]:
        """How often each step finished, in the order in which they first did."""
        finished = (event for event in self.events if event.kind is EventKind.STEP_FINISHED)
        return dict(Counter(str(event.data.get("step", "")) for event in finished if not event.data.get("error")))


async def list_runs(desk: Desk, limit: int = 50) -> list[RunRecord]:
    """The newest runs first. A run whose process was killed is `stopped`, not `running`."""
    return [true_status(record, desk.leases) for record in await desk.journal.list(limit)]


async def show_run(desk: Desk, run_id: str) -> RunView:
    """One run with its events and artifacts. UnknownRunError names the ids that look alike."""
    record = await desk.journal.get(run_id)
    store = desk.artifacts(Path(record.folder))
    artifacts = {name: await store.versions(name) for name in await store.names()}
    return RunView(true_status(record, desk.leases), await desk.journal.events(run_id), artifacts)


def true_status(record: RunRecord, leases: Leases) -> RunRecord:
    """The record, `stopped` where it says `running` but nobody holds the run."""
    if record.status is RunStatus.RUNNING and leases.holder(record.id) is None:
        return replace(record, status=RunStatus.STOPPED, error=record.error or _LEFT)
    return record


def usage_of(events: Iterable[Event]) -> dict[str, int]:
    """The tokens and calls of a run, all its resumes together: the sum over its calls, replayed ones left out.

    From the events and not from a counter, so that what a killed process spent is counted too.
    """
    total: Counter[str] = Counter()
    for event in events:
        if event.kind is EventKind.CALL_FINISHED and not event.data.get("replayed"):
            usage = event.data.get("usage") or {}
            total.update({key: count for key, count in usage.items() if type(count) is int})
    return dict(total)
