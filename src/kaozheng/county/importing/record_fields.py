"""One cell of a record as the value of its field, or why it cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

from kaozheng.county.importing.cell_value import CellFault, CellValue, read_cell
from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.plan import Findings
from kaozheng.county.importing.record_columns import Column, Reads
from kaozheng.county.importing.record_rows import RecordCell
from kaozheng.county.importing.region_names import RegionNames
from kaozheng.county.regions.gazetteer import Gazetteer
from kaozheng.documents.document_numbers import document_numbers
from kaozheng.evidence.folding import narrow
from kaozheng.indicators.observation import converted
from kaozheng.indicators.reason import Reason
from kaozheng.sources.grid import GridCell

_AMOUNTS_IN: Final = "万元"
_DATE: Final = re.compile(r"(\d{4})\D{1,2}(\d{1,2})\D{1,2}(\d{1,2})(?:日|\D.*)?")
_YEAR: Final = re.compile(r"((?:19|20)\d\d)(?:\.0)?年?度?")
_CLAUSE: Final = re.compile(r"第?\s*(\d{1,3})\s*[条.、:：]\s*(.+)", re.DOTALL)
_TRUTH: Final = {
    **dict.fromkeys(("是", "规上", "规模以上", "true", "yes", "y", "1", "√"), True),
    **dict.fromkeys(("否", "规下", "规模以下", "false", "no", "n", "0", "×"), False),
}


@dataclass(frozen=True, slots=True)
class FieldFault:
    """Why a cell cannot be read."""

    code: Code
    reason: Reason


class FieldReader:
    """Reads the cells of records; regions are named as in `year`."""

    def __init__(self, gazetteer: Gazetteer, year: int, findings: Findings) -> None:
        self._regions, self._year, self._findings = RegionNames(gazetteer, above_counties=True), year, findings
        self._by: dict[Reads, Callable[[RecordCell], Any]] = {
            Reads.TEXT: lambda cell: cell.text,
            Reads.REGION: self._region,
            Reads.YEAR: _year,
            Reads.AMOUNT: _amount,
            Reads.NUMBER: _number,
            Reads.FLAG: _flag,
            Reads.DATE: _date,
            Reads.DOCUMENT_NUMBER: _document_number,
            Reads.COUNT: _count,
            Reads.CLAUSES: _clauses,
            Reads.TERMS: _terms,
        }

    def read(self, column: Column, cell: RecordCell) -> Any | FieldFault:
        """The value of a field."""
        return self._by[column.reads](cell)

    def _region(self, cell: RecordCell) -> str | FieldFault:
        read = self._regions.read(cell.text, self._year)
        if read.region is None:
            return FieldFault(read.code or Code.UNKNOWN_REGION, read.reason or Reason("地区不明", "no region"))
        if read.code and read.reason:
            self._findings.note(read.code, cell.at, cell.text, read.reason)
        return read.region.code


def _unreadable(cell: RecordCell, zh: str, en: str) -> FieldFault:
    return FieldFault(Code.UNREADABLE, Reason(f"“{cell.text}”不是{zh}", f"{cell.text!r} is no {en}"))


def _year(cell: RecordCell) -> int | FieldFault:
    found = _YEAR.fullmatch("".join(narrow(cell.text).split()))
    return int(found[1]) if found else _unreadable(cell, "年份", "year")


def _count(cell: RecordCell) -> int | FieldFault:
    plain = narrow(cell.text).removesuffix(".0").removesuffix("条").strip()
    return int(plain) if plain.isascii() and plain.isdecimal() else _unreadable(cell, "个数", "count")


def _value(cell: RecordCell) -> CellValue | FieldFault:
    read = read_cell(cell.cell or GridCell(cell.text))
    return FieldFault(read.code, read.reason) if isinstance(read, CellFault) else read


def _number(cell: RecordCell) -> Decimal | FieldFault | None:
    read = _value(cell)
    return read if isinstance(read, FieldFault) else read.value


def _amount(cell: RecordCell) -> Decimal | FieldFault | None:
    """In 万元: the unit stands in the cell or in its head."""
    read = _value(cell)
    if isinstance(read, FieldFault) or read.value is None:
        return read if isinstance(read, FieldFault) else None
    unit = read.unit or cell.unit
    if not unit:
        return FieldFault(Code.UNKNOWN_UNIT, Reason("金额没有写明单位", "an amount without a unit"))
    amount = converted(read.value, unit, _AMOUNTS_IN)
    if amount is None:
        return FieldFault(Code.WRONG_UNIT, Reason(f"“{unit}”不是金额单位", f"{unit} is no unit of money"))
    return amount


def _flag(cell: RecordCell) -> bool | FieldFault:
    found = _TRUTH.get(narrow(cell.text).strip().casefold())
    return _unreadable(cell, "“是”或“否”", "yes or no") if found is None else found


def _date(cell: RecordCell) -> date | FieldFault:
    found = _DATE.fullmatch(narrow(cell.text).strip())
    try:
        return date(*map(int, found.groups())) if found else _unreadable(cell, "日期", "date")
    except ValueError:
        return _unreadable(cell, "日期", "date")


def _document_number(cell: RecordCell) -> str | FieldFault:
    """Its one written form."""
    found = document_numbers(cell.text)
    if len(found) == 1 and found[0].agency and not found[0].start and found[0].end == len(cell.text):
        return found[0].form
    return _unreadable(cell, "一个文号", "one document number")


def _clauses(cell: RecordCell) -> tuple[tuple[int, str], ...] | FieldFault:
    """第8条 …, or in YAML a list of texts or of maps with `number` and `text`."""
    entries = cell.inner if isinstance(cell.inner, list) else [cell.text]
    clauses = []
    for place, entry in enumerate(entries, 1):
        if isinstance(entry, dict):
            number, text = str(entry.get("number", place)), str(entry.get("text", ""))
        else:
            found = _CLAUSE.fullmatch(str(entry).strip())
            number, text = (found[1], found[2]) if found else (str(place), str(entry))
        if not number.isdecimal() or not text.strip():
            return _unreadable(cell, "条款", "clause")
        clauses.append((int(number), text.strip()))
    return tuple(clauses)


def _terms(cell: RecordCell) -> tuple[tuple[str, str], ...] | FieldFault:
    """词=去处；…, or a map in YAML."""
    if isinstance(cell.inner, dict):
        return tuple((str(word), str(target)) for word, target in cell.inner.items())
    pairs = [part.partition("=") for part in re.split("[;；\n]", narrow(cell.text)) if part.strip()]
    if not pairs or not all(word.strip() and target.strip() for word, _, target in pairs):
        return _unreadable(cell, "“词=去处”的列表", "list of word=target")
    return tuple((word.strip(), target.strip()) for word, _, target in pairs)
