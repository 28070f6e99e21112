"""Event: one line of a run's log, shown while it runs and kept after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """What happened. `call_finished` comes from the model seam, `note` from a step, the others from the runner."""

    RUN_STARTED = "run_started"
    RUN_RESUMED = "run_resumed"
    STEP_STARTED = "step_started"
    STEP_FINISHED = "step_finished"
    CALL_FINISHED = "call_finished"
    NOTE = "note"
    RUN_FINISHED = "run_finished"
    RUN_STOPPED = "run_stopped"
    RUN_FAILED = "run_failed"


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in a run, when (ISO 8601, UTC) and as its which event (`seq` from 1). `data`: JSON, no secrets."""

    run_id: str
    seq: int
    at: str
    kind: EventKind
    data: dict[str, Any] = field(default_factory=dict)
