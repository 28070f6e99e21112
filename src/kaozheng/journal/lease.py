"""Lease: at most one process works on a run. The graph engine has no such lock; two writers would lose a run's work."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that works on a run, and since when (ISO 8601, UTC)."""

    pid: int
    since: str


class Leases(Protocol):
    """Who works on which run."""

    def take(self, run_id: str) -> AbstractAsyncContextManager[Holder]:
        """Hold the run while the context is open. RunHeldError when somebody else does, StorageError without a folder.

        The lease ends with its process, however that dies.
        """
        ...

    def holder(self, run_id: str) -> Holder | None:
        """Who holds the run now, or None: a run that is `running` and held by nobody was left by a dead process."""
        ...
