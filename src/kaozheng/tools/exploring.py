"""The tools for looking around in a repository: one is registered by standing in this list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from kaozheng.sources.code import CodeShelf
from kaozheng.sources.fetching import Fetcher
from kaozheng.tools.fetch_webpage import fetch_webpage
from kaozheng.tools.get_current_date import get_current_date
from kaozheng.tools.get_file_outline import get_file_outline
from kaozheng.tools.list_tree import list_tree
from kaozheng.tools.read_file import read_file
from kaozheng.tools.search_keyword import search_keyword
from kaozheng.tools.tool import Tool
from kaozheng.tools.web_reach import WebReach


def exploring_tools(
    shelf: CodeShelf, now: Callable[[], datetime], fetcher: Fetcher | None = None, reach: WebReach | None = None
) -> tuple[Tool[Any], ...]:
    """For one conversation; `fetch_webpage` only when there is a page that it may fetch."""
    tools: list[Tool[Any]] = [
        list_tree(shelf),
        search_keyword(shelf),
        get_file_outline(shelf),
        read_file(shelf),
        get_current_date(now),
    ]
    if fetcher is not None and reach is not None and reach.anything:
        tools.append(fetch_webpage(fetcher, reach))
    return tuple(tools)
