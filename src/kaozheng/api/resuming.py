"""Go on with a run that was stopped; begin again at one of its checkpoints. For the runs of every workflow."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kaozheng.api import summarizing, writing
from kaozheng.api.choosing import budget_of, of_run
from kaozheng.api.results import RunResult, result_of
from kaozheng.api.running import OnEvent, run_sync
from kaozheng.errors import InputError, StorageError
from kaozheng.settings import Settings, load_settings
from kaozheng.wiring import check_priced, checked_model, open_desk

if TYPE_CHECKING:
    from kaozheng.journal import RunRecord
    from kaozheng.runs.plan import Workflow

_WORKFLOWS: Final[Mapping[str, Callable[[RunRecord], Workflow]]] = {
    "write": writing.workflow_of,
    "summarize": summarizing.workflow_of,
}
_TAKEN_OVER: Final = (writing.BOOK, "input.md")
"""What a fork copies of the run's folder, where it is there: what is no artifact."""


def resume(
    run_id: str, on_event: OnEvent | None = None, settings: Settings | None = None, **limits: float | None
) -> RunResult:
    """Go on with a stopped, failed or killed run at the very step. A done run sends out again what is missing: gaps,
    and what its model failed to answer or was not asked for because the budget was used up.

    `limits` (`max_tokens`, `max_calls`, `max_seconds`, `max_money`) replace those of the run. Raises InputError when
    nothing is missing, or when the budget was the reason and is not raised.
    """
    return run_sync(aresume(run_id, on_event, settings, **limits))


async def aresume(
    run_id: str, on_event: OnEvent | None = None, settings: Settings | None = None, **limits: float | None
) -> RunResult:
    """The async twin of `resume`."""
    from kaozheng.journal import RunStatus
    from kaozheng.runs.runner import resume as go_on

    settings = settings or load_settings()
    async with open_desk(settings) as desk:
        record = await desk.journal.get(run_id)
        budget = budget_of(limits)
        made = record.result or {}
        if record.status is RunStatus.DONE:
            _ensure_room(record, budget)
        if record.status is not RunStatus.DONE or made.get("gaps") or made.get("failed"):
            # Of a run that is done and complete the runner says so, key or no key.
            chosen = of_run(settings, record)
            checked_model(chosen)
            if budget.get("money"):
                check_priced(chosen)
        workflow = workflow_of(record)
        return result_of(await go_on(desk, run_id, lambda _: workflow, on_event, budget))


def _ensure_room(record: RunRecord, budget: Mapping[str, float]) -> None:
    """A run that reached its budget needs a higher one. Seconds count anew from each resumption."""
    known = record.request.get("budget", {})
    for name in (record.result or {}).get("limits", ()):
        if name != "seconds" and name in known and budget.get(name, 0) <= known[name]:
            used_up = f"run {record.id} used up its budget of {known[name]:.10g} {name}"
            raise InputError(f"{used_up}: resume it with --max-{name} above that")


def fork(run_id: str, checkpoint: str, on_event: OnEvent | None = None, settings: Settings | None = None) -> RunResult:
    """Begin a new run at a checkpoint of another run (its id, or how that ends) and work to the end.

    The old run is only read. Raises UnknownRunError, InputError for an unknown checkpoint; StoppedError as `write`.
    """
    return run_sync(afork(run_id, checkpoint, on_event, settings))


async def afork(
    run_id: str, checkpoint: str, on_event: OnEvent | None = None, settings: Settings | None = None
) -> RunResult:
    """The async twin of `fork`."""
    from kaozheng.runs.fork import fork as begin_at

    settings = settings or load_settings()
    async with open_desk(settings) as desk:
        record = await desk.journal.get(run_id)
        workflow = workflow_of(record)

        def prepare(folder: Path) -> None:
            # Only now: of a run or a checkpoint that does not exist nobody needs to hear that a key is missing.
            checked_model(of_run(settings, record))
            for name in _TAKEN_OVER:
                _copy(Path(record.folder) / name, folder / name)

        return result_of(await begin_at(desk, run_id, checkpoint, lambda _: workflow, prepare, on_event))


def workflow_of(record: RunRecord) -> Workflow:
    """The workflow of a run as it was when the run began. Raises RuleBookError; InputError for a workflow that this
    version does not know."""
    if record.workflow not in _WORKFLOWS:
        known = ", ".join(_WORKFLOWS)
        raise InputError(f"run {record.id} is one of {record.workflow!r}, which cannot go on here: {known} can")
    return _WORKFLOWS[record.workflow](record)


def _copy(old: Path, new: Path) -> None:
    """Copy a file that may be missing. Raises StorageError."""
    try:
        shutil.copyfile(old, new)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"{error.filename or new}: cannot be copied ({error.strerror})") from error
