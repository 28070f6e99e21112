"""Every call reported once, whatever became of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from kaozheng.errors import BudgetReachedError, ModelError, ModelRefusedError
from kaozheng.models.messages import Call, Completion, Delta, Finish
from kaozheng.models.model import Model, OnDelta
from kaozheng.models.usage import Usage, estimated_usage

Failure = Literal["", "fallback", "refused", "budget", "cancelled"]


@dataclass(frozen=True, slots=True)
class CallReport:
    """What one call was and cost. A replayed call shows the usage that was paid when it was first answered;
    `finish` is None and `error` says why when there was no answer: then `usage` is estimated from what had been heard,
    and `failure` says what follows ("fallback": the offline twin stands in). `asked` is that of the completion.
    Holds no text of prompt or answer."""

    role: str
    purpose: str
    model: str
    usage: Usage
    seconds: float
    finish: Finish | None
    error: str | None = None
    replayed: bool = False
    failure: Failure = ""
    asked: str = ""


class Metered:
    """Hands a CallReport to `on_call` for each call, failed and cancelled ones included; `on_start` is told before."""

    def __init__(
        self,
        model: Model,
        on_call: Callable[[CallReport], None],
        clock: Callable[[], float] = time.monotonic,
        on_start: Callable[[Call], None] | None = None,
    ) -> None:
        self._model = model
        self._on_call = on_call
        self._on_start = on_start
        self._clock = clock

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        began, heard = self._clock(), list[str]()
        if self._on_start:
            self._on_start(call)

        def listen(delta: Delta) -> None:
            heard.append(delta.heard)
            if on_delta:
                on_delta(delta)

        try:
            completion = await self._model.complete(call, listen)
        except (ModelError, asyncio.CancelledError) as error:
            cause, failure = f"{type(error).__name__}: {error}".removesuffix(": "), _failure(error)
            # What streams is paid for, whatever becomes of it.
            usage = estimated_usage(call.prompt(), "".join(heard)) if any(heard) else Usage()
            seconds = self._clock() - began
            self._on_call(CallReport(call.role, call.purpose, self.name, usage, seconds, None, cause, failure=failure))
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
                asked=completion.asked,
            )
        )
        return completion


def _failure(error: BaseException) -> Failure:
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    if isinstance(error, BudgetReachedError):
        return "budget"
    return "refused" if isinstance(error, ModelRefusedError) else "fallback"
