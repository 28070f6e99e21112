"""Runs that were: which there are, what happened in one, where a fork can begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kaozheng.api.resuming import workflow_of
from kaozheng.api.running import run_sync
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import open_desk

if TYPE_CHECKING:
    from kaozheng.journal import RunRecord
    from kaozheng.runs.history import Checkpoint
    from kaozheng.runs.record import RunView


def checkpoints(run_id: str, settings: Settings | None = None) -> list[Checkpoint]:
    """The checkpoints of a run, newest first: where `fork` can begin. Raises UnknownRunError."""

    async def listed() -> list[Checkpoint]:
        from kaozheng.runs.history import checkpoints as known

        async with open_desk(settings or load_settings()) as desk:
            workflow = workflow_of(await desk.journal.get(run_id))
            return await known(desk, run_id, lambda _: workflow)

    return run_sync(listed())


def list_runs(limit: int = 50, settings: Settings | None = None) -> list[RunRecord]:
    """The newest runs first."""

    async def listed() -> list[RunRecord]:
        from kaozheng.runs.record import list_runs as newest

        async with open_desk(settings or load_settings()) as desk:
            return await newest(desk, limit)

    return run_sync(listed())


def show_run(run_id: str, settings: Settings | None = None) -> RunView:
    """One run with its events and the versions of its artifacts. Raises UnknownRunError."""

    async def shown() -> RunView:
        from kaozheng.runs.record import show_run as view_of

        async with open_desk(settings or load_settings()) as desk:
            return await view_of(desk, run_id)

    return run_sync(shown())
