"""A sheet as a grid of cells with their places: what importing of tables reads. Rows and columns count from 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell that says something. `text` is what it shows, `number` what is stored when it holds a number (of a cell
    that shows 12.3% it is 0.123), `is_percent` and `is_date` are said by its format, None where the file can't tell."""

    text: str
    number: Decimal | None = None
    is_percent: bool | None = False
    is_date: bool = False
    formula: str = ""
    """A formula that was never computed, so that there is no value; "=" where its words stand in another cell."""


class Cells(Mapping[tuple[int, int], GridCell]):
    """Cells by (row, column), row by row from left to right. Kept by rows, because a place of its own for each of
    millions of cells takes three times the memory."""

    __slots__ = ("_count", "rows")

    def __init__(self, rows: Mapping[int, Mapping[int, GridCell]]) -> None:
        self.rows = {number: rows[number] for number in sorted(rows)}
        self._count = sum(map(len, self.rows.values()))

    @classmethod
    def of(cls, cells: Mapping[tuple[int, int], GridCell]) -> Cells:
        """Any mapping, by rows."""
        if isinstance(cells, cls):
            return cells
        rows: dict[int, dict[int, GridCell]] = {}
        for (number, column), cell in cells.items():
            rows.setdefault(number, {})[column] = cell
        return cls(rows)

    def __getitem__(self, place: tuple[int, int]) -> GridCell:
        return self.rows[place[0]][place[1]]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((number, column) for number, row in self.rows.items() for column in sorted(row))

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Cells({self.rows!r})"


@dataclass(frozen=True, slots=True)
class Area:
    """Merged cells, from `top`, `left` to `bottom`, `right`, all in it."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Grid:
    """One sheet as it is: merged cells are not unfolded, hidden rows and columns are there and named."""

    name: str
    cells: Mapping[tuple[int, int], GridCell]
    merged: tuple[Area, ...] = ()
    hidden_rows: frozenset[int] = field(default=frozenset())
    hidden_columns: frozenset[int] = field(default=frozenset())
    hidden: bool = False
    """The sheet itself."""

    def address(self, row: int, column: int) -> str:
        """`Sheet1!B7`."""
        letters = ""
        while column:
            column, rest = divmod(column - 1, 26)
            letters = chr(65 + rest) + letters
        return f"{self.name}!{letters}{row}"


@dataclass(frozen=True, slots=True)
class Workbook:
    """All sheets of a file, with the hash of its bytes."""

    path: str
    sha256: str
    grids: Sequence[Grid]


class GridReader(Protocol):
    """Reads XLSX, XLS and CSV."""

    async def workbook(self, path: Path) -> Workbook:
        """The sheets of a file. Raises SourceError for what is no table or is too large, MissingExtraError for an XLS
        whose reader is not installed."""
