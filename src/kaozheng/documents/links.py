"""Addresses of links and images, and what becomes of relative ones when a text moves to another folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from kaozheng.documents.document import Document
from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.span import Span

_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|[/#?]|$")


def relinked(text: str, moved: Callable[[str], str]) -> str:
    """`text` with `moved(target)` for each relative target of an inline link or image; addresses, anchors and absolute
    paths stay."""
    if "](" not in text:
        return text
    edits = []
    for node in Document(text).inlines:
        target = node.target or ""
        if node.kind in {"link", "image"} and not _ELSEWHERE.match(target):
            at = text.rfind(target, node.span.start, node.span.end)
            if at >= 0:
                edits.append(TextEdit(Span(at, at + len(target)), moved(target)))
    return apply_edits(text, edits)


def moved_links(text: str, from_folder: Path, to_folder: Path) -> str:
    """`text` from `from_folder` with its relative links leading to the same files from `to_folder`. Touches no disk."""

    def moved(target: str) -> str:
        try:
            return Path(os.path.relpath(from_folder / target, to_folder)).as_posix()
        except ValueError:  # another drive: there is no relative way
            return (from_folder / target).as_posix()

    return text if from_folder == to_folder else relinked(text, moved)
