"""fetch_webpage: the main text of one page, as far as the request reaches."""

from __future__ import annotations

from pydantic import Field

from kaozheng.errors import FetchError
from kaozheng.sources.fetching import Fetcher
from kaozheng.tools.tool import Arguments, Tool
from kaozheng.tools.web_reach import WebReach

MOST_PAGES = 10


class PageArguments(Arguments):
    """Which page."""

    url: str = Field(min_length=8, max_length=2_000, description="http or https address")


def fetch_webpage(fetcher: Fetcher, reach: WebReach) -> Tool[PageArguments]:
    """The tool over this fetcher, for one conversation: pages within `reach`, 10 at most. What a page says was written
    by strangers; the gateway marks it as data like every result."""
    asked_for = 0

    async def run(asked: PageArguments) -> str:
        nonlocal asked_for
        if why := reach.refusal(asked.url):
            raise FetchError(f"{asked.url[:200]}: {why}")
        asked_for += 1
        if asked_for > MOST_PAGES:
            raise FetchError(f"{MOST_PAGES} pages were fetched; that is the limit")
        page = await fetcher.fetch(asked.url)
        return f"{page.title}\n{page.final_url} ({page.fetched_at:%Y-%m-%d})\n\n{page.text}"

    about = {
        "zh": "取一个网页的正文。只能取用户要求里出现过的主机的网页。",
        "en": "The main text of a web page. Only pages of hosts that the user's request names.",
    }
    return Tool("fetch_webpage", about, PageArguments, run)
