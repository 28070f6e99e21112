"""No punctuation at the end of a heading.

What:   A heading ends with one of `marks`. Question marks are allowed; dots of an ellipsis or abbreviation are not.
Why:    A heading is a name, not a sentence; the mark shows up in tables of contents and links.
Bad:    `## 安装步骤：`
Good:   `## 安装步骤`, `## 为什么需要缓存？`
Fix:    safe: the marks are removed
Settings: marks = "。．.，,；;：:！!、…"
Source: markdownlint MD026; ruanyf document style guide, "标题"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.placeholders import HTML, MARK, NOTE, URL
from kaozheng.documents.prose import Prose
from kaozheng.rules.check import Check, Context, Finding, finding

_TRAILING = re.compile(rf"[{HTML}{MARK}{NOTE}{URL}\s]")


def check(context: Context) -> Iterator[Finding]:
    """One finding for each heading with trailing marks."""
    marks = frozenset(context.settings["marks"])
    for prose in context.document.prose:
        if prose.block.kind != "heading":
            continue
        places = _trailing(prose, marks)
        if places:
            edits = [TextEdit(prose.sub(place, place + 1), "") for place in places]
            if not _readable_without(prose, places):
                edits = []
            found = "".join(prose.masked[place] for place in places)
            message = context.say(f"标题以标点“{found}”结尾", f"The heading ends with {found!r}.")
            yield finding(prose.sub(places[0], places[-1] + 1), message, edits)


def _trailing(prose: Prose, marks: frozenset[str]) -> list[int]:
    """Places of the marks at the end; markup, notes and tags between them are looked through."""
    places: list[int] = []
    for at in range(len(prose.masked) - 1, -1, -1):
        char = prose.masked[at]
        if char in marks:
            places.insert(0, at)
        elif not _TRAILING.match(char) or (char == URL and not places and not _is_target(prose.masked, at)):
            break
    return places


def _is_target(masked: str, at: int) -> bool:
    """A link's target stands before the link's closing bracket; a bare address is text that a reader sees."""
    return masked[at + 1 : at + 2] in (MARK, URL)


def _readable_without(prose: Prose, places: list[int]) -> bool:
    """A heading of marks alone would be empty: then a person must find it a name."""
    return bool(_TRAILING.sub("", prose.masked[: places[0]]))


CHECK = Check(
    "heading-end-punctuation",
    family="metadata_and_structure",
    run=check,
    fix="safe",
    settings={"marks": "。．.，,；;：:！!、…"},
    order=62,
)
