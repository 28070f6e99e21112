"""The web for a run that may never ask for a page: the client and its library come with the first address."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from kaozheng.providers.clients import outside_client
from kaozheng.providers.fetch.limits import FetchLimits
from kaozheng.providers.pool import Visit
from kaozheng.sources.fetching import Page

if TYPE_CHECKING:
    from kaozheng.providers.fetch.fetcher import WebFetcher


class SharedFetcher:
    """A Fetcher over the guarded client that all runs of an event loop share."""

    def __init__(self, visit: Visit, limits: FetchLimits | None = None) -> None:
        self._visit = visit
        self._limits = limits or FetchLimits()

    async def fetch(self, url: str) -> Page:
        """See Fetcher.fetch."""
        return await self._visit.take(("web", self._limits), self._open).fetch(url)

    def _open(self, stack: AsyncExitStack) -> WebFetcher:
        from kaozheng.providers.fetch.fetcher import WebFetcher

        client = outside_client(self._limits)
        stack.push_async_callback(client.aclose)
        return WebFetcher(client, self._limits)
