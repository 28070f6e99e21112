"""Which execution of a step is at work: set around each step, so that what a model is asked in it can be told apart.

A context variable, as with `artifacts.made_by`: calls are made deep below the step, by wrappers that know no step.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_TASK: ContextVar[str] = ContextVar("kaozheng_task", default="")


@contextmanager
def within_task(task: str) -> Iterator[None]:
    """What happens in here happens in this execution of a step (the id that the step's events carry)."""
    token = _TASK.set(task)
    try:
        yield
    finally:
        _TASK.reset(token)


def task_at_work() -> str:
    """The id of the step's execution that the caller is part of; "" outside of steps."""
    return _TASK.get()
