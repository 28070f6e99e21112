"""How much may happen at once. LangGraph's own limit counts per graph, so nested graphs multiply it; these do not."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from threading import RLock

from kaozheng.models.messages import Call, Completion
from kaozheng.models.model import Model, OnDelta


class Slots:
    """At most `at_once` holders at the same time, whatever event loops and threads they are in (`asyncio.Semaphore`
    knows one loop); who waits longest comes first. Use: `async with slots: ...`.

    A place is handed over, never put back for anybody to grab, so that newcomers cannot pass those who wait.
    """

    def __init__(self, at_once: int) -> None:
        if at_once < 1:
            raise ValueError(f"at_once must be at least 1, not {at_once}")
        self._lock = RLock()  # a waiter that is collected as garbage gives up inside of whatever runs
        self._free = at_once
        self._waiting: deque[_Waiter] = deque()

    async def __aenter__(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            waiter = _Waiter(asyncio.get_running_loop())
            self._waiting.append(waiter)
        arrived = False
        try:
            await waiter.called
            arrived = True
        finally:
            if not arrived:
                self._give_up(waiter)

    async def __aexit__(self, *exc: object) -> None:
        with self._lock:
            self._hand_over()

    def _hand_over(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if waiter.call():
                return
        self._free += 1

    def _give_up(self, waiter: _Waiter) -> None:
        """A waiter that was cancelled; its place may have been handed to it at the same moment."""
        with self._lock:
            if waiter.has_place:
                self._hand_over()
            else:
                with suppress(ValueError):  # passed over because its loop is closed
                    self._waiting.remove(waiter)


class _Waiter:
    """One task that waits in its own event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.has_place = False
        self.called = loop.create_future()
        self._loop = loop

    def call(self) -> bool:
        """Hand the place over; False when the waiter's event loop is closed."""
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            return False
        self.has_place = True
        return True

    def _wake(self) -> None:
        if not self.called.done():
            self.called.set_result(None)


class Limited:
    """At most so many calls of this model are under way; the others wait their turn. A number is a limit of its own;
    `Slots` are shared with whoever else has them: one run, or the whole process."""

    def __init__(self, model: Model, at_once: int | Slots) -> None:
        self._model = model
        self._slots = at_once if isinstance(at_once, Slots) else Slots(at_once)

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        async with self._slots:
            return await self._model.complete(call, on_delta)


class Lanes:
    """Named lanes of one run: "at most 4 sections at once", whoever asks. One object a run, in one event loop."""

    def __init__(self) -> None:
        self._lanes: dict[str, tuple[int, asyncio.Semaphore]] = {}

    def of(self, name: str, width: int) -> asyncio.Semaphore:
        """The lane of this name. Raises ValueError for a width below 1 or other than the first one asked for."""
        if width < 1:
            raise ValueError(f"lane {name!r} needs a width of at least 1, not {width}")
        known, lane = self._lanes.setdefault(name, (width, asyncio.Semaphore(width)))
        if known != width:
            raise ValueError(f"lane {name!r} is {known} wide and cannot be {width} wide as well")
        return lane
