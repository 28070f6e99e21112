"""The shipped fake stands where a Fetcher stands."""

import pytest

from kaozheng.errors import FetchError
from kaozheng.sources.fetching import Fetcher, Page
from kaozheng.testing.scripted_fetcher import WHEN, ScriptedFetcher


async def test_scripted_fetcher_knows_its_pages_and_no_other():
    whole = Page("https://a.example.com/", "https://b.example.com/", "B", "Text.", "text/html", WHEN)
    scripted = ScriptedFetcher({"https://a.example.com/": whole, "https://c.example.com/": "C."})
    fetcher: Fetcher = scripted
    assert await fetcher.fetch("https://a.example.com/") is whole
    assert (await fetcher.fetch("https://c.example.com/")).text == "C."
    with pytest.raises(FetchError):
        await fetcher.fetch("https://d.example.com/")
    assert scripted.asked == ["https://a.example.com/", "https://c.example.com/", "https://d.example.com/"]
