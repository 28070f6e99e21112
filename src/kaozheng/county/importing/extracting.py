"""From the sheets of a file to rows: every cell becomes a row, or is refused with its address and the reason."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Final

from kaozheng.county.catalogue import Catalogue
from kaozheng.county.importing.cell_value import CellFault, CellValue, read_cell
from kaozheng.county.importing.coordinates import CoordinateReader, Coordinates, Remark
from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.footnotes import is_note
from kaozheng.county.importing.indicator_names import IndicatorNames
from kaozheng.county.importing.mapping import Mapping, TableEntry, column_letters, place_of
from kaozheng.county.importing.plan import Findings, Plan
from kaozheng.county.importing.region_names import RegionNames
from kaozheng.county.importing.settling import Draft, settle
from kaozheng.county.importing.sheet_view import SheetView
from kaozheng.county.importing.units import choose_unit
from kaozheng.county.regions.gazetteer import Gazetteer
from kaozheng.errors import InputError
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.reason import Reason
from kaozheng.sources.grid import Grid, GridCell, Workbook

_REMARKS: Final = re.compile(r"备注|说明|序号|编号|注|页码")
_HIDDEN: Final = {
    "sheet": Reason("工作表被隐藏", "the sheet is hidden"),
    "row": Reason("该行被隐藏", "the row is hidden"),
    "column": Reason("该列被隐藏", "the column is hidden"),
}


def extract(workbook: Workbook, mapping: Mapping, gazetteer: Gazetteer, catalogue: Catalogue) -> Plan:
    """The rows that a file holds by its mapping. Raises InputError for a sheet that it does not have."""
    names = IndicatorNames(mapping, catalogue)
    findings = Findings()
    drafts: list[Draft] = []
    read: set[str] = set()
    notes: list[str] = []
    for table in mapping.tables:
        regions = RegionNames(gazetteer, table.above_counties == "read")
        for grid in _grids(workbook, table):
            if grid.hidden and table.hidden == "refuse":
                continue
            read.add(grid.name)
            view = SheetView(grid, table)
            coordinates = CoordinateReader(view, names, regions, _year_of(mapping))
            reader = _TableReader(view, coordinates, findings, mapping.source.vintage, PurePath(workbook.path).name)
            drafts += reader.drafts()
            notes += reader.notes
    for grid in workbook.grids:
        if grid.hidden and grid.name not in read and any(cell.number is not None for cell in grid.cells.values()):
            findings.refuse(Code.HIDDEN, grid.address(*min(grid.cells)), grid.name, _HIDDEN["sheet"])
    observations, indicators = settle(drafts, findings)
    unread = tuple(grid.name for grid in workbook.grids if grid.name not in read and grid.cells and not grid.hidden)
    source = mapping.table_source(PurePath(workbook.path).name, workbook.sha256)
    refused = len(findings.refused())
    return Plan(source, indicators, observations, findings.all(), refused, unread, tuple(notes))


def _year_of(mapping: Mapping) -> int:
    """The year in which names are read where a cell's own is not known."""
    return int(mapping.source.vintage[:4])


def _grids(workbook: Workbook, table: TableEntry) -> Iterable[Grid]:
    visible = [grid for grid in workbook.grids if not grid.hidden]
    if table.sheet == "*":
        return visible
    if not table.sheet:
        if len(visible) > 1:
            sheets = ", ".join(grid.name for grid in visible)
            raise InputError(f'{workbook.path} has the sheets {sheets}: the table must name its own (sheet = "…")')
        return visible
    found = [grid for grid in workbook.grids if grid.name == table.sheet]
    if not found:
        names = [grid.name for grid in workbook.grids]
        near = difflib.get_close_matches(table.sheet, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names)}"
        raise InputError(f"{workbook.path} has no sheet {table.sheet!r} ({hint})")
    return found


@dataclass
class _TableReader:
    """Reads one table of one sheet."""

    view: SheetView
    coordinates: CoordinateReader
    findings: Findings
    vintage: str
    file: str

    def __post_init__(self) -> None:
        self.notes: list[str] = []
        self._table = f"{self.view.grid.name} {self.view.table.starts}"

    def drafts(self) -> Iterator[Draft]:
        """The rows of the table, in its order."""
        heads = [self._texts(row) for row in self.view.table.head]
        for row in self.view.rows:
            texts = self._texts(row)
            if texts in heads:  # the head again, on a further page
                continue
            first = next(iter(texts.values()), "")
            if is_note(first) and not any(cell.number is not None for _, cell in self.view.values_of(row)):
                self.notes.append(" ".join(texts.values()))
                continue
            self.coordinates.enter_row(row)
            for column in self._columns:
                if not self._is_hidden(row, column):
                    yield from self._draft(row, column)

    @cached_property
    def _columns(self) -> list[int]:
        return [column for column in self.view.value_columns if not _REMARKS.fullmatch(self._head_name(column))]

    def _head_name(self, column: int) -> str:
        return "".join(self.view.head(column).raw.split())

    def _texts(self, row: int) -> dict[int, str]:
        cells = ((column, self.view.grid.cells.get((row, column))) for column in self.view.columns)
        return {column: " ".join(cell.text.split()) for column, cell in cells if cell and cell.text.strip()}

    def _is_hidden(self, row: int, column: int) -> bool:
        """Whether a cell is out of sight and the mapping does not read it; told once a row or column."""
        grid = self.view.grid
        if self.view.table.hidden == "read" or not (row in grid.hidden_rows or column in grid.hidden_columns):
            return False
        if cell := grid.cells.get((row, column)):
            if row in grid.hidden_rows:
                at = grid.address(row, next(iter(self._texts(row)), column))
                raw = " ".join(self._texts(row).values())
                self.findings.refuse(Code.HIDDEN, at, raw, _HIDDEN["row"], grid.address(row, column))
            else:
                head = self.view.head(column)
                self.findings.refuse(
                    Code.HIDDEN, head.cell, head.raw or cell.text, _HIDDEN["column"], grid.address(row, column)
                )
        return True

    def _draft(self, row: int, column: int) -> Iterator[Draft]:
        cell, at = self.view.grid.cells.get((row, column)), self.view.grid.address(row, column)
        area = self.view.area(row, column)
        if area and (row, column) != (area.top, area.left):
            return
        coordinates = self.coordinates.of(row, column)
        if not isinstance(coordinates, Coordinates):
            if cell and (cell.text.strip() or cell.formula):
                for fault in coordinates:
                    self._refuse(fault, at, cell.text)
            return
        if area and cell:
            said = Reason(
                "数值写在合并单元格里，说不清属于哪一格", "a value in merged cells: of which one, nobody can say"
            )
            self.findings.refuse(Code.UNREADABLE, at, cell.text, said)
            return
        read = self._read(cell, at)
        if read is not None:
            yield from self._row(coordinates, read, cell or GridCell(""), (row, column))

    def _refuse(self, fault: Remark, at: str, raw: str) -> None:
        self.findings.refuse(fault.code, fault.at.cell or at, fault.at.raw or raw, fault.reason, at)

    def _read(self, cell: GridCell | None, at: str) -> CellValue | None:
        table = self.view.table
        read = read_cell(cell, table.missing, table.brackets == "negative")
        if isinstance(read, CellFault):
            self.findings.refuse(read.code, at, cell.text if cell else "", read.reason)
            return None
        return read

    def _row(self, of: Coordinates, read: CellValue, cell: GridCell, place: tuple[int, int]) -> Iterator[Draft]:
        at = self.view.grid.address(*place)
        unit = self._unit(of, read, cell, place)
        if unit is None:
            return
        for code, reason in read.notes:
            self.findings.note(code, at, cell.text, reason)
        for remark in of.remarks:
            self.findings.note(remark.code, remark.at.cell or at, remark.at.raw, remark.reason)
        observation = Observation(
            of.region,
            of.indicator.key,
            of.period,
            cell.text.strip(),
            read.value,
            unit,
            f"{self.file}!{at}",
            self.vintage,
            read.missing,
        )
        sure = bool(read.unit) or self.view.table.percent == "as_written"
        yield Draft(observation, of.indicator, at, self._table, cell.is_percent, sure, of.is_index_based)

    def _unit(self, of: Coordinates, read: CellValue, cell: GridCell, place: tuple[int, int]) -> str | None:
        """The unit of a value; of none it is the indicator's."""
        if read.value is None:
            return of.indicator.unit
        row, column = place
        at = self.view.grid.address(row, column)
        said, where = self._units_said(read, row, column)
        if not said and self.view.table.unit == "indicator":
            return of.indicator.unit
        if not said:
            none = Reason(f"没有写明单位（“{of.indicator.name}”按 {of.indicator.unit} 计）", "no unit is said")
            self.findings.refuse(Code.UNKNOWN_UNIT, where or at, cell.text, none, at)
            return None
        unit = choose_unit(said, of.indicator)
        if isinstance(unit, str):
            return unit
        self.findings.refuse(unit[0], where or at, "、".join(said), unit[1], at)
        return None

    def _units_said(self, read: CellValue, row: int, column: int) -> tuple[tuple[str, ...], str]:
        """What is said nearest to a value, and where: in its cell, its column of units, its head, its row's name, the
        table's constant, the title."""
        view, table = self.view, self.view.table
        if read.unit:
            return (read.unit,), view.grid.address(row, column)
        entry = table.columns.get(column_letters(column))
        if entry and entry.unit:
            return (entry.unit,), ""
        place = place_of(table.unit) if table.unit and table.unit != "indicator" else None
        if place and place.kind in ("column", "row"):
            said = view.said(place, row, column)
            return said.label.units or ((said.raw.strip(),) if said.raw.strip() else ()), said.cell
        places = [table.place("indicator"), table.place("region")]
        named = [view.said(one, row, column) for one in places if one.kind in ("column", "row")]
        for said in (view.head(column), *named):
            if said.label.units:
                return said.label.units, said.cell
        if place and place.kind == "constant":
            return (place.text,), ""
        return (view.unit_line.label.units, view.unit_line.cell) if view.unit_line else ((), "")
