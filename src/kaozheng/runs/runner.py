"""Start and resume: the lease is held, the record is written before the first step, and every end is written down."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from kaozheng.errors import DamagedError, InputError, KaozhengError, StoppedError, StorageError, UnknownRunError
from kaozheng.journal import EventKind, RunRecord, RunStatus, run_id
from kaozheng.runs.desk import Desk
from kaozheng.runs.passage import Waiting, compiled, config_of, pass_through
from kaozheng.runs.plan import Outcome, Workflow, ensure_version
from kaozheng.runs.record import usage_of
from kaozheng.runs.recorder import OnEvent, Recorder, stamp

_STOPPED = "stopped by the user"


async def start(
    desk: Desk,
    workflow: Workflow,
    request: dict[str, Any],
    topic: str = "",
    prepare: Callable[[Path], None] | None = None,
    on_event: OnEvent | None = None,
) -> RunRecord:
    """Begin a run and work on it to its end. The record says how it ended: done with its exit code, or waiting.

    `prepare` fills the run's folder (a copy of the rule book); when it raises, no run is left behind.
    StoppedError when it was stopped and can be resumed; what the workflow raises otherwise, the record being `failed`.
    """

    async def fill(folder: Path) -> None:
        if prepare:
            prepare(folder)

    return await begin(desk, workflow, request, topic, fill, on_event)


async def begin(
    desk: Desk,
    workflow: Workflow,
    request: dict[str, Any],
    topic: str,
    fill: Callable[[Path], Awaitable[None]],
    on_event: OnEvent | None,
) -> RunRecord:
    """`start`, where `fill` may wait, and may lay down checkpoints for the run, whose id is the folder's name: the run
    then goes on from there."""
    topic = topic.encode("utf-8", "replace").decode()
    name, folder = await _claim(desk, topic)
    try:
        async with desk.leases.take(name):
            await fill(folder)
            record = await _write_down(desk, workflow, request, topic, folder)
            return await _work(desk, workflow, record, EventKind.RUN_STARTED, on_event)
    except BaseException as error:
        recorded = await _recorded_or_dropped(desk, name, folder)
        if recorded and isinstance(error, asyncio.CancelledError):
            raise _stopped(name) from error
        raise


async def resume(
    desk: Desk,
    run: str,
    workflow_of: Callable[[str], Workflow],
    on_event: OnEvent | None = None,
    budget: dict[str, Any] | None = None,
) -> RunRecord:
    """Go on with a run: what its checkpoints hold is not run again; a done run sends its gaps, and what a model was
    asked for in vain, out once more. `budget` replaces limits of the run's request.

    UnknownRunError; RunHeldError while another process works on it; InputError when it is done and complete, or when
    this version's graph cannot go on with it.
    """
    await desk.journal.get(run)  # says which ids are near before the lease says that there is no folder
    async with desk.leases.take(run):
        try:
            return await _go_on(desk, run, workflow_of, on_event, budget)
        except asyncio.CancelledError as error:  # before the first step; later ones are written down by _work
            raise _stopped(run) from error


async def _go_on(
    desk: Desk,
    run: str,
    workflow_of: Callable[[str], Workflow],
    on_event: OnEvent | None,
    budget: dict[str, Any] | None,
) -> RunRecord:
    record = await desk.journal.get(run)  # the last holder may have written since
    workflow = workflow_of(record.workflow)
    ensure_version(workflow, record)
    if record.status is RunStatus.DONE:
        await _reopen(desk, workflow, record)
    if budget:
        limits = {**record.request.get("budget", {}), **budget}
        record = replace(record, request={**record.request, "budget": limits})
    record = replace(
        record,
        status=RunStatus.RUNNING,
        resumes=record.resumes + 1,
        usage=usage_of(await desk.journal.events(run)),  # a killed process left it unsaid; budgets count on it
        updated_at=stamp(desk.now()),
        error="",
    )
    await desk.journal.update(record)
    return await _work(desk, workflow, record, EventKind.RUN_RESUMED, on_event)


async def _claim(desk: Desk, topic: str) -> tuple[str, Path]:
    """A free id and its folder, made here: of two processes that begin in the same second one gets the folder."""
    tried: set[str] = set()
    while True:
        # People read the id: local time.
        name = run_id(
            desk.now().astimezone(), _nameable(topic), lambda name: name in tried or (desk.runs_folder / name).exists()
        )
        tried.add(name)
        if await _is_known(desk, name):
            continue
        folder = desk.runs_folder / name
        try:
            folder.mkdir(0o700, parents=True)  # for its owner's eyes only
        except FileExistsError:
            continue
        except OSError as error:
            raise StorageError(f"{folder}: the run's folder cannot be made ({error.strerror})") from error
        return name, folder


def _nameable(topic: str) -> str:
    """What of the topic a file name can hold in this locale."""
    encoding = sys.getfilesystemencoding()
    return topic.encode(encoding, "ignore").decode(encoding)


async def _write_down(desk: Desk, workflow: Workflow, request: dict[str, Any], topic: str, folder: Path) -> RunRecord:
    moment = stamp(desk.now())
    record = RunRecord(
        folder.name, workflow.name, topic, str(folder), moment, moment, version=workflow.version, request=request
    )
    if not await desk.journal.create(record):
        raise StorageError(f"{folder}: the journal already knows a run of this name; start again")
    return record


async def _is_known(desk: Desk, name: str) -> bool:
    try:
        await desk.journal.get(name)
    except UnknownRunError:
        return False
    return True


async def _recorded_or_dropped(desk: Desk, name: str, folder: Path) -> bool:
    """Whether the run came to be; its folder goes when it did not. When the journal does not answer, it stays."""
    with suppress(StorageError):
        if await _is_known(desk, name):
            return True
        shutil.rmtree(folder, ignore_errors=True)
    return False


async def _reopen(desk: Desk, workflow: Workflow, record: RunRecord) -> None:
    """Put a done run back before what is missing.

    Killed between the two writes, it is delivered as it was and stays done.
    """
    complete = InputError(f"run {record.id} is done and complete; what it made is in {record.folder}")
    result = record.result or {}
    if not (result.get("gaps") or result.get("failed")):
        raise complete
    async with desk.checkpoints(Path(record.folder), record.secret) as saver:
        graph = compiled(workflow, record, saver)
        again = workflow.reopening((await graph.aget_state(config_of(record))).values)
        if again is None:
            raise complete
        await desk.journal.update(replace(record, status=RunStatus.RUNNING))
        await graph.aupdate_state(config_of(record), again.values, as_node=again.as_node)


async def _work(
    desk: Desk, workflow: Workflow, record: RunRecord, opening: EventKind, on_event: OnEvent | None
) -> RunRecord:
    """Pass through the graph and write the end down, whatever it is."""
    try:
        async with Recorder(desk.journal, record, desk.now, _listeners(desk, on_event)) as recorder:
            recorder.emit(opening, {"workflow": record.workflow, "topic": record.topic, "resumes": record.resumes})
            try:
                end = await pass_through(desk, workflow, record, recorder)
            except BaseException as error:
                recorder.emit(*_last_word(error))
                raise
            if isinstance(end, Outcome):
                recorder.emit(EventKind.RUN_FINISHED, {"exit_code": end.exit_code, "summary": end.summary})
        return await _close(desk, _ended(record, end))
    except (asyncio.CancelledError, KeyboardInterrupt) as error:
        await _close_if_possible(desk, replace(record, status=RunStatus.STOPPED, error=_STOPPED))
        raise _stopped(record.id) from error
    except StoppedError as error:
        await _close_if_possible(desk, replace(record, status=RunStatus.STOPPED, error=str(error)))
        _raise_with_way_on(error, record)
    except Exception as error:
        said = _said(error) if isinstance(error, KaozhengError) or not record.secret else type(error).__name__
        await _close_if_possible(desk, replace(record, status=RunStatus.FAILED, error=said))
        raise


def _listeners(desk: Desk, on_event: OnEvent | None) -> tuple[OnEvent, ...]:
    return desk.listeners if on_event is None else (on_event, *desk.listeners)


def _stopped(run: str) -> StoppedError:
    return StoppedError(f"run {run} was stopped; go on with: kaozheng runs resume {run}")


def _last_word(error: BaseException) -> tuple[EventKind, dict[str, Any]]:
    if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)):
        return EventKind.RUN_STOPPED, {"error": _STOPPED}
    kind = EventKind.RUN_STOPPED if isinstance(error, StoppedError) else EventKind.RUN_FAILED
    return kind, {"error": _said(error)}


def _said(error: BaseException) -> str:
    return str(error) if isinstance(error, KaozhengError) else f"{type(error).__name__}: {error}"


def _raise_with_way_on(error: StoppedError, record: RunRecord) -> NoReturn:
    if isinstance(error, StorageError) and not isinstance(error, DamagedError):
        raise StorageError(f"{error}: kaozheng runs resume {record.id}") from error
    raise error


def _ended(record: RunRecord, end: Outcome | Waiting) -> RunRecord:
    if isinstance(end, Waiting):
        return replace(record, status=RunStatus.WAITING, result={"questions": end.questions})
    return replace(record, status=RunStatus.DONE, exit_code=end.exit_code, result=end.result)


async def _close(desk: Desk, record: RunRecord) -> RunRecord:
    usage = usage_of(await desk.journal.events(record.id))
    record = replace(record, usage=usage, updated_at=stamp(desk.now()))
    await desk.journal.update(record)
    return record


async def _close_if_possible(desk: Desk, record: RunRecord) -> None:
    # A full disk refuses this too. The record then stays `running`, held by nobody: it is shown as stopped.
    with suppress(StorageError):
        await _close(desk, record)
