"""How a sheet is laid out: which rows are its head, which columns name regions, indicators and periods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kaozheng.county.importing.cell_value import CellValue, read_cell
from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.footnotes import is_note
from kaozheng.county.importing.indicator_names import IndicatorNames
from kaozheng.county.importing.label import Label, read_label
from kaozheng.county.importing.mapping import Layout, TableEntry
from kaozheng.county.importing.region_names import RegionNames
from kaozheng.county.importing.sheet_view import SheetView
from kaozheng.county.importing.unit_labels import unit_label, units_said
from kaozheng.indicators.indicator import Indicator
from kaozheng.sources.grid import Grid

_JUDGED_ROWS: Final = 400
_JUDGED_COLUMNS: Final = 60
_LABEL_COLUMNS: Final = 8
"""Names stand in the first columns."""
_DIGIT: Final = re.compile(r"\d")
_NAMES_A_REGION: Final = (None, Code.RENAMED_REGION, Code.ALIAS_REGION, Code.AMBIGUOUS_REGION, Code.NOT_A_COUNTY)


@dataclass(frozen=True)
class SheetShape:
    """One sheet, looked at as far as its first rows and columns."""

    grid: Grid
    names: IndicatorNames
    regions: RegionNames
    year: int

    @cached_property
    def view(self) -> SheetView:
        """The sheet without a head: cells by row and column, merged names unfolded."""
        return SheetView(self.grid, TableEntry(layout=Layout.REGIONS_YEARS, head=()))

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The rows that say something."""
        return tuple(sorted({row for row, _ in self.grid.cells}))[:_JUDGED_ROWS]

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The columns that say something."""
        return tuple(sorted({column for _, column in self.grid.cells}))[:_JUDGED_COLUMNS]

    def text(self, row: int, column: int) -> str:
        """What stands in a cell or in the merged cells that it belongs to."""
        return self.view.named(row, column)[0]

    def label(self, row: int, column: int) -> Label:
        """The text of a cell as a label."""
        return read_label(self.text(row, column))

    def names_region(self, row: int, column: int) -> bool:
        """Whether a cell names a region, one of several, or a total."""
        text = self.text(row, column)
        read = self.regions.read(text, self.year) if text.strip() else None
        return read is not None and read.code in _NAMES_A_REGION

    def names_county(self, row: int, column: int) -> bool:
        """Whether a cell names a county by its name."""
        text = self.text(row, column)
        read = self.regions.read(text, self.year) if text.strip() else None
        return read is not None and (read.region is not None or read.code is Code.AMBIGUOUS_REGION)

    def names_indicator(self, row: int, column: int) -> bool:
        """Whether a cell names an indicator."""
        label = self.label(row, column)
        return isinstance(self.names.meant(label, units=label.units), Indicator)

    def names_period(self, row: int, column: int) -> bool:
        """Whether a cell is a period and nothing else."""
        label = self.label(row, column)
        return len(label.periods) == 1 and not label.name

    def names_unit(self, row: int, column: int) -> bool:
        """Whether a cell is a unit and nothing else."""
        return bool(unit_label(self.text(row, column)))

    def holds_value(self, row: int, column: int) -> bool:
        """Whether a cell is a number or a mark for none."""
        cell = self.grid.cells.get((row, column))
        if cell is None or not (cell.text.strip() or cell.number is not None or cell.formula):
            return False
        return cell.number is not None or bool(cell.formula) or isinstance(read_cell(cell), CellValue)

    def best_column(self, test: Callable[[int, int], bool], rows: Iterable[int], but: Iterable[int] = ()) -> int:
        """The column of the first ones where most of these rows pass a test, 0 when none does."""
        rows = tuple(rows)
        among = [column for column in self.columns[:_LABEL_COLUMNS] if column not in set(but)]
        counts = Counter({column: sum(test(row, column) for row in rows) for column in among})
        best = max(among, key=lambda column: (counts[column], -column), default=0)
        return best if counts[best] else 0

    @cached_property
    def first_row(self) -> int:
        """The first row of values: it names something and holds a value behind that; 0 when there is none."""
        return next((row for row in self.rows if self._is_data(row)), 0)

    def _is_data(self, row: int) -> bool:
        named = [column for column in self.columns[:_LABEL_COLUMNS] if self._names_row(row, column)]
        behind = [column for column in self.columns if named and column > named[0] and column not in named]
        if any(self.names_county(row, column) for column in named):  # 约120亿元 is no value, but no head either
            return any(_DIGIT.search(self.text(row, column)) or self.holds_value(row, column) for column in behind)
        values = [column for column in behind if self.holds_value(row, column)]
        periods = [column for column in values if self.names_period(row, column)]
        return bool(values) and (len(periods) < len(values) or len(periods) == 1)

    def _names_row(self, row: int, column: int) -> bool:
        return self.names_region(row, column) or self.names_indicator(row, column)

    @cached_property
    def head(self) -> tuple[int, ...]:
        """The rows of the head: those above the values that say more than one thing."""
        head: list[int] = []
        for row in reversed([row for row in self.rows if row < self.first_row]):
            if not self._is_head(row):
                break
            head.insert(0, row)
        return tuple(head)

    def _is_head(self, row: int) -> bool:
        cells = [self.view.named(row, column) for column in self.columns]
        said = {(text, at) for text, at in cells if text.strip()}
        return len(said) > 1 and not any(units_said(text) for text, _ in said)

    @cached_property
    def data(self) -> tuple[int, ...]:
        """The rows of values."""
        return tuple(
            row for row in self.rows if row >= self.first_row > 0 and not is_note(self.text(row, self.columns[0]))
        )
