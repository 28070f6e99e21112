"""list_tree: folders and files of the repository."""

from __future__ import annotations

from pydantic import Field

from kaozheng.aside import aside
from kaozheng.sources import code
from kaozheng.sources.code import CodeShelf
from kaozheng.tools.tool import Arguments, Tool


class TreeArguments(Arguments):
    """Where to look and how deep."""

    under: str = Field(default="", max_length=1_000, description='a folder, "" for the root')
    depth: int = Field(default=2, ge=1, le=6, description="levels shown")


def list_tree(shelf: CodeShelf) -> Tool[TreeArguments]:
    """The tool over this repository."""

    async def run(asked: TreeArguments) -> str:
        return await aside(code.list_tree, shelf.repository, asked.under, asked.depth)

    about = {
        "zh": "列出文件夹和文件（语言、行数），可指定文件夹和层数。",
        "en": "Folders and files (language, number of lines) below a folder.",
    }
    return Tool("list_tree", about, TreeArguments, run)
