"""XLS, the binary workbook of before 2007, as grids, by xlrd (decision 0067)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.number_codes import BUILT_IN
from kaozheng.providers.readers.number_formats import number_cell
from kaozheng.sources.grid import Area, Cells, Grid, GridCell

_FIRST_OWN_FORMAT: Final = 164
_TEXT, _NUMBER, _DATE, _TRUTH, _ERROR = range(1, 6)


def grids(data: bytes, caps: Caps) -> list[Grid]:
    """See conversion.grids. What a formula says is not in what xlrd gives, only its last value: one that was never
    computed is an empty cell."""
    import xlrd
    from xlrd.compdoc import CompDocError

    silent = io.StringIO()  # whatever it has to say of a damaged file is no output of ours
    try:
        book = xlrd.open_workbook(
            file_contents=data, formatting_info=True, ragged_rows=True, on_demand=True, logfile=silent
        )
        return list(_grids(book, caps))
    except (xlrd.XLRDError, CompDocError, AssertionError) as error:
        if "encrypted" in str(error):
            raise SourceError("protected by a password: save a copy without one") from error
        raise SourceError("damaged or no .xls file") from error


def _grids(book: Any, caps: Caps) -> Iterator[Grid]:
    left = caps.cells
    for at in range(book.nsheets):
        sheet = book.sheet_by_index(at)
        cells = Cells(_rows(book, sheet, caps, left))
        left -= len(cells)
        yield Grid(
            sheet.name,
            cells,
            tuple(Area(top + 1, first + 1, bottom, last) for top, bottom, first, last in sheet.merged_cells),
            frozenset(number + 1 for number, row in sheet.rowinfo_map.items() if _is_hidden(row)),
            frozenset(number + 1 for number, column in sheet.colinfo_map.items() if column.hidden or not column.width),
            bool(sheet.visibility),
        )
        book.unload_sheet(at)


def _is_hidden(row: Any) -> bool:
    return bool(row.hidden) or (not row.height and not row.has_default_height)


def _rows(book: Any, sheet: Any, caps: Caps, left: int) -> Iterator[tuple[int, list[tuple[int, GridCell]]]]:
    known: dict[tuple[int, object, int], GridCell] = {}
    codes: dict[int, str] = {}
    for number in range(sheet.nrows):
        row = []
        stored = zip(sheet.row_types(number), sheet.row_values(number), strict=True)
        for column, (kind, value) in enumerate(stored):
            if (kind == _TEXT and value.strip()) or kind in (_NUMBER, _DATE, _TRUTH, _ERROR):
                style = sheet.cell_xf_index(number, column) if kind in (_NUMBER, _DATE) else 0
                if style not in codes:
                    codes[style] = _code(book, style)
                key = kind, value, style
                if key not in known:
                    known[key] = _cell(kind, value, codes[style], bool(book.datemode))
                row.append((column + 1, known[key]))
        left -= len(row)
        if left < 0:
            raise SourceError(f"more than {caps.cells:,} cells")
        if row:
            yield number + 1, row


def _cell(kind: int, value: Any, code: str, from_1904: bool) -> GridCell:
    from xlrd.biffh import error_text_from_code

    if kind in (_NUMBER, _DATE):
        return number_cell(repr(value).removesuffix(".0"), code, from_1904)
    if kind == _TRUTH:
        return GridCell("TRUE" if value else "FALSE")
    return GridCell(error_text_from_code.get(value, "#ERROR") if kind == _ERROR else value)


def _code(book: Any, style: int) -> str:
    """The format of a style. What xlrd calls the formats without a code of their own is American."""
    key = book.xf_list[style].format_key
    if key < _FIRST_OWN_FORMAT and (key in BUILT_IN or key == 0):
        return BUILT_IN.get(key, "General")
    found = book.format_map.get(key)
    return found.format_str if found else "General"
