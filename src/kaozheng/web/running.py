"""Answers under way: each in a task of its own, with all its events, for whoever listens now or comes back.

An answer does not belong to the connection that asked for it. A reader that was cut comes back with the number of the
last event it saw and misses none; one that stays away lets the answer go, and what it held is free again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

from kaozheng.access.limits import Place, Places
from kaozheng.errors import KaozhengError
from kaozheng.models.limits import Slots
from kaozheng.web.refusals import RefusedError, refusal_of
from kaozheng.web.service import Limits
from kaozheng.workflows.ask.result import AskResult
from kaozheng.workflows.ask.telling import TERMINAL, AskEvent, OnAskEvent

_log = logging.getLogger(__name__)
_KEPT_AT_MOST = 512

Work = Callable[[OnAskEvent], Awaitable[AskResult]]
Numbered = tuple[int, AskEvent]
"""An event and its number in this answer, from 1, without gaps."""


class Running:
    """One answer to what was `asked`. `events` are all so far; `result` and `error` are there once it has ended, one of
    them."""

    def __init__(self, owner: str, asked: object = None) -> None:
        self.asked = asked
        self.id = f"a_{secrets.token_hex(12)}"
        self.owner = owner
        self.events: list[AskEvent] = []
        self.ended = False
        self.result: AskResult | None = None
        self.error: BaseException | None = None
        self.listeners = 0
        self._failure: AskEvent | None = None
        self._news: set[asyncio.Event] = set()

    def tell(self, event: AskEvent) -> None:
        """Keep the event and wake who listens. After the end there is nothing more to tell. An error waits for the end,
        which knows more of it: what it says there is fit for outside."""
        if event.kind == "error":
            self._failure = event
        elif not self._is_over:
            self.events.append(event)
            self._wake()

    def end(self, result: AskResult | None, error: BaseException | None) -> None:
        """Nothing comes any more; an end that was not told is told now, so that nobody waits for it."""
        if error is None and self._failure is not None:
            told = self._failure.data
            error = RefusedError(502, str(told.get("code", "failed")), str(told.get("message", "")))
        self.result, self.error = result, error
        number = len(self.events) + 1
        if self._is_over:
            pass
        elif error is not None:
            refusal = refusal_of(error)
            self.events.append(AskEvent("error", {"code": refusal.code, "message": refusal.message}, number))
        elif result is not None:
            data = {"interaction": result.interaction, "timings": result.timings, "usage": result.usage}
            self.events.append(AskEvent("done", data, number))
        self.ended = True
        self._wake()

    async def begun(self, within_s: float) -> None:
        """Wait for the first event or the end, not longer than that."""
        listening = self.listen(0, within_s)
        async for _ in listening:
            break
        await listening.aclose()

    async def over(self) -> None:
        """Wait for the end."""
        async for _ in self.listen(len(self.events), 3600.0):
            pass

    async def listen(self, after: int, heartbeat_s: float) -> AsyncGenerator[list[Numbered], None]:
        """The events after this number as they come, several at a time when several are there; an empty list when
        nothing came for a while. Ends with the answer."""
        news = asyncio.Event()
        self._news.add(news)
        try:
            while True:
                news.clear()
                if after < len(self.events):
                    fresh = [(place + 1, self.events[place]) for place in range(after, len(self.events))]
                    after = len(self.events)
                    yield fresh
                elif self.ended:
                    return
                else:
                    try:
                        async with asyncio.timeout(heartbeat_s):
                            await news.wait()
                    except TimeoutError:
                        yield []
        finally:
            self._news.discard(news)

    @property
    def _is_over(self) -> bool:
        return bool(self.events) and self.events[-1].kind in TERMINAL

    def _wake(self) -> None:
        for news in self._news:
            news.set()


class Answers:
    """All answers under way or just ended, of one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places = Places(limits.at_once, limits.each, limits.waiting)
        self._slots = Slots(limits.at_once)
        self._known: dict[str, Running] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = False

    @property
    def under_way(self) -> int:
        """How many answers have not ended."""
        return len(self._tasks)

    def begin(self, owner: str, work: Work, asked: object = None) -> Running:
        """Start an answer. Raises BusyError when this owner, or all together, have too many."""
        if self._closing:
            raise RefusedError(503, "closing", "the server is being stopped", {"Retry-After": "5"})
        place = self._places.claim(owner)
        running = Running(owner, asked)
        self._known[running.id] = running
        task = asyncio.create_task(self._run(running, work, place))
        self._tasks[running.id] = task
        task.add_done_callback(lambda _: self._settle(running, place))
        return running

    def find(self, owner: str, answer: str) -> Running | None:
        """The answer of this owner, if it is under way or ended less than a minute ago."""
        running = self._known.get(answer)
        return running if running is not None and running.owner == owner else None

    def enter(self, running: Running) -> None:
        """One more reads this answer."""
        running.listeners += 1

    def leave(self, running: Running, grace_s: float) -> None:
        """One reads it no more. Who was the last lets it go on for so long only."""
        running.listeners -= 1
        if not running.listeners and not running.ended:
            asyncio.get_running_loop().call_later(grace_s, self._free_if_alone, running)

    async def close(self) -> None:
        """Let all answers go, and wait until each has written down that it was."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, running: Running, work: Work, place: Place) -> None:
        result: AskResult | None = None
        error: BaseException | None = None
        try:
            async with self._slots, asyncio.timeout(self._limits.answer_s):
                result = await work(running.tell)
        except asyncio.CancelledError:
            error = RefusedError(499, "cancelled", "the answer was let go: nobody was reading it")
            raise
        except TimeoutError:
            error = RefusedError(504, "too_slow", f"no whole answer within {self._limits.answer_s:.0f} s")
        except KaozhengError as caught:
            error = caught
            if refusal_of(caught).status >= 500:
                _log.error("answer %s: %s: %s", running.id, type(caught).__name__, caught)
        except Exception as caught:  # noqa: BLE001 - whatever it is, who listens must hear of an end
            error = caught
            _log.exception("answer %s failed", running.id)
        finally:
            place.give_back()
            running.end(result, error)

    def _settle(self, running: Running, place: Place) -> None:
        place.give_back()  # cancelled before it began, the task has given back nothing
        if not running.ended:
            running.end(None, RefusedError(499, "cancelled", "the answer was let go before it began"))
        self._tasks.pop(running.id, None)
        with suppress(RuntimeError):  # the loop is being closed
            asyncio.get_running_loop().call_later(self._limits.kept_s, self._known.pop, running.id, None)
        while len(self._known) - len(self._tasks) > _KEPT_AT_MOST:
            self._known.pop(next(one for one in self._known if one not in self._tasks))

    def _free_if_alone(self, running: Running) -> None:
        task = self._tasks.get(running.id)
        if task is not None and not running.listeners:
            task.cancel()


def failure_of(running: Running) -> RefusedError | None:
    """Why an answer that has ended is none; None when there is a result."""
    return refusal_of(running.error) if running.error is not None else None
