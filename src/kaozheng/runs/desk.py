"""Desk: all that starting and resuming runs needs, put together by the wiring."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kaozheng.artifacts import ArtifactStore
from kaozheng.journal import Event, Leases, RunRecord, RunStore

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

Emit: TypeAlias = Callable[[str, dict[str, Any]], None]
"""Say that something happened in the run: the kind of an event (EventKind) and its data. Callable from any thread."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The journal, the leases, the checkpoints (opened for one run at a time, by its folder and whether it is secret:
    titles and short quotes stand in them), the runs' folder, the clock, and the ports of a run: what its steps get as
    context. `now` returns an aware time in UTC; `artifacts` opens the texts of a run's folder without its other
    ports."""

    journal: RunStore
    leases: Leases
    checkpoints: Callable[[Path, bool], AbstractAsyncContextManager[BaseCheckpointSaver[Any]]]
    runs_folder: Path
    now: Callable[[], datetime]
    ports_for: Callable[[RunRecord, Emit], Any]
    artifacts: Callable[[Path], ArtifactStore]
    listeners: tuple[Callable[[Event], None], ...] = ()
    """Who hears the events of every run besides its caller (traces)."""
