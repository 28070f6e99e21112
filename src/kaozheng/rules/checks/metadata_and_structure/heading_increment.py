"""Headings go down one level at a time.

What:   A heading is deeper than the one before it by more than one level. The first heading may have any level.
Why:    A skipped level reads as a missing section; outlines and screen readers follow the levels.
Bad:    `# 手册`, then `### 安装`
Good:   `# 手册`, then `## 安装`
Fix:    safe: the heading gets the level of the one before it plus one, and so on down the document
Settings: none
Source: markdownlint MD001
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit
from kaozheng.documents.nodes import Heading
from kaozheng.documents.span import Span
from kaozheng.rules.check import Check, Context, Finding, finding

_OPENING = re.compile(r"#+")
_CLOSING = re.compile(r"[ \t](#+)[ \t]*$")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each jump; its fix also moves the later headings that would jump once this one has moved."""
    document = context.document
    jump: tuple[Heading, int, list[TextEdit]] | None = None
    written = level = 6
    for heading in document.headings:
        if heading.level > written + 1:
            if jump:
                yield _finding(context, jump)
            jump = (heading, written, [])
        level = min(heading.level, level + 1)
        if level != heading.level and jump:
            jump[2].extend(_relevel(document, heading, level))
        written = heading.level
    if jump:
        yield _finding(context, jump)


def _finding(context: Context, jump: tuple[Heading, int, list[TextEdit]]) -> Finding:
    heading, before, edits = jump
    message = context.say(
        f"标题从第 {before} 级跳到第 {heading.level} 级",
        f"The heading jumps from level {before} to level {heading.level}.",
    )
    return finding(heading.span, message, edits)


def _relevel(document: Document, heading: Heading, level: int) -> Iterator[TextEdit]:
    """Edits of the number signs; only levels above 2 can change, and those are never underlined headings."""
    source = document.quote(heading.span)
    opening = _OPENING.search(source)
    if opening is None:
        return
    start = heading.span.start
    yield TextEdit(Span(start + opening.start(), start + opening.end()), "#" * level)
    line = source.rstrip("\n")
    closing = _CLOSING.search(line, opening.end())
    if closing:
        yield TextEdit(Span(start + closing.start(1), start + closing.end(1)), "#" * level)


CHECK = Check(
    "heading-increment",
    family="metadata_and_structure",
    run=check,
    fix="safe",
    order=60,
    may_change=frozenset({"headings"}),
)
