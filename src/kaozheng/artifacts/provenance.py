"""Which step is at work: set around each step, read by the store when a text is put.

A context variable, so that steps need not pass their own name along and steps that run at the same time keep apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from kaozheng.artifacts.artifact import ArtifactRef, Version

# The step, and the time when it is not now.
_MAKER: ContextVar[tuple[str, str | None]] = ContextVar("kaozheng_maker", default=("", None))


@contextmanager
def made_by(step: str, at: str | None = None) -> Iterator[None]:
    """Texts that are put in here were made by `step`; `at` (ISO 8601) is for copies, which keep their time."""
    token = _MAKER.set((step, at))
    try:
        yield
    finally:
        _MAKER.reset(token)


def version_of(ref: ArtifactRef, now: Callable[[], datetime]) -> Version:
    """The version that is being put: made now by the step at work, or what `made_by` says of a copy."""
    step, at = _MAKER.get()
    made = now().astimezone(UTC).isoformat(timespec="microseconds") if at is None else at
    return Version(ref, made, " ".join(step.split()))
