"""read_more: the rest of a result that was too long to be shown at once."""

from __future__ import annotations

import hashlib
from typing import Final

from pydantic import Field

from kaozheng.errors import InputError
from kaozheng.tools.tool import Arguments, Tool

_MOST_KEPT_CHARS: Final = 8_000_000


class MoreArguments(Arguments):
    """Which result, and where to go on."""

    handle: str = Field(min_length=1, max_length=40, description="as the cut result names it")
    start: int = Field(default=0, ge=0, le=100_000_000, description="character to go on from")


class Rests:
    """Long results of one conversation, by a handle made of their text: the same text has the same handle in every
    process. The oldest go when more than 8 million characters are kept."""

    def __init__(self, shown_chars: int) -> None:
        self._shown_chars = shown_chars
        self._kept: dict[str, str] = {}

    def cut(self, text: str) -> tuple[str, str]:
        """(the beginning, how to read on); the whole text and "" when it is short enough."""
        if len(text) <= self._shown_chars:
            return text, ""
        handle = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
        self._kept[handle] = text
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > _MOST_KEPT_CHARS:
            del self._kept[next(iter(self._kept))]
        return self.piece(handle, 0)

    def piece(self, handle: str, start: int) -> tuple[str, str]:
        """(what follows from `start`, how to read on). InputError: no such handle, or nothing follows."""
        text = self._kept.get(handle)
        if text is None:
            raise InputError(f"there is no result {handle}")
        if start >= len(text):
            raise InputError(f"{handle} has {len(text)} characters")
        end = start + self._shown_chars
        if end < len(text):
            line = text.rfind("\n", start + self._shown_chars // 2, end)
            end = end if line < 0 else line + 1
        left = len(text) - end
        return text[
            start:end
        ], f'… {left} more characters: read_more(handle="{handle}", start={end})' if left > 0 else ""


def read_more(rests: Rests) -> Tool[MoreArguments]:
    """The tool over what was cut. The gateway adds it to every list by itself and shows its result as it is."""

    async def run(asked: MoreArguments) -> str:
        return "\n".join(part for part in rests.piece(asked.handle, asked.start) if part)

    about = {
        "zh": "读一个被截断的结果的后续部分。",
        "en": "Go on reading a result that was cut.",
    }
    return Tool("read_more", about, MoreArguments, run)
