"""A passage as it may stand in another document.

It loses the indentation of its old place and lines that ask for a table of contents, its links lead from the notes'
folder, and every fence is closed, so that it cannot swallow what follows.
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


def placed(passage: Passage, material: Material) -> Passage:
    """`passage` with a text that can be moved. Its id, span and lines still point at the source."""
    source = material.source(passage.source)
    text = closed(_linked(_outdented(passage, source), source))
    return replace(passage, text=text if passage.kind == "code" else without_contents_marks(text))


def closed(text: str) -> str:
    """`text` with its last fence closed when it is open."""
    open_fences = [
        block for block in Document(text).blocks if block.kind == "code" and block.fenced and not block.closed
    ]
    if not open_fences:
        return text
    fence = re.match(r"[ \t>]*(`{3,}|~{3,})", text[open_fences[-1].span.start :])
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
