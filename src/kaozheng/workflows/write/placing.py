"""A passage as it may stand in another document.

It loses the indentation of its old place and lines that ask for a table of contents, its links lead from the notes'
folder, every fence is closed, so that it cannot swallow what follows, and a part of a long table or code block begins
as the whole does.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace

from kaozheng.documents.document import Document
from kaozheng.documents.links import relinked
from kaozheng.roles.structure import without_contents_marks
from kaozheng.sources.material import Material
from kaozheng.sources.passage import Passage
from kaozheng.sources.source import Source
from kaozheng.workflows.write.code_places import without_places

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*")


def placed(passage: Passage, material: Material) -> Passage:
    """`passage` with a text that can be moved. Its id, span and lines still point at the source."""
    source = material.source(passage.source)
    text = closed(_linked(_head(passage, source) + _outdented(passage, source), source))
    if source.about_code and passage.kind not in ("code", "table"):
        text = without_places(text)
    return replace(passage, text=text if passage.kind == "code" else without_contents_marks(text))


def _head(passage: Passage, source: Source) -> str:
    """What a part of a long table or code block has lost with the part before it: the table's head, the open fence."""
    if passage.kind == "table":
        return _table_head(passage, source.text)
    last = passage.text.rstrip().rpartition("\n")[2]
    if passage.kind == "code" and not _FENCE.match(passage.text) and (fence := _FENCE.fullmatch(last)):
        return f"{fence[1]}\n"
    return ""


def _table_head(passage: Passage, text: str) -> str:
    """The two lines that a table begins with, when the passage begins further down in it."""
    start = passage.span.start
    while start and text.startswith("|", above := text.rfind("\n", 0, start - 1) + 1):
        start = above
    return "".join(text[start : passage.span.start].splitlines(keepends=True)[:2])


def closed(text: str) -> str:
    """`text` with its last fence closed when it is open."""
    open_fences = [
        block for block in Document(text).blocks if block.kind == "code" and block.fenced and not block.closed
    ]
    if not open_fences:
        return text
    fence = _FENCE.match(text[open_fences[-1].span.start :])
    return f"{text.rstrip()}\n{fence.group(1) if fence else '```'}"


def _outdented(passage: Passage, source: Source) -> str:
    """Lines after the first lose the column at which the first one began."""
    line_start = source.text.rfind("\n", 0, passage.span.start) + 1
    column = len(source.text[line_start : passage.span.start].expandtabs(4))
    if not column or "\n" not in passage.text:
        return passage.text
    first, *rest = passage.text.split("\n")
    return "\n".join([first, *(_cut(line, column) for line in rest)])


def _cut(line: str, column: int) -> str:
    expanded = line.expandtabs(4)
    return expanded[min(column, len(expanded) - len(expanded.lstrip())) :]


def _linked(text: str, source: Source) -> str:
    folder = posixpath.dirname(source.path.replace("\\", "/"))
    return relinked(text, lambda target: posixpath.normpath(posixpath.join(folder, target))) if folder else text
