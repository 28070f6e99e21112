"""Grids on their way out of the reading child, as plain JSON: the flat arrays of their cells in Base64."""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import astuple
from decimal import Decimal
from typing import Any, Final

from kaozheng.sources.grid import Area, Cells, Grid, GridCell

_ARRAYS: Final = ("numbers", "starts", "columns", "places")


def packed(grids: Iterable[Grid]) -> dict[str, Any]:
    """What `unpacked` takes, on the same machine."""
    return {"grids": [_packed(grid) for grid in grids]}


def unpacked(answer: dict[str, Any]) -> list[Grid]:
    """The grids that were packed."""
    return [
        Grid(
            told["name"],
            _cells(told),
            tuple(Area(*area) for area in told["merged"]),
            frozenset(told["hidden_rows"]),
            frozenset(told["hidden_columns"]),
            told["hidden"],
        )
        for told in answer["grids"]
    ]


def _packed(grid: Grid) -> dict[str, Any]:
    cells = grid.cells if isinstance(grid.cells, Cells) else Cells.of(grid.cells)
    return {
        "name": grid.name,
        "different": [_told(cell) for cell in cells.different],
        **{name: b64encode(getattr(cells, name)).decode() for name in _ARRAYS},
        "merged": [astuple(area) for area in grid.merged],
        "hidden_rows": sorted(grid.hidden_rows),
        "hidden_columns": sorted(grid.hidden_columns),
        "hidden": grid.hidden,
    }


def _cells(told: dict[str, Any]) -> Cells:
    cells = Cells()
    cells.different = [_cell(*one) for one in told["different"]]
    for name in _ARRAYS:
        setattr(cells, name, array("I", b64decode(told[name])))
    return cells


def _told(cell: GridCell) -> list[Any]:
    number = None if cell.number is None else str(cell.number)
    return [cell.text, number, cell.is_percent, cell.is_date, cell.formula]


def _cell(text: str, number: str | None, is_percent: bool | None, is_date: bool, formula: str) -> GridCell:
    return GridCell(text, None if number is None else Decimal(number), is_percent, is_date, formula)
