"""A web that holds what a test put there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from kaozheng.errors import FetchError
from kaozheng.sources.fetching import Page

WHEN = datetime(2026, 1, 1, tzinfo=UTC)


class ScriptedFetcher:
    """A Fetcher of `pages`: address to a page, or to the text of one. All other addresses are refused. `asked` keeps
    every address in order."""

    def __init__(self, pages: Mapping[str, Page | str]) -> None:
        self._pages = dict(pages)
        self.asked: list[str] = []

    async def fetch(self, url: str) -> Page:
        """See Fetcher.fetch."""
        self.asked.append(url)
        page = self._pages.get(url)
        if page is None:
            raise FetchError("there is no such page in the script")
        return page if isinstance(page, Page) else Page(url, url, url, page, "text/plain", WHEN)
