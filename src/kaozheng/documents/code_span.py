"""Text as inline code: no rule reads it as prose, and nothing in it is Markdown or HTML."""

from __future__ import annotations

import re


def code_span(text: str) -> str:
    """`text` as a code span on one line, also when it holds back-ticks or line ends (shown as ⏎)."""
    text = text.replace("\r", "").replace("\n", "⏎")
    longest = max(map(len, re.findall("`+", text)), default=0)
    marks = "`" * (longest + 1)
    edge = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{edge}{text}{edge}{marks}" if text else "` `"
