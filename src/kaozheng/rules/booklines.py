"""The lines of a rule book: fences in one piece, front matter and comments left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kaozheng.errors import RuleBookError

_FENCE = re.compile(r"(?P<indent>\s*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")


def book_lines(text: str, name: str) -> Iterator[tuple[int, str, str | None]]:
    """(line number, line, None) or, for a fence, (its first line number, info string, body).

    Raises RuleBookError when a fence is never closed.
    """
    lines = text.split("\n")
    at = _after_front_matter(lines)
    while at < len(lines):
        line = lines[at]
        opening = _FENCE.match(line)
        if opening:
            end = _closing(lines, at + 1, opening["marks"])
            if end is None:
                raise RuleBookError(f"rule book {name} line {at + 1}: this fence is never closed")
            indent = len(opening["indent"])
            body = "\n".join(_dedent(inner, indent) for inner in lines[at + 1 : end])
            yield at + 1, opening["info"].strip(), body
            at = end + 1
        elif line.lstrip().startswith("<!--"):
            while at < len(lines) and "-->" not in lines[at]:
                at += 1
            at += 1
        else:
            yield at + 1, line, None
            at += 1


def _after_front_matter(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    for at, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return at + 1
    return 0


def _closing(lines: list[str], start: int, marks: str) -> int | None:
    for at in range(start, len(lines)):
        stripped = lines[at].strip()
        if len(stripped) >= len(marks) and set(stripped) == {marks[0]}:
            return at
    return None


def _dedent(line: str, indent: int) -> str:
    return line[min(indent, len(line) - len(line.lstrip(" "))) :]
