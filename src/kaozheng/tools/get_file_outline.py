"""get_file_outline: the symbols of one file with their lines."""

from __future__ import annotations

from pydantic import Field

from kaozheng.aside import aside
from kaozheng.sources import code
from kaozheng.sources.code import CodeShelf
from kaozheng.tools.tool import Arguments, Tool


class OutlineArguments(Arguments):
    """Which file."""

    path: str = Field(min_length=1, max_length=1_000, description="path of a source file, as list_tree shows it")


def get_file_outline(shelf: CodeShelf) -> Tool[OutlineArguments]:
    """The tool over this repository."""

    async def run(asked: OutlineArguments) -> str:
        return await aside(code.outline_text, shelf.repository, asked.path)

    about = {
        "zh": "列出一个源文件的类、函数、方法及其行号和说明。读文件之前先看大纲。",
        "en": "Classes, functions and methods of a source file with their lines. Look here before you read a file.",
    }
    return Tool("get_file_outline", about, OutlineArguments, run)
