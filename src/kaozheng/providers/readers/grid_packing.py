"""Grids on their way out of the reading child: JSON in which each different cell stands once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from decimal import Decimal
from typing import Any

from kaozheng.sources.grid import Area, Cells, Grid, GridCell


def packed(grids: Iterable[Grid]) -> dict[str, Any]:
    """What `unpacked` takes: the different cells, and of each grid its rows as [row, column, cell, column, cell …]."""
    places: dict[int, int] = {}  # by identity: readers make equal cells one, and comparing millions takes long
    cells: list[GridCell] = []
    sheets = []
    for grid in grids:
        rows = []
        for number, row in Cells.of(grid.cells).rows.items():
            flat = [number]
            for column, cell in row.items():
                place = places.setdefault(id(cell), len(cells))
                if place == len(cells):
                    cells.append(cell)
                flat += column, place
            rows.append(flat)
        sheets.append(
            {
                "name": grid.name,
                "rows": rows,
                "merged": [astuple(area) for area in grid.merged],
                "hidden_rows": sorted(grid.hidden_rows),
                "hidden_columns": sorted(grid.hidden_columns),
                "hidden": grid.hidden,
            }
        )
    return {"cells": [_told(cell) for cell in cells], "sheets": sheets}


def unpacked(answer: dict[str, Any]) -> list[Grid]:
    """The grids that were packed."""
    cells = [_cell(*told) for told in answer["cells"]]
    return [
        Grid(
            sheet["name"],
            Cells(dict(_row(row, cells) for row in sheet["rows"])),
            tuple(Area(*area) for area in sheet["merged"]),
            frozenset(sheet["hidden_rows"]),
            frozenset(sheet["hidden_columns"]),
            sheet["hidden"],
        )
        for sheet in answer["sheets"]
    ]


def _row(flat: list[int], cells: list[GridCell]) -> tuple[int, dict[int, GridCell]]:
    return flat[0], dict(zip(flat[1::2], map(cells.__getitem__, flat[2::2]), strict=True))


def _told(cell: GridCell) -> list[Any]:
    number = None if cell.number is None else str(cell.number)
    return [cell.text, number, cell.is_percent, cell.is_date, cell.formula]


def _cell(text: str, number: str | None, is_percent: bool | None, is_date: bool, formula: str) -> GridCell:
    return GridCell(text, None if number is None else Decimal(number), is_percent, is_date, formula)
