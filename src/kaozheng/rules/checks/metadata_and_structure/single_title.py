"""One level-1 heading.

What:   The document has no level-1 heading, or more than one.
Why:    It is the document's name; outlines, searches and page titles are made from it.
Bad:    `# 安装` and later `# 配置`
Good:   `# 手册`, then `## 安装` and `## 配置`
Fix:    none
Settings: none
Source: markdownlint MD025, MD041
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding


def check(context: Context) -> Iterator[Finding]:
    """One finding when there is none, else one for each beyond the first."""
    document = context.document
    titles = [heading for heading in document.headings if heading.level == 1]
    if not titles:
        line = next((number for number, line in enumerate(document.lines) if line.strip()), 0)
        start = sum(len(text) + 1 for text in document.lines[:line])
        place = Span(start, start + len(document.lines[line]))
        yield finding(place, context.say("缺少一级标题", "There is no level-1 heading."))
    for heading in titles[1:]:
        message = f"多余的一级标题，第一个在第 {titles[0].lines.start} 行"
        english = f"A second level-1 heading; the first is on line {titles[0].lines.start}."
        yield finding(heading.span, context.say(message, english))


CHECK = Check("single-title", family="metadata_and_structure", run=check)
