"""Time the words, not the bytes: keep-alive pings feed a socket's read time-out for ever while nothing is said."""

from __future__ import annotations

import asyncio

from kaozheng.errors import ModelUnavailableError
from kaozheng.models.messages import Call, Completion, Delta
from kaozheng.models.model import Model, OnDelta


class Timed:
    """Gives up on a model that is silent: `first_s` seconds before its first piece of text or reasoning,
    `between_s` seconds after each. Raises ModelUnavailableError, which may be tried again."""

    def __init__(self, model: Model, first_s: float = 120.0, between_s: float = 60.0) -> None:
        self._model = model
        self._first_s = first_s
        self._between_s = between_s

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        loop = asyncio.get_running_loop()
        heard = False
        timer = asyncio.timeout(self._first_s)

        def listen(delta: Delta) -> None:
            nonlocal heard
            if delta.text or delta.reasoning:
                heard = True
                if not timer.expired():
                    timer.reschedule(loop.time() + self._between_s)
            if on_delta:
                on_delta(delta)

        try:
            async with timer:
                return await self._model.complete(call, listen)
        except TimeoutError as error:
            if not timer.expired():
                raise
            silence = f"fell silent for {self._between_s:g} s" if heard else f"said nothing in {self._first_s:g} s"
            raise ModelUnavailableError(f"{self.name} {silence} ({call.purpose})") from error
