"""The only retry layer: a second one below it (an SDK's, a graph's) would multiply the calls.

Own code instead of tenacity: the rule is one line (full jitter above the provider's Retry-After, our own
classifier on the error), and a restart must be told to whoever reads the stream, which tenacity has no place for.
"""

from __future__ import annotations

import asyncio
import random as _random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from kaozheng.errors import ModelError, ModelUnavailableError
from kaozheng.models.messages import Call, Completion, Delta
from kaozheng.models.model import Model, OnDelta

T = TypeVar("T")

LONGEST_WAIT_S: Final = 300.0
"""A provider that asks for more patience than this gets none: the error is raised at once."""


@dataclass(frozen=True, slots=True)
class Retry:
    """That a call is asked again: as which attempt, after how long a wait, and what had gone wrong in a few words."""

    purpose: str
    attempt: int
    wait_s: float
    error: str


OnRetry = Callable[[Retry], None]


@dataclass(frozen=True, slots=True)
class Patience:
    """How often something is asked, and how long is waited in between: 0 to `base_s`, `2 base_s`, `4 base_s`, ... but
    at most `cap_s` seconds (full jitter), on top of the Retry-After that the provider named."""

    attempts: int = 4
    base_s: float = 1.0
    cap_s: float = 30.0
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    random: Callable[[], float] = _random.random

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"attempts must be at least 1, not {self.attempts}")

    async def ask(self, once: Callable[[], Awaitable[T]], purpose: str, on_retry: OnRetry | None = None) -> T:
        """What `once` returns, asked again after errors that say so (`.retryable`): time-outs, overload, broken or cut
        streams. The last error is raised when the attempts are used up. `on_retry` is told before each wait."""
        for attempt in range(1, self.attempts):
            try:
                return await once()
            except ModelError as error:
                wait_s = self._wait_s(error, attempt)
                if wait_s is None:
                    raise
                if on_retry:
                    kind = error.kind if isinstance(error, ModelUnavailableError) else type(error).__name__
                    on_retry(Retry(purpose, attempt + 1, round(wait_s, 3), kind))
                await self.sleep(wait_s)
        return await once()

    def _wait_s(self, error: ModelError, attempt: int) -> float | None:
        """Seconds until the next attempt, or None when there is to be none."""
        if not error.retryable:
            return None
        asked_s = (error.retry_after_s if isinstance(error, ModelUnavailableError) else None) or 0.0
        if asked_s > LONGEST_WAIT_S:
            return None
        # 2 ** 30 s is beyond any cap; without the bound a huge attempt count would overflow a float.
        return asked_s + self.random() * min(self.cap_s, self.base_s * 2.0 ** min(attempt - 1, 30))


class Retrying:
    """A model that is asked with `Patience`. `on_retry` is told before each wait."""

    def __init__(
        self,
        model: Model,
        attempts: int = 4,
        base_s: float = 1.0,
        cap_s: float = 30.0,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        random: Callable[[], float] = _random.random,
        on_retry: OnRetry | None = None,
    ) -> None:
        self._model = model
        self._patience = Patience(attempts, base_s, cap_s, sleep, random)
        self._on_retry = on_retry

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        stream = _Restartable(on_delta)
        listener = stream if on_delta else None

        async def once() -> Completion:
            stream.restart()
            return await self._model.complete(call, listener)

        return await self._patience.ask(once, call.purpose, self._on_retry)


class _Restartable:
    """Passes deltas on and tells the listener when what it has seen is void."""

    def __init__(self, on_delta: OnDelta | None) -> None:
        self._on_delta = on_delta
        self._seen = False

    def __call__(self, delta: Delta) -> None:
        self._seen = True
        if self._on_delta:
            self._on_delta(delta)

    def restart(self) -> None:
        if self._seen and self._on_delta:
            self._on_delta(Delta("", restart=True))
        self._seen = False
