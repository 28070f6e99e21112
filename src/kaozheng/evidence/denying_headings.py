"""Headings that deny what stands below them: "Non-goals", "不在范围内". Without its heading such a statement says the
opposite of what was written."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.evidence.support import is_negated
from kaozheng.sources.passage import Passage

_DENIES: Final = re.compile(
    r"(?:不|非|无|未|暂不|尚未|没有?|禁止|排除)(?!断|仅|但|同|常|限)|范围(?:之)?外"
    r"|\b(?:non|not|no|never|out of scope|exclu\w+|without|forbidden|prohibited|rejected|deferred|won['’]t"
    r"|do(?:es)?n['’]t)\b",
    re.IGNORECASE,
)
_LONGEST: Final = 30  # characters of a heading that can stand before a sentence


def denying_heading(passage: Passage) -> str:
    """The nearest heading above the passage, when it denies; else ""."""
    heading = passage.path[-1].strip() if passage.path else ""
    return heading if heading and len(heading) <= _LONGEST and _DENIES.search(heading) else ""


def with_denial(text: str, passage: Passage, language: str) -> str:
    """A statement of the passage so that it cannot be taken for its opposite: behind the heading that denies it, unless
    it denies by itself."""
    heading = denying_heading(passage)
    if not heading or heading in text or is_negated(text):
        return text
    return f"{heading}{'：' if language == 'zh' else ': '}{text}"
