"""Time the words, not the bytes: keep-alive pings feed a socket's read time-out for ever while nothing is said."""

from __future__ import annotations

import asyncio

from kaozheng.errors import ModelUnavailableError, TooSlowError
from kaozheng.models.messages import Call, Completion, Delta
from kaozheng.models.model import Model, OnDelta


class Timed:
    """Gives up on a model that is silent: `first_s` seconds before its first piece of text, reasoning or a tool call,
    `between_s` seconds after each; both raise ModelUnavailableError, which may be tried again. An answer that is not
    whole after `whole_s` seconds is TooSlowError, which is not: it would take as long again. Connecting is timed by the
    client."""

    def __init__(self, model: Model, first_s: float = 30.0, between_s: float = 30.0, whole_s: float = 300.0) -> None:
        self._model = model
        self._first_s = first_s
        self._between_s = between_s
        self._whole_s = whole_s

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        loop = asyncio.get_running_loop()
        heard, set_at = False, 0.0
        ends_at = loop.time() + self._whole_s
        timer = asyncio.timeout(min(self._first_s, self._whole_s))

        def listen(delta: Delta) -> None:
            nonlocal heard, set_at
            if delta.text or delta.reasoning or delta.tool:
                now = loop.time()
                # Setting a timer costs more than hearing a delta: a hundredth of the time is near enough.
                if (not heard or now - set_at > self._between_s / 100) and not timer.expired():
                    set_at = now
                    timer.reschedule(min(now + self._between_s, ends_at))
                heard = True
            if on_delta:
                on_delta(delta)

        try:
            async with timer:
                return await self._model.complete(call, listen)
        except TimeoutError as error:
            if not timer.expired():
                raise
            if timer.when() == ends_at or loop.time() >= ends_at:
                said = f"{self.name} did not finish in {self._whole_s:g} s ({call.purpose})"
                raise TooSlowError(said, kind="time-out") from error
            silence = f"fell silent for {self._between_s:g} s" if heard else f"said nothing in {self._first_s:g} s"
            raise ModelUnavailableError(f"{self.name} {silence} ({call.purpose})", kind="time-out") from error
