"""CSV and its kin as one Markdown table, whatever parts the columns and whatever encoding the file is in."""

from __future__ import annotations

import csv
import io
from collections import Counter

from kaozheng.errors import EncodingError, SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import cell, table
from kaozheng.sources.decoding import decode
from kaozheng.sources.source import normal_lines

_DELIMITERS = ",\t;|"
_JUDGED = 50


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    try:
        text = normal_lines(decode(data)[0])
    except EncodingError as error:
        raise SourceError(f"encoding not known: {error}") from error
    csv.field_size_limit(caps.chars)
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
