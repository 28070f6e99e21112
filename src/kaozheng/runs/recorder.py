"""Recorder: writes a run's events down in order while the run goes on, and shows each to who listens."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TypeAlias

from kaozheng.journal import Event, EventKind, RunRecord, RunStore, task_at_work, withheld

OnEvent: TypeAlias = Callable[[Event], None]
"""Called once an event, at once, in the thread that emitted it. An error in it ends the showing, never the run."""

_KINDS = frozenset(EventKind)
_OF_CALLS = frozenset(
    {
        *(EventKind.CALL_STARTED, EventKind.CALL_FINISHED, EventKind.RETRY),
        *(EventKind.NEXT_MODEL, EventKind.FALLBACK, EventKind.BUDGET, EventKind.TOOL),
    }
)


class Recorder:
    """Events of one run. Steps emit from any thread and never wait; a task of its own writes what has come together.

    A killed process loses at most the events of its last milliseconds. Use it as an async context.
    """

    def __init__(
        self, journal: RunStore, record: RunRecord, now: Callable[[], datetime], listeners: Iterable[OnEvent] = ()
    ) -> None:
        self._journal = journal
        self._run_id = record.id
        self.secret = record.secret
        self._now = now
        self._listeners = list(listeners)
        self._seq = 0
        self._waiting: list[Event] = []
        self._guard = threading.Lock()
        self._awake = asyncio.Event()
        self._closed = False

    async def __aenter__(self) -> Recorder:
        said = await self._journal.events(self._run_id)
        self._seq = said[-1].seq if said else 0
        self._loop = asyncio.get_running_loop()
        self._writer = asyncio.create_task(self._write())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the rest down. A refusal of the disk is raised only when nothing else is under way."""
        await self._close()
        if error is None:
            self.check()

    def emit(self, kind: str, data: dict[str, Any]) -> None:
        """Say that something happened. A kind that is not an EventKind becomes a note that carries it as `about`.

        What is said from within a step carries its task. Of a secret run, words are withheld from everybody.
        """
        if kind not in _KINDS:
            kind, data = EventKind.NOTE, {"about": kind, **data}
        data = _plain(data)
        if (task := task_at_work()) and kind in _OF_CALLS:
            data.setdefault("task", task)
        if self.secret:
            data = withheld(EventKind(kind), data)
        with self._guard:
            if self._closed:  # a thread that outlived a stopped run
                return
            self._seq += 1
            event = Event(self._run_id, self._seq, stamp(self._now()), EventKind(kind), data)
            self._waiting.append(event)
            self._loop.call_soon_threadsafe(self._awake.set)
        self._show(event)

    def check(self) -> None:
        """Raise what stopped the writing, so that a run does not go on unrecorded."""
        if self._writer.done():
            self._writer.result()

    def _show(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001 - whatever a listener does, the paid work of the run goes on
                self._listeners.remove(listener)
                self.emit(EventKind.NOTE, {"about": "listener", "error": f"{type(error).__name__}: {error}"})

    async def _write(self) -> None:
        while True:
            await self._awake.wait()
            self._awake.clear()
            with self._guard:
                batch, self._waiting = self._waiting, []
                closed = self._closed
            await self._journal.add_event(*batch)
            if closed:
                return

    async def _close(self) -> None:
        with self._guard:
            self._closed = True
        self._awake.set()
        await asyncio.wait([self._writer])
        if not self._writer.cancelled():
            self._writer.exception()  # looked at: asyncio would print it once more on its own


def stamp(moment: datetime) -> str:
    """A time as the journal writes it: ISO 8601 in UTC, milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    # A copy as JSON: what a step does to its data later is not what happened.
    plain: dict[str, Any] = json.loads(json.dumps(data, ensure_ascii=False, default=str))
    return plain
