"""A guess at one table of a sheet: where regions, indicators, periods and units stand, and what says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from kaozheng.county.importing.label import Label
from kaozheng.county.importing.mapping import Layout, TableEntry, column_letters
from kaozheng.county.importing.sheet_shape import SheetShape
from kaozheng.county.importing.sheet_view import Said, SheetView
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.reason import Reason

_VALUE: Final = re.compile(r"(?:指标)?(?:数值|数据|数|值|value)", re.IGNORECASE)
_PERIOD: Final = re.compile(r".*(?:年|时间|时期|期|year|period|date).*", re.IGNORECASE)
_FEW: Final = 3
"""A sheet with fewer numbers and no table is a cover or a note."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that was chosen for a sheet ("region", "column A"), why, and whether it can be relied on."""

    sheet: str
    what: str
    chosen: str
    reason: Reason
    is_sure: bool = True


class TableGuess:
    """Guesses the table of one sheet; `choices` tells what it rests on."""

    def __init__(self, shape: SheetShape) -> None:
        self.shape = shape
        self.choices: list[Choice] = []
        self.view = SheetView(shape.grid, TableEntry(layout=Layout.REGIONS_YEARS, head=shape.head or (1,)))
        self.region, self.code = self._region_columns()
        self.indicator = self._column(shape.names_indicator, self.region, self.code)
        self.period = self._period_column()
        self.unit = self._column(shape.names_unit, self.region, self.code, self.indicator, self.period)
        named = {self.region, self.code, self.indicator, self.period, self.unit}
        first = min((column for column in named if column), default=0)
        self.columns = [column for column in shape.columns if column > first and column not in named]
        self.heads = [self.view.head(column) for column in self.columns] if shape.head else []

    def table(self, sheet: str) -> TableEntry | None:
        """The table as far as it can be made out, None when the sheet has none."""
        shape = self.shape
        if not shape.first_row:
            numbers = sum(cell.number is not None for cell in shape.grid.cells.values())
            self._choose("table", "", Reason("没有找到数据行", "no row of values was found"), numbers < _FEW)
            return None
        region, indicator, period = self._region_place(), self._indicator_place(), self._period_place()
        layout = self._layout(indicator, period)
        entry: dict[str, Any] = {"sheet": sheet, "layout": layout, "head": shape.head, "first_row": shape.first_row}
        entry |= {"region": region, "indicator": indicator, "period": period, "within": self._within()}
        entry |= {"unit": _column(self.unit), "region_code": _column(self.code)}
        if layout is Layout.LONG:
            value = self._value_column()
            if not value:
                return None
            entry["values"] = (column_letters(value),)
        rows = "、".join(map(str, shape.head)) or "-"
        said = Reason(
            f"表头第 {rows} 行，数据从第 {shape.first_row} 行起",
            f"head: row {rows}; values from row {shape.first_row} on",
        )
        self._choose("layout", layout, said)
        return TableEntry.model_validate(entry)

    def _choose(self, what: str, chosen: str, reason: Reason, is_sure: bool = True) -> str:
        self.choices.append(Choice(self.shape.grid.name, what, chosen, reason, is_sure))
        return chosen if is_sure else ""

    def _layout(self, indicator: str, period: str) -> Layout:
        if self.region and self.indicator and period != "head":
            return Layout.LONG
        if self.indicator:
            return Layout.INDICATORS_YEARS if period == "head" else Layout.INDICATORS_REGIONS
        return Layout.REGIONS_YEARS if period == "head" and indicator != "head" else Layout.REGIONS_INDICATORS

    # -- columns -------------------------------------------------------------------------------------------------

    def _column(self, test: Callable[[int, int], bool], *but: int) -> int:
        """The column where most rows pass a test, at least half of those that say something."""
        column = self.shape.best_column(test, self.shape.data, but)
        said = [row for row in self.shape.data if self.shape.text(row, column).strip()] if column else []
        return column if said and 2 * sum(test(row, column) for row in said) >= len(said) else 0

    def _region_columns(self) -> tuple[int, int]:
        """(the column of names, that of codes); a column of codes alone counts for names."""
        first = self._region_column()
        second = self._region_column(first) if first else 0
        if second and self._holds_codes(first):
            return second, first
        return first, second if second and self._holds_codes(second) else 0

    def _region_column(self, *but: int) -> int:
        column = self._column(self.shape.names_region, *but)
        return column if any(self.shape.names_county(row, column) for row in self.shape.data) else 0

    def _holds_codes(self, column: int) -> bool:
        texts = [text for row in self.shape.data if (text := self.shape.text(row, column).strip())]
        return bool(texts) and all(text[:1].isdecimal() for text in texts)

    def _period_column(self) -> int:
        column = self._column(self.shape.names_period, self.region, self.code, self.indicator)
        if column and self.shape.head and not _PERIOD.fullmatch(self.view.head(column).raw):
            return 0  # numbers that look like years
        return column

    def _value_column(self) -> int:
        columns = [column for column in self.columns if _VALUE.fullmatch(self.view.head(column).raw.strip())]
        if not columns:
            holds = self.shape.holds_value
            columns = [column for column in self.columns if any(holds(row, column) for row in self.shape.data)]
        if len(columns) == 1:
            letters = column_letters(columns[0])
            self._choose("values", letters, Reason(f"第 {letters} 列是数值", f"column {letters} holds the values"))
            return columns[0]
        self._choose("values", "", Reason("说不清哪一列是数值", "which column holds the values is not clear"), False)
        return 0

    # -- places --------------------------------------------------------------------------------------------------

    def _lines(self) -> tuple[tuple[str, Said], ...]:
        """What stands above the table."""
        return ("title", self.view.title), ("sheet", self.view.sheet)

    def _region_place(self) -> str:
        if self.region:
            letters = column_letters(self.region)
            said = Reason(f"第 {letters} 列写着县名", f"column {letters} names counties")
            return self._choose("region", f"column {letters}", said)
        head = [column for column in self.columns for row in self.shape.head if self.shape.names_county(row, column)]
        if head:
            return self._choose("region", "head", Reason("表头写着县名", "the head names counties"))
        for place, at in self._lines():
            if self.shape.regions.mentioned(at.raw, self.shape.year).region:
                return self._choose("region", place, Reason(f"“{at.raw}”", at.raw))
        return self._choose("region", "", Reason("没有找到县名", "no county is named"), False)

    def _indicator_place(self) -> str:
        if self.indicator:
            letters = column_letters(self.indicator)
            said = Reason(f"第 {letters} 列写着指标", f"column {letters} names indicators")
            return self._choose("indicator", f"column {letters}", said)
        named = [head for head in self.heads if self._is_known(head.label)]
        if named:
            count = f"{len(named)}/{len(self.heads)}"
            return self._choose(
                "indicator", "head", Reason(f"表头写着指标（{count} 列）", f"heads name them ({count})")
            )
        for _, at in self._lines():
            found = self.shape.names.mentioned(at.label)
            if isinstance(found, Indicator):
                return self._choose("indicator", found.key, Reason(f"“{at.raw}”", at.raw))
        return self._choose("indicator", "", Reason("没有找到认得的指标", "no indicator that is known is named"), False)

    def _is_known(self, label: Label) -> bool:
        return isinstance(self.shape.names.meant(label, units=label.units), Indicator)

    def _period_place(self) -> str:
        if self.period:
            letters = column_letters(self.period)
            said = Reason(f"第 {letters} 列写着时期", f"column {letters} names periods")
            return self._choose("period", f"column {letters}", said)
        if any(len(head.label.periods) == 1 for head in self.heads):
            return self._choose("period", "head", Reason("表头写着时期", "the head names periods"))
        for place, at in self._lines():
            if len(at.label.periods) == 1:
                return self._choose("period", place, Reason(f"“{at.raw}”", at.raw))
        return self._choose("period", "", Reason("没有找到年份或时期", "no year, quarter or month is named"), False)

    def _within(self) -> str:
        """The level above, asked for only where a name alone does not say which county is meant."""
        region, data = self.region, self.shape.data
        if not region or all(self._county(row) for row in data):
            return ""
        column = self._column(self._is_above, region, self.code)
        if 0 < column < region:
            letters = column_letters(column)
            said = Reason(f"第 {letters} 列写着市州", f"column {letters} names prefectures")
            return self._choose("within", f"column {letters}", said)
        if any(self._is_above(row, region) for row in data):
            said = Reason("市州各占一行，县在其下", "rows of prefectures, with their counties below")
            return self._choose("within", "rows", said)
        title = self.view.title.raw
        if self.shape.regions.above(title, self.shape.year):
            return self._choose("within", "title", Reason(f"“{title}”", title))
        return ""

    def _county(self, row: int) -> bool:
        return self.shape.regions.read(self.shape.text(row, self.region), self.shape.year).region is not None

    def _is_above(self, row: int, column: int) -> bool:
        return bool(self.shape.regions.above(self.shape.text(row, column), self.shape.year))


def _column(column: int) -> str:
    return f"column {column_letters(column)}" if column else ""
