"""Which region, indicator, period and unit a cell is of; what cannot be known is said and never guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Literal

from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.indicator_names import IndicatorNames
from kaozheng.county.importing.mapping import ColumnEntry, Place, column_number, place_of
from kaozheng.county.importing.region_names import RegionNames, RegionRead
from kaozheng.county.importing.sheet_view import Said, SheetView
from kaozheng.indicators.indicator import Indicator, PeriodType
from kaozheng.indicators.period import Period
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.region import Region

_BASE: Final = re.compile(r"[比较]\s*(?:19|20)\d\d")
"""比2023年增长 says of what period the base is, not the value."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be told of a place: a fault that leaves cells out, or what a reader should know."""

    code: Code
    at: Said
    reason: Reason


@dataclass(frozen=True, slots=True)
class Coordinates:
    """Of what a cell is. `is_index_based` says that its head speaks of growth and of 上年=100 at once."""

    region: Region
    indicator: Indicator
    period: Period
    remarks: tuple[Remark, ...] = ()
    is_index_based: bool = False


@dataclass(frozen=True, slots=True)
class _Meant:
    """An indicator, and whether it is written as a part (其中) of what stands before it."""

    indicator: Indicator
    at: Said
    is_part: bool


@dataclass(frozen=True, slots=True)
class _When:
    """A period, whether it counts from the start of the year, and where that is written."""

    period: Period
    is_cumulative: bool
    at: Said


class CoordinateReader:
    """Reads the coordinates of the cells of one table, row by row from above."""

    def __init__(self, view: SheetView, names: IndicatorNames, regions: RegionNames, usual_year: int) -> None:
        self._view, self._names, self._regions, self._usual_year = view, names, regions, usual_year
        self._columns: Mapping[int, ColumnEntry] = {
            column_number(letters): entry for letters, entry in view.table.columns.items()
        }
        self._whole = ""
        self._section = ""

    def enter_row(self, row: int) -> None:
        """Remember what the rows below depend on: the prefecture they belong to, what 其中 is a part of."""
        place = self._view.table.place("indicator")
        if place.kind == "column":
            label = self._view.said(place, row, 0).label
            self._whole = self._whole if label.is_part else label.name or self._whole
        place = self._view.table.place("region")
        if place.kind == "column" and self._view.table.within == "rows":
            self._section = self._regions.above(self._view.said(place, row, 0).raw, self._usual_year) or self._section

    def of(self, row: int, column: int) -> Coordinates | tuple[Remark, ...]:
        """What a cell is of, or all that keeps it from being known."""
        when, meant = self._when(row, column), self._meant(row, column)
        year = self._usual_year if isinstance(when, Remark) else when.period.year
        region = self._region(row, column, year)
        if isinstance(when, Remark) or isinstance(meant, Remark) or isinstance(region, Remark):
            return tuple(one for one in (when, meant, region) if isinstance(one, Remark))
        if clash := _clash(meant.indicator, when):
            return (clash,)
        head = self._view.head(column)
        remarks = (*region[1], *self._part(meant), *_marked(meant.at), *_marked(when.at), *_marked(head))
        return Coordinates(region[0], meant.indicator, when.period, remarks, head.label.is_index_based)

    def _part(self, meant: _Meant) -> tuple[Remark, ...]:
        if not meant.is_part:
            return ()
        whole = self._whole or "前一项"
        return (Remark(Code.PART_ROW, meant.at, Reason(f"是“{whole}”的其中项", f"a part of {whole}")),)

    def _said(self, coordinate: Literal["region", "indicator", "period"], row: int, column: int) -> tuple[Place, Said]:
        entry = self._columns.get(column)
        own = getattr(entry, coordinate) if entry else ""
        place = place_of(own) if own else self._view.table.place(coordinate)
        return place, self._view.said(place, row, column)

    # -- period --------------------------------------------------------------------------------------------------

    def _when(self, row: int, column: int) -> _When | Remark:
        """What the head says comes before title and constants: 2024年主要指标 may have a column 上年. A column of
        growth is of the period beside it."""
        place, said = self._said("period", row, column)
        entry = self._columns.get(column)
        if place.kind in ("column", "row") or (entry and entry.period):
            return _one_period(said)
        head = self._view.head(column)
        if head.label.periods:
            return _one_period(head)
        around = _one_period(said if place.kind != "head" else self._view.title)
        if isinstance(around, Remark):
            around = around if place.kind != "head" else _one_period(self._view.sheet)
        if head.label.years_ago is not None and not isinstance(around, Remark):
            period = around.period.shifted(-head.label.years_ago * around.period.kind.in_a_year)
            return _When(period, around.is_cumulative, head)
        if place.kind != "head":
            return around
        return self._beside(column) if head.label.grows else _one_period(head)

    def _beside(self, column: int) -> _When | Remark:
        """The last period of the columns that stand together left of one of growth: 2024 and 2023, or 2023 and 2024."""
        heads = (self._view.head(left) for left in range(column - 1, 0, -1))
        levels = list(takewhile(lambda head: head.label.periods and not head.label.grows, heads))
        return _one_period(max(levels, key=lambda head: head.label.periods, default=self._view.head(column)))

    # -- indicator -----------------------------------------------------------------------------------------------

    def _meant(self, row: int, column: int) -> _Meant | Remark:
        place, said = self._said("indicator", row, column)
        label = said.label
        head = self._view.head(column).label
        entry = self._columns.get(column)
        grows = head.grows and place.kind != "head" and not (entry and entry.indicator)
        if place.kind in ("title", "sheet"):
            found = self._names.mentioned(label, grows)
        else:
            whole = self._whole if label.is_part else ""
            found = self._names.meant(label, grows, whole, (*head.units, *label.units))
        if isinstance(found, Reason):
            return Remark(Code.UNKNOWN_INDICATOR, said, found)
        if place.kind != "head" and self._view.table.place("period").kind == "head" and not (entry and entry.indicator):
            return self._qualified(found, column) or _Meant(found, said, label.is_part)
        return _Meant(found, said, label.is_part)

    def _qualified(self, indicator: Indicator, column: int) -> Remark | None:
        """What a head of a period says besides, when it is another thing than the values: 2024年预计, 2024年占比."""
        head = self._view.head(column)
        more = head.label.level
        if not more or not (head.label.periods or head.label.grows):
            return None
        if self._names.meant(head.label, head.label.grows) == indicator:
            return None
        said = Reason(f"表头还写着“{more}”，是不是“{indicator.name}”说不清", f"the head also says {more}")
        return Remark(Code.UNKNOWN_INDICATOR, head, said)

    # -- region --------------------------------------------------------------------------------------------------

    def _region(self, row: int, column: int, year: int) -> tuple[Region, tuple[Remark, ...]] | Remark:
        place, said = self._said("region", row, column)
        if place.kind in ("title", "sheet"):
            reads = [(self._regions.mentioned(said.raw, year), said)]
        else:
            reads = [(self._regions.read(said.raw, year, self._within(row, column, year)), said)]
        if self._view.table.region_code:
            second = self._view.said(place_of(self._view.table.region_code), row, column)
            reads += [(self._regions.read(second.raw, year), second)] if second.raw.strip() else []
        region = _agreed(reads)
        if isinstance(region, Remark):
            return region
        remarks = [
            Remark(read.code, at, read.reason) for read, at in reads if read.region and read.code and read.reason
        ]
        remarks += _marked(said)
        if reads[0][0].is_part:
            remarks.append(Remark(Code.PART_ROW, said, Reason("是上一行的其中项", "a part of the row above")))
        return region, tuple(remarks)

    def _within(self, row: int, column: int, year: int) -> str:
        table = self._view.table
        if not table.within or table.within == "rows":
            return self._section
        said = self._view.said(place_of(table.within), row, column)
        return self._regions.above(said.raw, year) or said.raw.strip()


def _marked(at: Said) -> tuple[Remark, ...]:
    """That a name or head has the mark of a note."""
    if not at.label.marks or not at.cell:
        return ()
    mark = at.label.marks
    return (Remark(Code.FOOTNOTE, at, Reason(f"带注释标记“{mark}”", f"has the mark {mark} of a note")),)


def _one_period(said: Said) -> _When | Remark:
    periods = said.label.periods
    if len(periods) == 1 and not _BASE.search(said.raw):
        return _When(*periods[0], said)
    name = " ".join(said.raw.split()) or "（空白）"
    if periods:
        return Remark(Code.UNKNOWN_PERIOD, said, Reason(f"“{name}”不止一个时期", f"{name} names several periods"))
    return Remark(
        Code.UNKNOWN_PERIOD, said, Reason(f"“{name}”不是年、季或月", f"{name} names no year, quarter or month")
    )


def _clash(indicator: Indicator, when: _When) -> Remark | None:
    """累计 against 当期: 1-6月 is no value of an indicator that is kept by single periods, 6月 none of a cumulative one
    (2024-06 and 2024Q2 only number the period)."""
    text = when.at.raw
    if when.period.quarter == 1 or when.period.month == 1 or (not when.period.quarter and not when.period.month):
        return None
    numbered = "月" not in text and "季" not in text
    if when.is_cumulative == (indicator.period_type is PeriodType.CUMULATIVE) or (numbered and not when.is_cumulative):
        return None
    if indicator.period_type is PeriodType.END:
        return None
    kind = PeriodType.CUMULATIVE if when.is_cumulative else PeriodType.SINGLE
    said = Reason(
        f"“{text.strip()}”是{kind}值，指标“{indicator.name}”是{indicator.period_type}值",
        f"{text.strip()} is {kind}, {indicator.name} is {indicator.period_type}",
    )
    return Remark(Code.UNKNOWN_PERIOD, when.at, said)


def _agreed(reads: Sequence[tuple[RegionRead, Said]]) -> Region | Remark:
    """The one region that a name, and a code where there is one, can both mean."""
    for read, at in reads:
        if not read.candidates:
            return Remark(read.code or Code.UNKNOWN_REGION, at, read.reason or Reason("地区不明", "no region"))
    common = set.intersection(*({one.code for one in read.candidates} for read, _ in reads))
    if len(common) == 1:
        return next(one for read, _ in reads for one in read.candidates if one.code in common)
    first, at = reads[0]
    if common:
        return Remark(
            first.code or Code.AMBIGUOUS_REGION, at, first.reason or Reason("不止一个地区", "several regions")
        )
    names = [" / ".join(f"{one.name}（{one.code}）" for one in read.candidates) for read, _ in reads]
    said = Reason(f"名称是 {names[0]}，代码是 {names[1]}", f"the name is {names[0]}, the code {names[1]}")
    return Remark(Code.AMBIGUOUS_REGION, at, said)
