"""The web for a run that may never ask for a page: the client and its library come with the first address."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from kaozheng.providers.clients import outside_client
from kaozheng.providers.fetch.limits import FetchLimits
from kaozheng.sources.fetching import Page

if TYPE_CHECKING:
    from kaozheng.sources.fetching import Fetcher


class LazyFetcher:
    """A Fetcher over the guarded client, which `stack` closes."""

    def __init__(self, stack: AsyncExitStack, limits: FetchLimits | None = None) -> None:
        self._stack = stack
        self._limits = limits or FetchLimits()
        self._opened: Fetcher | None = None

    async def fetch(self, url: str) -> Page:
        """See Fetcher.fetch."""
        if self._opened is None:
            from kaozheng.providers.fetch.fetcher import WebFetcher

            client = outside_client(self._limits)
            self._stack.push_async_callback(client.aclose)
            self._opened = WebFetcher(client, self._limits)
        return await self._opened.fetch(url)
