"""Tables that a test wrote down."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from kaozheng.errors import SourceError
from kaozheng.sources.grid import Cells, Grid, GridCell, Workbook

Written = str | int | float | Decimal | GridCell | None
"""A cell as a test writes it: a text, a number that shows as it stands, or the whole cell; None for nothing."""


class MemoryGrids:
    """A GridReader over a mapping from paths to workbooks, which may change between two reads."""

    def __init__(self, books: Mapping[str, Workbook]) -> None:
        self.books = books

    async def workbook(self, path: Path) -> Workbook:
        """See GridReader.workbook."""
        found = self.books.get(path.as_posix())
        if found is None:
            raise SourceError(f"{path}: no such file or folder")
        if not any(grid.cells for grid in found.grids):
            raise SourceError(f"{path}: empty: it holds no cell with anything in it")
        return found


def workbook_of(sheets: Mapping[str, Sequence[Sequence[Written]]], path: str = "table.xlsx") -> Workbook:
    """A workbook of sheets by name, each a list of rows from A1 on; its hash is that of what is written."""
    digest = hashlib.sha256(repr([path, dict(sheets)]).encode()).hexdigest()
    return Workbook(path, digest, [grid_of(rows, name) for name, rows in sheets.items()])


def grid_of(rows: Sequence[Sequence[Written]], name: str = "Sheet1") -> Grid:
    """A sheet of rows from A1 on. What is merged or hidden is put in by `dataclasses.replace`."""
    cells = {
        (number, column): _cell(written)
        for number, row in enumerate(rows, 1)
        for column, written in enumerate(row, 1)
        if written is not None and written != ""
    }
    return Grid(name, Cells.of(cells))


def _cell(written: Written) -> GridCell:
    if isinstance(written, GridCell):
        return written
    return GridCell(written) if isinstance(written, str) else GridCell(str(written), Decimal(str(written)))
