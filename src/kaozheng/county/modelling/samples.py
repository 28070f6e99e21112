"""Columns for a model: rows of the store pivoted, or the cells of a table of one's own.

A row of the result is a region in a period. Values are those published last, in the unit of their indicator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from kaozheng.county.modelling.request import FIRST_TREATED, PERIOD, TREATED, UNIT
from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.sample import as_label
from kaozheng.indicators.panel import Row
from kaozheng.indicators.period import Period, PeriodKind, read_period
from kaozheng.sources.grid import Grid

Columns = Mapping[str, Sequence[Any]]
_WHOLE = re.compile(r"\d{1,15}")
_COUNTED = re.compile(r"\d{5}")  # year * 12 + month, from the year 834 on


def columns_of_rows(rows: Iterable[Row], indicators: Sequence[str]) -> Columns:
    """One row a region and period, by both; a value that is missing is None. Years are whole numbers, months count
    year * 12 + month. Raises InputError for quarters and for periods of two kinds, which make no one calendar."""
    cells: dict[tuple[str, Period], dict[str, Decimal | None]] = {}
    for region, key, period, value in rows:
        cells.setdefault((region, period), {})[key] = value
    kinds = {period.kind for _, period in cells}
    if len(kinds) > 1 or PeriodKind.QUARTER in kinds:
        raise InputError("a model takes years or months, one of them: say which with the period of the rows")
    places = sorted(cells)
    made: dict[str, list[Any]] = {
        UNIT: [region for region, _ in places],
        PERIOD: [period.place + 1 if period.month else period.year for _, period in places],
    }
    for key in indicators:
        made[key] = [cells[place].get(key) for place in places]
    return made


def columns_of_grid(grid: Grid) -> Columns:
    """The table of a sheet whose first row that says something names the columns. Numbers are numbers, also where they
    stand as text; codes of regions too, which the models read as labels. Raises InputError for a sheet that has no such
    table or names a column twice."""
    lines = sorted({row for row, _ in grid.cells})
    if len(lines) < 2:
        raise InputError(f"{grid.name}: a row of column names and rows below it are needed")
    head = {column: grid.cells[line, column].text.strip() for line, column in sorted(grid.cells) if line == lines[0]}
    names = list(head.values())
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"{grid.name}: the column {twice[0]} is there twice")
    return {name: [_cell(grid, line, column) for line in lines[1:]] for column, name in head.items()}


def with_months(columns: Columns, period: str = PERIOD) -> Columns:
    """The columns with the months of `period` counted, year * 12 + month: 2024-05, 202405 and 2024年5月 are read; what
    is counted already stays. Raises InputError for what names no month."""
    return {**columns, period: [_month(one) for one in columns[period]]} if period in columns else columns


def with_treatment(columns: Columns, first: Mapping[str, int], unit: str = UNIT) -> Columns:
    """The columns with `treated` (1 for a region that the policy reached at any time) and `first_treated` (the period
    in which it did, 0: never). Raises InputError for a region of `first` that has no row: a typing error would else
    make it a control."""
    units = [as_label(one) for one in columns.get(unit, ())]
    if unknown := sorted(set(first) - set(units)):
        raise InputError(f"{', '.join(unknown)}: treated, but without a row in the sample")
    return {
        **columns,
        TREATED: [int(one in first) for one in units],
        FIRST_TREATED: [first.get(one, 0) for one in units],
    }


def _month(cell: Any) -> Any:
    text = as_label(cell)
    if cell is None or _COUNTED.fullmatch(text):
        return cell
    month, _ = read_period(text)
    if month.kind is not PeriodKind.MONTH:
        raise InputError(f"{text!r} names no month: write it as 2024-05")
    return month.place + 1


def _cell(grid: Grid, line: int, column: int) -> Any:
    cell = grid.cells.get((line, column))
    if cell is None or not cell.text.strip():
        return None
    if cell.number is not None:
        return cell.number
    text = cell.text.strip()
    try:
        number = Decimal(text)
    except ArithmeticError:
        return text
    # A code that begins with a zero is a name.
    return text if _WHOLE.fullmatch(text) and text.startswith("0") and text != "0" else number
