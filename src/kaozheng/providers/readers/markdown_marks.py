"""Words as Markdown: what only looks like a mark is escaped, rows become a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_INLINE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|[*`]|<(?=[A-Za-z/!?])|(?<![^\W_])_|_(?![^\W_])|~(?=~)|\[(?=\^)|\](?=[(\[])|&(?=#?\w{1,31};)"
)
_LINE_START = re.compile(r"^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-{2,}\s*$|\|)", re.MULTILINE)
# `2023. ` is a year; one or two digits number something, as they do in the words.
_LINE_NUMBER = re.compile(r"^(\d{3,9})([.)])(?=\s|$)", re.MULTILINE)
_BLANKS = re.compile(r"[ \t\u00a0]+")
_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2060\ufeff\U000e0000-\U000e007f\ud800-\udfff]")


def plain(text: str) -> str:
    """Without invisible characters, blanks at the ends of lines and runs of blanks."""
    lines = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    return "\n".join(_BLANKS.sub(" ", line).strip() for line in lines).strip("\n")


def inline(text: str) -> str:
    """The words with inline marks escaped."""
    return _INLINE.sub(lambda found: "\\" + found[0], text)


def paragraph(text: str) -> str:
    """The words as one paragraph: marks escaped, at the beginnings of lines too; no empty line inside."""
    lines = (line for line in inline(plain(text)).split("\n") if line)
    escaped = _LINE_START.sub(lambda found: "\\" + found[0], "\n".join(lines))
    return _LINE_NUMBER.sub(r"\1\\\2", escaped)


def heading(text: str, level: int) -> str:
    """One line with a heading's mark, level 1 to 6; "" without words."""
    words = inline(plain(text)).replace("\n", " ").strip()
    return f"{'#' * min(max(level, 1), 6)} {words}" if words else ""


def cell(text: str) -> str:
    """The words as they may stand in a table's cell."""
    if text.isalnum():  # most are, and need no looking at
        return text
    lines = (line for line in inline(plain(text)).split("\n") if line)
    return "<br>".join(lines).replace("|", "\\|")


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows of `cell`s, the first one the head; short rows are filled up."""
    filled = [list(row) for row in rows]
    width = max((len(row) for row in filled), default=0)
    if not width:
        return ""
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in filled]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])
