"""The statements of an evidence item, as they may be said alone: sentences, list lines, table rows, blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kaozheng.documents.characters import HAN
from kaozheng.documents.sentences import split
from kaozheng.evidence.bundle import EvidenceItem
from kaozheng.roles.answerer.orders import is_order
from kaozheng.roles.labels import own_words

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•]|\d{1,3}[.)、)]|[（(]\d{1,3}[)）]|[a-z][.)])[ \t]*(?=\S)")
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$")
_RULE = re.compile(r"^[ \t|:\-–—]+$")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]")
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<tag>\w+)\b[^>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|\shidden\b)[^>]*>.*?</(?P=tag)>",
    re.DOTALL | re.IGNORECASE,
)
"""What a page does not show, and so nobody has read before it went in."""
_HAN = re.compile(f"[{HAN}]")
_OPEN_END = re.compile(r"[：:]\s*\**$")
_TAIL = 6


@dataclass(frozen=True, slots=True)
class Said:
    """One statement and what it is: "prose" stands in its sentence, "line" was a list line, "row" one of a table,
    "code" is a fenced block. `place` counts within the item."""

    item: EvidenceItem
    text: str
    kind: str
    place: int


def statements(item: EvidenceItem) -> list[Said]:
    """The item's statements in order; headings, rules of tables and marks of lists are left out, and orders to whoever
    answers."""
    parts = _parts(_UNSEEN.sub("", item.text).split("\n"))
    found = [(text, kind) for text, kind in parts if text.strip() and not is_order(text)]
    return [Said(item, own_words(text) if kind != "code" else text, kind, at) for at, (text, kind) in enumerate(found)]


def announced(said: Said, around: Sequence[Said]) -> Sequence[Said]:
    """The lines, rows or the block of code that the colon at a statement's end announces; none without one. `around`
    are the statements of its item."""
    if not _OPEN_END.search(said.text):
        return ()
    last = said.place
    while last + 1 < len(around) and last < said.place + _TAIL and around[last + 1].kind != "prose":
        last += 1
        if around[last].kind == "code":
            break
    return around[said.place + 1 : last + 1]


def _parts(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    prose: list[str] = []
    head: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        special = fence or not line.strip() or _ROW.match(line) or _HEADING.match(line) or _BULLET.match(line)
        if special and prose:
            yield from _sentences(prose)
            prose = []
        if fence:
            end = next((i for i in range(at + 1, len(lines)) if lines[i].strip().startswith(fence[1])), len(lines) - 1)
            block = "\n".join(lines[at : end + 1])
            yield (block if end > at and lines[end].strip().startswith(fence[1]) else f"{block}\n{fence[1]}"), "code"
            at = end + 1
            continue
        if _ROW.match(line):
            head, row = _row(line, head, lines[at + 1] if at + 1 < len(lines) else "")
            if row:
                yield row, "row"
        elif bullet := _BULLET.match(line):
            head = []
            yield line[bullet.end() :].strip(), "line"
        elif not special:
            head = []
            prose.append(line)
        at += 1
    if prose:
        yield from _sentences(prose)


def _sentences(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Wrapped lines are one paragraph: joined without a blank between Han characters."""
    text = lines[0].strip(" \t>")
    for line in lines[1:]:
        more = line.strip(" \t>")
        touching = bool(
            text and more and _HAN.match(more[0]) and (_HAN.match(text[-1]) or text[-1] in "，。；：、！？")
        )
        text = f"{text}{'' if touching else ' '}{more}"
    for span in split(text):
        yield text[span.start : span.end].strip(), "prose"


def _row(line: str, head: list[str], following: str) -> tuple[list[str], str]:
    """(the head of the table, the row as it is said: each cell with the name of its column)."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if _RULE.match(line):
        return head, ""
    if not head and _ROW.match(following) and _RULE.match(following):
        return cells, ""
    if head and cells == head:
        return head, ""
    han = any(map(_HAN.search, (*head, *cells)))
    colon, between = ("：", "；") if han else (": ", "; ")
    named = [
        f"{name}{colon}{cell}" if name else cell
        for name, cell in zip([*head, *[""] * len(cells)], cells, strict=False)
        if cell
    ]
    return head, between.join(named)
