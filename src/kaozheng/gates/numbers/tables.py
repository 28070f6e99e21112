"""Cells of a table as sentences: 隆昌市 | GDP（亿元） | 379.45 says 隆昌市GDP379.45亿元."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.document import Document
from kaozheng.documents.nodes import Block
from kaozheng.documents.span import Span
from kaozheng.documents.units import unit_named
from kaozheng.evidence.numbers import find_numbers

_UNIT: Final = re.compile(
    r"[（(]\s*(?:单位\s*[:：]\s*)?(?P<unit>[^（）()]{1,12})\s*[）)]|单位\s*[:：]\s*(?P<said>\S{1,12})"
)
_OF_BEFORE: Final = re.compile(r"\s*(?:比上年|较上年|同比)?(?:增长|增速|增幅|增减|±)")
"""The head of a column that says how what stands in the one before it has changed."""
_CAPTION: Final = re.compile(r"^\s*(?:\*\*)?(?:表|附表|Table)|单位\s*[:：]")
_COUNTER: Final = re.compile(r"序号|No\.?|#")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with what its row and column say before it. `at` is where the cell begins in `sentence`; in the text it
    is at `span`."""

    sentence: str
    at: int
    span: Span


def tables(text: str) -> list[Span]:
    """The places of the tables of a text."""
    return [block.span for block in Document(text).blocks if block.kind == "table"] if "|" in text else []


def cells(text: str, table: Span, caption: str) -> Iterator[Cell]:
    """The cells of one table that hold numbers. `caption` is the line above it."""
    rows = _rows(text, table)
    if not rows:
        return
    caption = caption if _CAPTION.search(caption) else ""
    heads = [text[one.start : one.end] for one in rows[0]]
    for row in rows[1:]:
        label = text[row[0].start : row[0].end] if row else ""
        for place, cell in enumerate(row):
            head = heads[place] if place < len(heads) else ""
            written = text[cell.start : cell.end]
            if not written.strip() or _COUNTER.search(head):
                continue
            led = heads[place - 1] if place and _OF_BEFORE.match(head) else ""
            own = "".join(_UNIT.sub("", part) for part in (label if place else "", led, head))
            before = f"{_UNIT.sub('', caption)}，{own}"
            yield Cell(f"{before}{written}{_unit(written, head, label, caption)}", len(before), cell)


def _rows(text: str, table: Span) -> list[list[Span]]:
    rows: list[list[Span]] = []
    for block in _within(Document(text).blocks, table):
        if block.kind == "row":
            rows.append([])
        elif block.kind == "cell" and rows and block.span.end <= table.end:
            rows[-1].append(block.span)
    return rows


def _within(blocks: Sequence[Block], table: Span) -> Iterator[Block]:
    return (block for block in blocks if table.start <= block.span.start <= table.end)


def _unit(written: str, head: str, label: str, caption: str) -> str:
    """The unit that the cell itself does not say: that of its column, row or table."""
    numbers = [number for number in find_numbers(written) if number.is_quantity]
    if len(numbers) != 1 or numbers[0].dimension:
        return ""
    for place in (head, label, caption):
        for found in _UNIT.finditer(place):
            unit = (found["unit"] or found["said"]).strip()
            if unit_named(unit).dimension:
                return unit
    return ""
