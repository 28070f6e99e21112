"""What one cell says as a value: a number with its written digits, a mark for none, or a fault."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.footnotes import without_marks
from kaozheng.county.importing.unit_labels import unit_label
from kaozheng.documents.units import CURRENCY_SIGNS, SCALES
from kaozheng.evidence.folding import narrow
from kaozheng.indicators.observation import Missing, missing_mark
from kaozheng.indicators.reason import Reason
from kaozheng.sources.grid import GridCell

_GROUPS: Final = r"\d{1,3}(?:,\d{3})+|\d{1,3}(?:，\d{3})+|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+"
_FIGURE: Final = rf"(?:{_GROUPS}|\d+)(?:\.\d+)?(?:[eE][-+]?\d{{1,2}})?"
_NUMBER: Final = re.compile(
    rf"(?P<money>US\$|[¥$€£])?\s*(?P<sign>[-+])?\s*(?P<figure>{_FIGURE})\s*(?P<unit>.*)", re.DOTALL
)
_BRACKETED: Final = re.compile(rf"[(（]\s*(?P<figure>{_FIGURE})\s*[)）]")
_DATE: Final = re.compile(r"(?:\d{4}[-/.年])?\d{1,2}[-/月]\d{1,2}日?|\d{1,2}[-/][A-Z][a-z]{2}|[A-Z][a-z]{2}[-/]\d{2}")


@dataclass(frozen=True, slots=True)
class CellValue:
    """`value` as it is meant in `unit` ("" where the cell names none), or the reason for none; `notes` are what is told
    besides."""

    value: Decimal | None
    unit: str = ""
    missing: Missing | None = None
    notes: tuple[tuple[Code, Reason], ...] = ()


@dataclass(frozen=True, slots=True)
class CellFault:
    """Why a cell cannot be imported."""

    code: Code
    reason: Reason


def read_cell(
    cell: GridCell | None, marks: Mapping[str, Missing] | None = None, negative_brackets: bool = False
) -> CellValue | CellFault:
    """What a cell says. `marks` are signs that mean something else than usual, `negative_brackets` takes (12.3) for
    -12.3."""
    if cell is None or (cell.number is None and not cell.formula and not cell.text.strip()):
        return _missing("", (marks or {}).get("", Missing.NO_DATA))
    if cell.formula and cell.number is None:
        said = Reason("公式没有计算结果", "a formula that was never computed")
        return CellFault(Code.NO_VALUE_FORMULA, said)
    if cell.is_date:
        said = Reason("单元格是日期，不是数值", "the cell is a date, not a value")
        return CellFault(Code.DATE_CELL, said)
    text, mark = without_marks(cell.text)
    notes: tuple[tuple[Code, Reason], ...] = ()
    if mark:
        notes = ((Code.FOOTNOTE, Reason(f"去掉了注释标记“{mark}”", f"the mark {mark} of a note was taken off")),)
    reason = (marks or {}).get("".join(cell.text.split())) or (marks or {}).get("".join(text.split()))
    if cell.number is None and (reason := reason or missing_mark(cell.text) or missing_mark(text)):
        return _missing(text, reason, notes)
    if cell.number is not None and cell.is_percent is not None:
        return _stored(cell.number, text, bool(cell.is_percent), notes)
    return _written(text, negative_brackets, notes) or _unreadable(cell, text)


def _missing(text: str, reason: Missing, notes: tuple[tuple[Code, Reason], ...] = ()) -> CellValue:
    shown = f"“{text.strip()}”" if text.strip() else "空白"
    mark = text.strip() or "a blank"
    said = Reason(f"{shown}：{reason.meaning.zh}", f"{mark}: {reason.meaning.en}")
    return CellValue(None, "", reason, (*notes, (Code.MISSING_MARK, said)))


def _stored(number: Decimal, text: str, is_percent: bool, notes: tuple[tuple[Code, Reason], ...]) -> CellValue:
    """The stored number wins over the one that is shown, which only tells how many digits it has."""
    value = number.scaleb(2) if is_percent else number
    shown = _written(text, False, ())
    unit = "%" if is_percent else (shown.unit if shown else "")
    if shown and shown.value == value:
        value = shown.value
    elif shown and shown.value is not None:
        said = Reason(f"显示 {text}，实际存储 {value:f}，按存储值", f"shows {text}, stores {value:f}, which counts")
        notes = (*notes, (Code.ROUNDED_DISPLAY, said))
    if is_percent:
        said = Reason(f"百分比格式：存储 {number:f}，即 {value:f}%", f"stored as {number:f}: {value:f} %")
        notes = (*notes, (Code.PERCENT_FORMAT, said))
    return CellValue(value, unit, None, notes)


def _written(text: str, negative_brackets: bool, notes: tuple[tuple[Code, Reason], ...]) -> CellValue | None:
    """The number that a text is, None when it is more or less than one number with its unit."""
    plain = narrow(text.strip().lstrip("'")).replace("−", "-")
    if found := _BRACKETED.fullmatch(plain):
        return CellValue(-_decimal(found["figure"]), "", None, notes) if negative_brackets else None
    found = _NUMBER.fullmatch(plain)
    if found is None:
        return None
    unit = unit_label(found["unit"])
    if found["unit"].strip() and not unit:
        return None
    if found["money"]:
        sign = CURRENCY_SIGNS[found["money"]]
        unit = f"{unit}{sign}" if not unit or not unit.endswith("元") else unit
    value = _decimal(found["figure"])
    return CellValue(-value if found["sign"] == "-" else value, unit, None, notes)


def _decimal(figure: str) -> Decimal:
    return Decimal(re.sub(r"[,，\s]", "", figure))


def _unreadable(cell: GridCell, text: str) -> CellFault:
    found = _NUMBER.fullmatch(narrow(text.strip()))
    if found and found["unit"].strip() in SCALES:
        said = Reason(f"“{text}”没有写明单位（{found['unit']}什么）", f"{text!r} does not say of what")
        return CellFault(Code.UNKNOWN_UNIT, said)
    if _DATE.fullmatch(narrow(text.strip())):
        return CellFault(Code.DATE_CELL, Reason(f"“{text}”是日期，不是数值", f"{text!r} is a date, not a value"))
    return CellFault(Code.UNREADABLE, Reason(f"“{cell.text}”不是一个数值", f"{cell.text!r} is not one number"))
