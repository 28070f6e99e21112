"""Marks behind a name or a number that lead to a note: 隆昌市①, 340.5[1], 56.4 注2, 12.3*."""

from __future__ import annotations

import re
from typing import Final

_SIGNS: Final = "①-⑳⓪❶-❿⁰¹²³⁴-⁹†‡※*＊"
_MARK: Final = "|".join(
    (
        rf"[{_SIGNS}]",
        rf"[\[［【(（〔]\s*注?\s*[{_SIGNS}]\s*[\]］】)）〕]",
        r"[\[［]\s*注?\s*\d{1,2}\s*[\]］]",
        r"[(（]\s*注\s*\d{0,2}\s*[)）]",
        r"注\s*\d{1,2}",
    )
)
_BEHIND: Final = re.compile(rf"(?<=\S)\s*(?P<marks>(?:\s*(?:{_MARK}))+)\s*$")
_NOTE: Final = re.compile(
    r"\s*(?:注\s*\d{0,2}\s*[:：.、]|注释?\s*$|(?:说明|备注|来源|口径)\s*[:：]|(?:资料|数据)来源"
    rf"|[{_SIGNS}]|[\[［]\d{{1,2}}[\]］])"
)


def without_marks(text: str) -> tuple[str, str]:
    """The text without the marks at its end, and these. A text that is nothing but a mark stays as it is."""
    found = _BEHIND.search(text)
    return (text[: found.start()].rstrip(), "".join(found["marks"].split())) if found else (text, "")


def is_note(text: str) -> bool:
    """Whether a line below a table explains it: 注：…, ① …, 资料来源：…."""
    return _NOTE.match(text) is not None
