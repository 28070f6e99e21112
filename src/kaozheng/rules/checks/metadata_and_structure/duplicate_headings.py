"""No two headings with the same text under one parent.

What:   Two headings under the same parent heading have the same text, apart from width, case and blanks.
Why:    Readers of a table of contents can't tell them apart, and their links collide.
Bad:    `## 示例` twice under `# 手册`
Good:   `## 安装示例` and `## 配置示例`
Fix:    none
Settings: none
Source: markdownlint MD024 (siblings_only); ruanyf document style guide, "标题"
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from kaozheng.documents.nodes import Heading
from kaozheng.rules.check import Check, Context, Finding, finding


def check(context: Context) -> Iterator[Finding]:
    """One finding for each heading that repeats an earlier sibling."""
    parents: list[tuple[int, int]] = []  # (level, place) of the open headings above
    seen: dict[tuple[int, str], Heading] = {}
    for place, heading in enumerate(context.document.headings):
        while parents and parents[-1][0] >= heading.level:
            parents.pop()
        key = (parents[-1][1] if parents else -1, _folded(heading.text))
        parents.append((heading.level, place))
        first = seen.setdefault(key, heading)
        if first is not heading and key[1]:
            line = first.lines.start
            message = context.say(f"与第 {line} 行的标题重复", f"The heading repeats the one on line {line}.")
            yield finding(heading.span, message)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


CHECK = Check("duplicate-headings", family="metadata_and_structure", run=check)
