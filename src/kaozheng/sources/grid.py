"""A sheet as a grid of cells with their places: what importing of tables reads. Rows and columns count from 1."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Protocol, TypeVar

T = TypeVar("T")


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
    """Cells by (row, column), row by row from left to right.

    Each different cell is kept once, in `different`. `places` says which of them stands at the next place; the places
    of the row `numbers[n]` are those from `starts[n]` to `starts[n + 1]`, in `columns`. Four flat arrays, because an
    entry for each of millions of cells takes twenty times the memory.
    """

    __slots__ = ("columns", "different", "numbers", "places", "starts")

    def __init__(self, rows: Iterable[tuple[int, Iterable[tuple[int, GridCell]]]] = ()) -> None:
        """`rows` are (number, [(column, cell)]), both ascending. Cells that are one object are kept once."""
        self.different: list[GridCell] = []
        self.numbers, self.columns, self.places = array("I"), array("I"), array("I")
        self.starts = array("I", [0])
        known: dict[int, int] = {}
        for number, row in rows:
            for column, cell in row:
                place = known.setdefault(id(cell), len(self.different))
                if place == len(self.different):
                    self.different.append(cell)
                self.columns.append(column)
                self.places.append(place)
            self.numbers.append(number)
            self.starts.append(len(self.columns))

    @classmethod
    def of(cls, cells: Mapping[tuple[int, int], GridCell]) -> Cells:
        """The cells of any mapping, in order."""
        rows = groupby(sorted(cells), key=itemgetter(0))
        return cls((number, [(column, cells[number, column]) for _, column in row]) for number, row in rows)

    def row(self, number: int) -> dict[int, GridCell]:
        """The cells of one row by column; none where the row is empty."""
        at = bisect_left(self.numbers, number)
        if at == len(self.numbers) or self.numbers[at] != number:
            return {}
        where = slice(self.starts[at], self.starts[at + 1])
        return {
            column: self.different[place] for column, place in zip(self.columns[where], self.places[where], strict=True)
        }

    def get(self, place: tuple[int, int], default: T | None = None) -> GridCell | T | None:  # type: ignore[override]
        """The cell there, or `default`."""
        number, column = place
        at = bisect_left(self.numbers, number)
        if at < len(self.numbers) and self.numbers[at] == number:
            last = self.starts[at + 1]
            found = bisect_left(self.columns, column, self.starts[at], last)
            if found < last and self.columns[found] == column:
                return self.different[self.places[found]]
        return default

    def __getitem__(self, place: tuple[int, int]) -> GridCell:
        cell = self.get(place)
        if cell is None:
            raise KeyError(place)
        return cell

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for at, number in enumerate(self.numbers):
            for column in self.columns[self.starts[at] : self.starts[at + 1]]:
                yield number, column

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return f"<{len(self)} cells>"  # asyncio.run writes out the result of its task, which took half a minute


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
