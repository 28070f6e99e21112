"""How a memory that tells of several chapters is named: from which to which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_MARK: Final = re.compile(
    r"第[〇零一二三四五六七八九十百千\d]+[章回节卷部篇集讲]|[一二三四五六七八九十]{1,3}(?=、)"
    r"|(?:chapter|part|section|book|appendix) [\divxlc]+\b|\d+(?:\.\d+)*(?=[.、\s])",
    re.IGNORECASE,
)


def chapters_told(headings: Sequence[str], language: str) -> str:
    """What a memory tells, by the headings above it in order: "第一回至第九回". Chapters without numbers are named
    whole; "" where there are no headings."""
    if not headings:
        return ""
    first, last = headings[0], headings[-1]
    if first == last:
        return first
    marks = _MARK.match(first), _MARK.match(last)
    if marks[0] and marks[1]:
        first, last = marks[0][0], marks[1][0]
    return f"{first}至{last}" if language == "zh" else f"{first} to {last}"
