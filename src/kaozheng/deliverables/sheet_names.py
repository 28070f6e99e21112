"""Names that a sheet may have: at most 31 characters, none of []:*?/\\, no two alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MOST_CHARS = 31
_NOT_ALLOWED = re.compile(r"[\[\]:*?/\\\x00-\x1f\x7f]+")
_RESERVED = "history"


def sheet_names(titles: Iterable[str]) -> list[str]:
    """A name for each title, as near to it as may be. Case makes no two names different."""
    names: list[str] = []
    taken = {_RESERVED}
    for title in titles:
        plain = " ".join(_NOT_ALLOWED.sub(" ", title).split()).strip("' ")
        name, count = _cut(plain), 1
        while not name or name.casefold() in taken:
            count += 1
            name = _cut(plain, f" ({count})") if plain else f"Sheet{count - 1}"
        taken.add(name.casefold())
        names.append(name)
    return names


def _cut(title: str, behind: str = "") -> str:
    """Characters are counted as Excel counts them, a rare one as two; no apostrophe at either end."""
    while _length(title) > _MOST_CHARS - len(behind):
        title = title[:-1]
    return title.rstrip("' ") + behind if title else ""


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
