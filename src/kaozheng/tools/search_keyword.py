"""search_keyword: lines of the repository that hold a word or fit a regular expression."""

from __future__ import annotations

from pydantic import Field

from kaozheng.aside import aside
from kaozheng.sources import code
from kaozheng.sources.code import CodeShelf
from kaozheng.tools.tool import Arguments, Tool

_MOST_HITS = 50


class SearchArguments(Arguments):
    """What is searched for."""

    query: str = Field(min_length=1, max_length=200, description="a word, or a regular expression with regex=true")
    regex: bool = False


def search_keyword(shelf: CodeShelf) -> Tool[SearchArguments]:
    """The tool over this repository. At most 50 lines and 5 seconds a search."""

    async def run(asked: SearchArguments) -> str:
        found = await aside(code.search_keyword, shelf, asked.query, regex=asked.regex, limit=_MOST_HITS)
        more = [] if found.complete else ["… there are more: search for something narrower"]
        return "\n".join([*map(str, found.hits), *more]) if found.hits else ""

    about = {
        "zh": "在仓库里搜索一个词（不分大小写）或正则表达式，返回 `路径#L行号: 该行`，最多 50 行。",
        "en": "Search the repository for a word (any case) or a regular expression: `path#L7: line`, at most 50.",
    }
    return Tool("search_keyword", about, SearchArguments, run)
