"""A grid as its table is meant: merged names count for all their cells, values never do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from kaozheng.county.importing.label import Label, read_label
from kaozheng.county.importing.mapping import Place, TableEntry, column_number, place_of
from kaozheng.sources.grid import Area, Grid, GridCell


@dataclass(frozen=True, slots=True)
class Said:
    """What a place says of a cell, and where that is written: `Sheet1!A7`, `Sheet1` for its name, "" for a constant."""

    label: Label
    cell: str
    raw: str


@dataclass(frozen=True)
class SheetView:
    """One table of one sheet."""

    grid: Grid
    table: TableEntry

    @cached_property
    def last_row(self) -> int:
        """The last row of the table."""
        last = max((row for row, _ in self.grid.cells), default=0)
        return min(last, self.table.last_row or last)

    @cached_property
    def label_columns(self) -> frozenset[int]:
        """The columns that name things."""
        table = self.table
        places = [table.place("region"), table.place("indicator"), table.place("period")]
        places += [place_of(text) for text in (table.region_code, table.within, table.unit) if text]
        return frozenset(place.at for place in places if place.kind == "column")

    @cached_property
    def value_columns(self) -> tuple[int, ...]:
        """The columns that hold values: those named, else all right of the first that names things."""
        if self.table.values:
            return tuple(map(column_number, self.table.values))
        skipped = {column_number(letters) for letters in self.table.skip_columns} | self.label_columns
        first = min(self.label_columns, default=0)
        rows = range(min(self.table.head, default=1), self.last_row + 1)
        there = {column for row, column in self.grid.cells if row in rows and column > first}
        return tuple(sorted(there - skipped))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """All columns of the table, those that name things among them."""
        return tuple(sorted(self.label_columns | set(self.value_columns)))

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The rows that may hold values."""
        skipped = {*self.table.skip_rows, *self.table.head}
        there = {row for row, _ in self.grid.cells if self.table.starts <= row <= self.last_row}
        return tuple(sorted(there - skipped))

    @cached_property
    def _areas(self) -> dict[tuple[int, int], Area]:
        return {
            (row, column): area
            for area in self.grid.merged
            for row in range(area.top, min(area.bottom, self.last_row) + 1)
            for column in range(area.left, area.right + 1)
        }

    def area(self, row: int, column: int) -> Area | None:
        """The merged cells that a cell belongs to."""
        return self._areas.get((row, column))

    def named(self, row: int, column: int) -> tuple[str, str]:
        """The text that stands for a cell, and its address: that of the merged cells it belongs to."""
        if area := self.area(row, column):
            row, column = area.top, area.left
        cell = self.grid.cells.get((row, column))
        return (_text_of(cell) if cell else ""), self.grid.address(row, column)

    def head(self, column: int) -> Said:
        """The head of a column, its rows joined."""
        return self._heads(column)

    @cached_property
    def _known_heads(self) -> dict[int, Said]:
        return {}

    def _heads(self, column: int) -> Said:
        if column not in self._known_heads:
            parts = [(text, at) for row in self.table.head for text, at in [self.named(row, column)] if text.strip()]
            kept = [one for place, one in enumerate(parts) if place == 0 or one != parts[place - 1]]
            at = kept[-1][1] if kept else self.grid.address(max(self.table.head, default=1), column)
            raw = " ".join(text for text, _ in kept)
            self._known_heads[column] = Said(read_label(*(text for text, _ in kept)), at, raw)
        return self._known_heads[column]

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        above = min(self.table.head, default=self.table.starts)
        return [(row, column) for row, column in sorted(self.grid.cells) if row < above]

    @cached_property
    def unit_line(self) -> Said | None:
        """The first line above the head that says units."""
        said = (self.said(Place("row", row), row, column) for row, column in self._lines)
        return next((one for one in said if one.label.units), None)

    @cached_property
    def title(self) -> Said:
        """All lines above the head."""
        lines = self._lines
        texts = [self.grid.cells[place].text for place in lines]
        at = self.grid.address(*lines[0]) if lines else self.grid.name
        return Said(read_label(*texts), at, " ".join(" ".join(text.split()) for text in texts))

    @cached_property
    def sheet(self) -> Said:
        """The sheet's name."""
        return Said(read_label(self.grid.name), self.grid.name, self.grid.name)

    def said(self, place: Place, row: int, column: int) -> Said:
        """What a place says of a cell."""
        if place.kind == "head":
            return self.head(column)
        if place.kind == "title":
            return self.title
        if place.kind == "sheet":
            return self.sheet
        if place.kind == "constant":
            return Said(read_label(place.text), "", place.text)
        text, at = self.named(row, place.at) if place.kind == "column" else self.named(place.at, column)
        return Said(read_label(text), at, text)

    def values_of(self, row: int) -> Iterator[tuple[int, GridCell]]:
        """The cells of a row that may be values, by column."""
        for column in self.value_columns:
            if cell := self.grid.cells.get((row, column)):
                yield column, cell


def _text_of(cell: GridCell) -> str:
    """A whole number that names something (511083.0, 2,024) as its digits."""
    if cell.number is not None and not cell.is_date and cell.number == cell.number.to_integral_value():
        return f"{cell.number:.0f}"
    return cell.text
