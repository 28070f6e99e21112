"""Fork: a new run that begins where an earlier one once stood.

What the new run takes over is what there was when the checkpoint was made: the state, the versions of the artifacts
and the answers of models. What came later is done anew, and a model is asked anew for it, even for the same question:
whoever wants the old answers resumes the old run. Nothing that was answered before the checkpoint is paid twice.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from datetime import datetime
from pathlib import Path
from typing import Any

from kaozheng.artifacts import ArtifactStore, made_by
from kaozheng.errors import DamagedError
from kaozheng.journal import RunRecord, RunStore
from kaozheng.runs.desk import Desk
from kaozheng.runs.history import Checkpoint, found, history
from kaozheng.runs.plan import Workflow, ensure_version
from kaozheng.runs.recorder import OnEvent
from kaozheng.runs.runner import begin


async def fork(
    desk: Desk,
    run: str,
    checkpoint: str,
    workflow_of: Callable[[str], Workflow],
    prepare: Callable[[Path], None] | None = None,
    on_event: OnEvent | None = None,
) -> RunRecord:
    """Begin a run at a checkpoint (its id, or how that ends) of another run, which is only read, and work on it.

    The record's `request["forked_from"]` says from where: {"run", "checkpoint"}. `prepare` fills the new folder with
    what is no artifact, as in `start`. UnknownRunError; InputError for an unknown checkpoint or another version of the
    workflow; StorageError when a text of the old run is gone; else as `start`.
    """
    old = await desk.journal.get(run)
    workflow = workflow_of(old.workflow)
    ensure_version(workflow, old)
    begins = found(await history(desk, workflow, old), checkpoint, run)
    request = {**old.request, "forked_from": {"run": run, "checkpoint": begins.id}}

    async def fill(folder: Path) -> None:
        if prepare:
            prepare(folder)
        moment = datetime.fromisoformat(begins.at)
        await _copy_artifacts(desk.artifacts(Path(old.folder)), desk.artifacts(folder), moment)
        await _copy_answers(desk.journal, run, folder.name, moment)
        await _copy_state(desk, old, begins, folder)

    return await begin(desk, workflow, request, old.topic, fill, on_event)


async def _copy_artifacts(source: ArtifactStore, target: ArtifactStore, moment: datetime) -> None:
    for name in await source.names():
        for version in await source.versions(name):
            # Without a time it is from before there were versions: such runs kept their last checkpoint only.
            if not version.at or datetime.fromisoformat(version.at) <= moment:
                with made_by(version.step, version.at):
                    await target.put(name, await source.get(version.ref))


async def _copy_answers(journal: RunStore, run: str, new: str, moment: datetime) -> None:
    for entry in await journal.answers(run):
        if datetime.fromisoformat(entry.at) <= moment:
            await journal.put_answer(new, entry)


async def _copy_state(desk: Desk, old: RunRecord, begins: Checkpoint, folder: Path) -> None:
    """The checkpoint under the new run's name. Not the results that are kept with it: those of the steps after it."""
    thread = {"thread_id": old.id, "checkpoint_ns": "", "checkpoint_id": begins.id}
    async with desk.checkpoints(Path(old.folder), old.secret) as saver:
        kept = await saver.aget_tuple({"configurable": thread})
    if kept is None:
        raise DamagedError(f"run {old.id}: checkpoint {begins.short} is gone; start a new run")
    state = kept.checkpoint.copy()
    state["channel_values"] = _moved(state["channel_values"], old.folder, str(folder))
    async with desk.checkpoints(folder, old.secret) as saver:
        await saver.aput(
            {"configurable": {"thread_id": folder.name, "checkpoint_ns": ""}},
            state,
            {**kept.metadata, "source": "fork"},
            state["channel_versions"],
        )


def _moved(value: Any, old: str, new: str) -> Any:
    """The value with the old run's folder, and paths in it, replaced by the new one's: a fork writes nothing there."""
    if isinstance(value, str):
        inside = value == old or value.startswith((f"{old}/", f"{old}\\"))
        return new + value[len(old) :] if inside else value
    if isinstance(value, dict):
        return {key: _moved(one, old, new) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_moved(one, old, new) for one in value]
    if hasattr(value, "arg"):  # a Send that waits for its branch
        sent = copy(value)
        sent.arg = _moved(value.arg, old, new)
        return sent
    return value
