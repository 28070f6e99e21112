"""A chosen model as one user of the process's pool sees it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from importlib import import_module
from pathlib import Path

from kaozheng.models.messages import Call, Completion
from kaozheng.models.model import Model, OnDelta
from kaozheng.providers.models.choosing import Endpoint, open_endpoint
from kaozheng.providers.pool import Visit


class SharedModel:
    """Opened at the first call in each event loop, and shared there with everybody who chose the same: connections, a
    file that was read, what was learned of an endpoint's dialect. May be made outside of an event loop, in a thread:
    the SDK's import, which takes most of a second, then holds nobody up."""

    def __init__(self, chosen: Endpoint, visit: Visit) -> None:
        self._chosen = chosen
        self._visit = visit
        self._key = ("model", chosen)
        if not chosen.provider.module:  # the others are imported in a thread by whoever makes them
            import_module("openai")

    def __repr__(self) -> str:
        return f"SharedModel({str(self._chosen)!r})"

    @property
    def name(self) -> str:
        return Path(self._chosen.name).stem if self._chosen.provider.is_file else self._chosen.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        return await self._visit.take(self._key, self._open).complete(call, on_delta)

    def _open(self, stack: AsyncExitStack) -> Model:
        return open_endpoint(self._chosen, stack)
