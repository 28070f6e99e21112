"""The checkpoints of a run, newest first: what each stands after, what comes next, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.errors import InputError
from kaozheng.journal import RunRecord
from kaozheng.runs.desk import Desk
from kaozheng.runs.passage import compiled, config_of
from kaozheng.runs.plan import Workflow, ensure_version

if TYPE_CHECKING:
    from langgraph.types import StateSnapshot

_SHORT = 8
_OPENING = "__start__"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A state that the run went through, made at `at` (ISO 8601, UTC).

    `after` names the steps whose results it is the first to hold, a name a branch; where no step made it, what did:
    "start", "reopen" (a done run was put back before its gaps) or "fork". `next` names the steps that follow, none at
    the end. `changed` names the keys of `values` that the checkpoint before it did not have, or had otherwise.
    """

    id: str
    at: str
    after: tuple[str, ...]
    next: tuple[str, ...]
    changed: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def short(self) -> str:
        """What people type: the random end of the id; its beginning is a time, alike in all checkpoints of a minute."""
        return self.id[-_SHORT:]


async def checkpoints(desk: Desk, run: str, workflow_of: Callable[[str], Workflow]) -> list[Checkpoint]:
    """The checkpoints of a run, newest first; also of one that another process works on: nothing is changed.

    UnknownRunError; InputError when the run was started with another version of the workflow.
    """
    record = await desk.journal.get(run)
    workflow = workflow_of(record.workflow)
    ensure_version(workflow, record)
    return await history(desk, workflow, record)


async def history(desk: Desk, workflow: Workflow, record: RunRecord) -> list[Checkpoint]:
    """`checkpoints` of a record and workflow that are known to fit."""
    async with desk.checkpoints(Path(record.folder), record.secret) as saver:
        graph = compiled(workflow, record, saver)
        snapshots = [one async for one in graph.aget_state_history(config_of(record))]
    pairs = zip_longest(snapshots, snapshots[1:])
    # The checkpoint of the input alone says what the next one says too: it stands before the same first step.
    return [_checkpoint(one, before) for one, before in pairs if _OPENING not in _steps(one)]


def found(known: Sequence[Checkpoint], wanted: str, run: str) -> Checkpoint:
    """The checkpoint with this id, or the only one whose id ends so. InputError when there is none, or more."""
    fitting = [one for one in known if wanted and one.id.endswith(wanted.lower())]
    if len(fitting) == 1:
        return fitting[0]
    why = f"{len(fitting)} checkpoints end in" if fitting else "no checkpoint has the id"
    raise InputError(f"run {run}: {why} {wanted!r}; list them: kaozheng runs checkpoints {run}")


def _checkpoint(one: StateSnapshot, before: StateSnapshot | None) -> Checkpoint:
    known: Mapping[str, Any] = before.values if before else {}
    changed = [key for key, value in one.values.items() if key not in known or known[key] != value]
    return Checkpoint(
        id=one.config["configurable"]["checkpoint_id"],
        at=one.created_at or "",
        after=_after(one, before),
        next=_steps(one),
        changed=tuple(sorted(changed)),
        values=one.values,
    )


def _steps(one: StateSnapshot) -> tuple[str, ...]:
    # Not `one.next`: that leaves out the steps whose results are kept already.
    return tuple(task.name for task in one.tasks)


def _after(one: StateSnapshot, before: StateSnapshot | None) -> tuple[str, ...]:
    made = (one.metadata or {}).get("source")
    if made == "fork":
        return ("fork",)
    if made == "update":
        return ("reopen",)
    steps = _steps(before) if before else ()
    return ("start",) if not steps or _OPENING in steps else steps
