"""Every call reported once, whatever became of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from kaozheng.errors import ModelError
from kaozheng.models.messages import Call, Completion, Finish
from kaozheng.models.model import Model, OnDelta
from kaozheng.models.usage import Usage


@dataclass(frozen=True, slots=True)
class CallReport:
    """What one call was and cost. A replayed call shows the usage that was paid when it was first answered;
    `finish` is None and `error` says why when there was no answer. Holds no text of prompt or answer."""

    role: str
    purpose: str
    model: str
    usage: Usage
    seconds: float
    finish: Finish | None
    error: str | None = None
    replayed: bool = False


class Metered:
    """Hands a CallReport to `on_call` for each call, failed and cancelled ones included."""

    def __init__(
        self, model: Model, on_call: Callable[[CallReport], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._model = model
        self._on_call = on_call
        self._clock = clock

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        began = self._clock()
        try:
            completion = await self._model.complete(call, on_delta)
        except (ModelError, asyncio.CancelledError) as error:
            cause = f"{type(error).__name__}: {error}".removesuffix(": ")
            seconds = self._clock() - began
            self._on_call(CallReport(call.role, call.purpose, self.name, Usage(), seconds, None, cause))
            raise
        self._on_call(
            CallReport(
                call.role,
                call.purpose,
                completion.model,
                completion.usage,
                self._clock() - began,
                completion.finish,
                replayed=completion.replayed,
            )
        )
        return completion
