"""CSV and its kin as one table, whatever parts the columns and whatever encoding the file is in."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from kaozheng.errors import EncodingError, SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import cell, table
from kaozheng.providers.readers.number_formats import stored_number
from kaozheng.sources.decoding import decode
from kaozheng.sources.grid import Cells, Grid, GridCell
from kaozheng.sources.source import normal_lines

_DELIMITERS = ",\t;|"
_JUDGED = 50
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*")


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    text = _text(data, caps)
    left = caps.cells
    rows = []
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text)):
        left -= len(row)
        if left < 0:
            raise SourceError(f"more than {caps.cells:,} cells")
        if any(field.strip() for field in row):
            rows.append([cell(field) for field in row])
    if sum(len(row) for row in rows[:1]) and max(map(len, rows)) * len(rows) > caps.cells:
        raise SourceError(f"more than {caps.cells:,} cells")
    pages = Pages()
    pages.add(table(rows))
    return pages.finished()


def grids(data: bytes, caps: Caps) -> list[Grid]:
    """See conversion.grids. One grid without a name, whose rows are counted as a sheet counts them. A quotation mark
    that is not closed would swallow the rows behind it, so it is refused with its line."""
    text = _text(data, caps)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    try:
        return [Grid("", Cells(_rows(lines, caps.cells)))]
    except csv.Error as error:
        raise SourceError(f"line {lines.line_num}: a quotation mark that is not closed or not doubled") from error


def _rows(lines: Iterable[list[str]], most_cells: int) -> Iterator[tuple[int, list[tuple[int, GridCell]]]]:
    known: dict[str, GridCell] = {}
    left = most_cells
    for number, fields in enumerate(lines, 1):
        row = [
            (column, known.get(field) or known.setdefault(field, _grid_cell(field)))
            for column, field in enumerate(fields, 1)
            if field and not field.isspace()
        ]
        left -= len(row)
        if left < 0:
            raise SourceError(f"more than {most_cells:,} cells")
        if row:
            yield number, row


def _grid_cell(field: str) -> GridCell:
    """A CSV has no formats: whether 0.123 is a share or a percentage, it can't tell."""
    return GridCell(field, stored_number(field) if _NUMBER.fullmatch(field) else None, None)


def _text(data: bytes, caps: Caps) -> str:
    csv.field_size_limit(caps.chars)
    try:
        return normal_lines(decode(data)[0])
    except EncodingError as error:
        raise SourceError(f"encoding not known: {error}") from error


def delimiter_of(text: str) -> str:
    """What parts the columns: the sign that gives most rows the same number of columns, more than one; else a comma."""
    head = "\n".join(text.split("\n", _JUDGED + 1)[:_JUDGED])
    best, score = ",", (0.0, 0)
    for sign in _DELIMITERS:
        try:
            widths = Counter(len(row) for row in csv.reader(io.StringIO(head, newline=""), delimiter=sign) if row)
        except csv.Error:
            continue
        wide = [(count / widths.total(), width) for width, count in widths.items() if width > 1]
        if wide and max(wide) > score:
            best, score = sign, max(wide)
    return best
