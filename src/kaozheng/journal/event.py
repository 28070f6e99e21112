"""Event: one line of a run's log, shown while it runs and kept after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """What happened. `note` comes from a step, `call_finished` from the model seam, the others from the runner.

    Data: step_* {step, task, within?, seconds?, error?}; call_finished {role, purpose, model, usage: {input_tokens, …},
    seconds, finish, error?, replayed}; run_finished {exit_code, summary}; run_stopped and run_failed {error}.
    """

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
