"""read_file: lines of one file with their numbers."""

from __future__ import annotations

from pydantic import Field

from kaozheng.aside import aside
from kaozheng.sources import code
from kaozheng.sources.code import CodeShelf
from kaozheng.tools.tool import Arguments, Tool

_MOST_LINES = 10_000_000


class ReadArguments(Arguments):
    """Which lines, both ends included."""

    path: str = Field(min_length=1, max_length=1_000, description="path of a text file, as list_tree shows it")
    start: int = Field(default=1, ge=1, le=_MOST_LINES, description="first line")
    end: int | None = Field(default=None, ge=1, le=_MOST_LINES, description="last line; 400 lines at most a call")


def read_file(shelf: CodeShelf) -> Tool[ReadArguments]:
    """The tool over this repository. Nothing but its text files can be read, secrets in them are masked."""

    async def run(asked: ReadArguments) -> str:
        return await aside(code.read_lines, shelf, asked.path, asked.start, asked.end)

    about = {
        "zh": "读一个文件的若干行，每行前有行号（`0042: 内容`），一次最多 400 行。",
        "en": "Read lines of a file, each with its number (`0042: text`), 400 lines at most.",
    }
    return Tool("read_file", about, ReadArguments, run)
