"""A table row said as a sentence: its cells with the names of their columns, which the row alone does not tell."""

from __future__ import annotations

from dataclasses import dataclass

from kaozheng.documents.span import Span
from kaozheng.evidence.key_statements import statement_spans
from kaozheng.sources.passage import Passage
from kaozheng.sources.tables import cells_of, is_rule


@dataclass(frozen=True, slots=True)
class RowTold:
    """`text` is the sentence; `row` and `head` are the places of both lines in the passage's text."""

    text: str
    row: Span
    head: Span


def row_told(passage: Passage, row: Span, language: str) -> RowTold | None:
    """The row at `row` of a table: "玉米：面积（万亩） 12.3，产量 4.6 万吨。" Empty cells are left out; None when the
    passage is no table, has no head, or the row has other columns than the head."""
    head = _head(passage)
    if head is None:
        return None
    names = cells_of(passage.text[head.start : head.end])
    cells = cells_of(passage.text[row.start : row.end])
    if len(names) != len(cells) or not cells[0]:
        return None
    told = [f"{name} {cell}".strip() for name, cell in zip(names[1:], cells[1:], strict=True) if cell]
    if not told:
        return None
    zh = language == "zh"
    colon, comma, stop = ("：", "，", "。") if zh else (": ", ", ", ".")
    return RowTold(f"{cells[0]}{colon}{comma.join(told)}{stop}", row, head)


def _head(passage: Passage) -> Span | None:
    """The line above the rule."""
    if passage.kind != "table":
        return None
    first, _, rest = passage.text.partition("\n")
    second, _, _ = rest.partition("\n")
    start = len(first) - len(first.lstrip())
    return Span(start, len(first.rstrip())) if is_rule(second) and first.strip() else None


def rows_told(passage: Passage, language: str) -> list[RowTold]:
    """All rows of a table that can be told, in order; none of what is no table."""
    if passage.kind != "table":
        return []
    told = (row_told(passage, span, language) for span in statement_spans(passage))
    return [one for one in told if one is not None]
