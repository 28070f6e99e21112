"""RunRecord: what is known about one run from outside, and how a run is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

_UNSAFE = re.compile(r"[^\w\-]+")
_TOPIC_CHARACTERS = 20


class RunStatus(StrEnum):
    """Where a run stands. A done run also carries its exit code: 0 clean, 1 with leftovers."""

    RUNNING = "running"
    STOPPED = "stopped"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run. Times are ISO 8601 in UTC; request, result and usage are JSON objects without secrets.

    `version` is the workflow's version that the run started with: a graph of another version cannot go on with it.
    """

    id: str
    workflow: str
    topic: str
    folder: str
    created_at: str
    updated_at: str
    version: str = ""
    status: RunStatus = RunStatus.RUNNING
    exit_code: int | None = None
    request: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    usage: dict[str, Any] = field(default_factory=dict)
    resumes: int = 0
    error: str = ""

    @property
    def secret(self) -> bool:
        """Whether the run's texts may stand in its own folder only (and what models answered, in the ledger)."""
        return self.request.get("sensitivity") == "secret"


def run_id(now: datetime, topic: str, taken: Callable[[str], bool]) -> str:
    """`YYYYmmdd_HHMMSS_<topic>`, `_2`, `_3`… added while the id is taken. The time is written as it is given."""
    words = _UNSAFE.sub("_", topic.strip()).strip("_")[:_TOPIC_CHARACTERS].strip("_")
    base = f"{now:%Y%m%d_%H%M%S}_{words or 'Untitled'}"
    name, copies = base, 1
    while taken(name):
        copies += 1
        name = f"{base}_{copies}"
    return name
