"""How much may happen at once. LangGraph's own limit counts per graph, so nested graphs multiply it; these do not."""

from __future__ import annotations

import asyncio

from kaozheng.models.messages import Call, Completion
from kaozheng.models.model import Model, OnDelta


class Limited:
    """At most `at_once` calls of this model are under way; the others wait their turn."""

    def __init__(self, model: Model, at_once: int) -> None:
        if at_once < 1:
            raise ValueError(f"at_once must be at least 1, not {at_once}")
        self._model = model
        self._slots = asyncio.Semaphore(at_once)

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
