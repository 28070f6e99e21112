"""The tables of a sheet: blocks of rows apart by empty ones, merged cells unfolded, heads of several rows made one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kaozheng.errors import SourceError
from kaozheng.providers.readers.markdown_marks import cell, paragraph, table
from kaozheng.providers.readers.sheet_cells import Sheet
from kaozheng.sources.grid import Area, GridCell

_NOTE = re.compile(
    r"\s*(?:注|备注|说明|数据来源|资料来源|来源|单位|note|source|unit)s?\b|\s*(?:注|说明|来源)[:：]", re.IGNORECASE
)
_HIDDEN = "(hidden)"
_HIDDEN_ROW = "(hidden row)"
_HEAD_ROWS = 4

_Row = dict[int, GridCell]


def blocks_of(sheet: Sheet, most_cells: int) -> tuple[list[str], int]:
    """(Markdown blocks in order, cells that they take). Raises SourceError above `most_cells`."""
    sheet = replace(sheet, rows=_shown(sheet))
    areas = _unfold(sheet, most_cells)
    blocks: list[str] = []
    used = 0
    for numbers in _runs(sorted(sheet.rows)):
        columns = sorted({column for number in numbers for column in sheet.rows[number]})
        used += len(columns) * len(numbers)
        if used > most_cells:
            raise SourceError(f"more than {most_cells:,} cells")
        blocks.extend(_block(sheet, numbers, columns, areas))
    return blocks, used


def _shown(sheet: Sheet) -> dict[int, _Row]:
    """The rows without the cells that show nothing, such as a zero in the format `0;-0;`."""
    rows = ((number, {at: one for at, one in row.items() if one.text.strip()}) for number, row in sheet.rows.items())
    return {number: row for number, row in rows if row}


def _unfold(sheet: Sheet, most_cells: int) -> list[Area]:
    """Puts the text of each merged area into all of its cells, as far as the sheet has any. What it gives are the areas
    cut to that part."""
    if not sheet.rows:
        return []
    bottom, right = max(sheet.rows), max(max(row) for row in sheet.rows.values())
    used = 0
    kept = []
    for area in sheet.merged:
        told = sheet.rows.get(area.top, {}).get(area.left)
        cut = Area(area.top, area.left, min(area.bottom, bottom), min(area.right, right))
        if told is None or cut.bottom < cut.top or cut.right < cut.left:
            continue
        used += (cut.bottom - cut.top + 1) * (cut.right - cut.left + 1)
        if used > most_cells:
            raise SourceError(f"more than {most_cells:,} cells")
        kept.append(cut)
        for number in range(cut.top, cut.bottom + 1):
            row = sheet.rows.setdefault(number, {})
            row.update(dict.fromkeys(range(cut.left, cut.right + 1), told))
    return kept


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _block(sheet: Sheet, numbers: list[int], columns: list[int], areas: list[Area]) -> Iterator[str]:
    """Titles above the table, the table, notes below it."""
    rows = [sheet.rows[number] for number in numbers]
    if len(columns) == 1 and len(rows) > 1:
        yield _table(sheet, numbers, columns, 1)
        return
    first, last = 0, len(rows)
    while first < last and _is_title(rows[first]):
        first += 1
    if first == last:
        first = 0 if len(rows) > 1 and len({*rows[0]} | {*rows[1]}) > 1 else last
    while last > first and _is_note(rows[last - 1]):
        last -= 1
    for at in range(first):
        yield _words(sheet, numbers[at])
    body = numbers[first:last]
    if body:
        yield _table(sheet, body, columns, _head_rows(body, areas))
    for at in range(last, len(rows)):
        yield _words(sheet, numbers[at])


def _is_title(row: _Row) -> bool:
    """One text alone, or merged over the row."""
    return len({one.text for one in row.values()}) == 1


def _is_note(row: _Row) -> bool:
    return _is_title(row) and (bool(_NOTE.match(next(iter(row.values())).text)) or len(row) > 2)


def _words(sheet: Sheet, number: int) -> str:
    hidden = f" {_HIDDEN}" if number in sheet.hidden_rows else ""
    return paragraph(next(iter(sheet.rows[number].values())).text + hidden)


def _head_rows(numbers: list[int], areas: list[Area]) -> int:
    """How many rows the head takes, by what is merged in its first row."""
    top = [area for area in areas if area.top == numbers[0]]
    if not any(area.right > area.left for area in top):
        return 1
    tall = [area.bottom - area.top + 1 for area in top]
    return max(1, min(max([2, *tall]), _HEAD_ROWS, len(numbers) - 1))


def _table(sheet: Sheet, numbers: list[int], columns: list[int], head_rows: int) -> str:
    rows = [sheet.rows[number] for number in numbers]
    columns = [column for column in columns if any(column in row for row in rows)]
    head = []
    for column in columns:
        texts = dict.fromkeys(row[column].text for row in rows[:head_rows] if column in row)
        hidden = f" {_HIDDEN}" if sheet.is_hidden(column) else ""
        head.append(cell(" ".join(texts)) + hidden)
    body = [[cell(row[column].text if column in row else "") for column in columns] for row in rows[head_rows:]]
    marks = [number in sheet.hidden_rows for number in numbers[head_rows:]]
    if any(marks):
        head.append(_HIDDEN_ROW)
        for row, mark in zip(body, marks, strict=True):
            row.append("yes" if mark else "")
    return table([head, *body])
