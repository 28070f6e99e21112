"""A piece of Markdown as a person reads it: one line of words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kaozheng.documents.characters import HAN
from kaozheng.documents.document import Document

_WIDE = re.compile(f"[{HAN}，。；：、！？（）《》“”【】]")


def as_read(text: str) -> str:
    """The words of all paragraphs, items and cells without markup, notes, tags and targets of links; "" for code."""
    return unwrapped(line for prose in Document(text).prose for line in prose.readable.split("\n"))


def unwrapped(lines: Iterable[str]) -> str:
    """Wrapped lines as one; a blank where two meet, none beside Chinese."""
    text = ""
    for line in filter(None, (line.strip() for line in lines)):
        touching = bool(text) and bool(_WIDE.match(text[-1]) or _WIDE.match(line[0]))
        text = f"{text}{'' if touching or not text else ' '}{line}"
    return text
