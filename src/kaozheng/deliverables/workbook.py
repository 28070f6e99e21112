"""Tables as an XLSX: numbers are numbers with formats, texts are texts whatever they look like (decision 0067)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from kaozheng.deliverables.sheet_names import sheet_names
from kaozheng.deliverables.table import Column, Kind, Table, Value
from kaozheng.errors import InputError
from kaozheng.indicators.reason import Reason

SYNTHETIC: Final = Reason(
    "示范数据：由程序生成，不是真实数据，不得引用", "Demonstration data: made by a program, not real, not to be quoted"
)
_NO_TABLE: Final = Reason("没有可导出的表", "There is no table to write")
_SOURCE, _CALIBRE, _UNIT = Reason("来源", "Source"), Reason("口径", "Calibre"), Reason("单位", "Unit")
_MOST_ROWS: Final = 1_048_576 - 100
_MOST_COLUMNS: Final = 16_384
_MOST_CHARS: Final = 32_767
_MADE: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - the same tables are the same bytes
_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")
_NARROWEST, _WIDEST = 8, 40
_MEASURED = 200


def workbook(tables: Sequence[Table], language: str = "zh") -> bytes:
    """An XLSX with a sheet for each table: its title, its heads (which stay when one scrolls), its rows, and under them
    source, calibre, units and notes. The same tables give the same bytes.

    Raises InputError for what a sheet cannot hold: no table, too many rows, a text of more than 32,767 characters.
    """
    import xlsxwriter

    if not tables:
        raise InputError(_NO_TABLE.said(language))
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True, "nan_inf_to_errors": False}) as book:
        book.set_properties({"created": _MADE})
        looks = _Looks(book)
        for table, name in zip(tables, sheet_names(table.title for table in tables), strict=True):
            _write(_Page(book.add_worksheet(name), looks, table.title), table, language)
    return file.getvalue()


class _Looks:
    """The formats of a book, each made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._made: dict[str, Any] = {}

    def of(self, name: str, **properties: object) -> Any:
        if name not in self._made:
            self._made[name] = self._book.add_format(properties)
        return self._made[name]

    def number(self, kind: Kind, decimals: int) -> Any:
        code = "0" if kind is Kind.YEAR else "#,##0" + ("." + "0" * decimals if decimals else "")
        return self.of(code, num_format=code)


class _Page:
    """A sheet to be written on; rows and columns count from 0, as XlsxWriter counts."""

    def __init__(self, sheet: Any, looks: _Looks, title: str) -> None:
        self.sheet = sheet
        self.looks = looks
        self._title = title

    def text(self, row: int, column: int, text: str, look: Any = None) -> None:
        """A text, never a formula: also when somebody edits the cell, which is what the quote prefix sees to."""
        if len(text.encode("utf-16-le")) // 2 > _MOST_CHARS:
            raise InputError(f"{self._title}: row {row + 1}: a text of more than {_MOST_CHARS:,} characters")
        if look is None and text.startswith(_FORMULA_SIGNS):
            look = self.looks.of("quoted", quote_prefix=True)
        self.sheet.write_string(row, column, text, look)

    def number(self, row: int, at: int, value: Decimal | int, column: Column) -> None:
        """A number with the decimals of its column, or its own."""
        decimals = _decimals(value) if column.decimals is None else column.decimals
        self.sheet.write_number(row, at, float(value), self.looks.number(column.kind, decimals))


def _write(page: _Page, table: Table, language: str) -> None:
    if len(table.rows) > _MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        raise InputError(f"{table.title}: more than {_MOST_ROWS:,} rows or {_MOST_COLUMNS:,} columns; choose fewer")
    page.text(0, 0, table.title, page.looks.of("title", bold=True, font_size=14))
    if table.synthetic:
        page.text(1, 0, SYNTHETIC.said(language), page.looks.of("synthetic", bold=True, font_color="#C00000"))
    head_row = 2
    head = page.looks.of("head", bold=True, bottom=1, text_wrap=True, valign="top")
    for at, column in enumerate(table.columns):
        page.text(head_row, at, _head(column, language), head)
        page.sheet.set_column(at, at, _width(table, at, _head(column, language)))
    page.sheet.freeze_panes(head_row + 1, 0)
    for row, values in enumerate(table.rows, head_row + 1):
        for at, (value, column) in enumerate(zip(values, table.columns, strict=True)):
            _write_value(page, row, at, value, column)
    last = head_row + len(table.rows)
    if table.rows:
        page.sheet.ignore_errors({"number_stored_as_text": (head_row + 1, 0, last, len(table.columns) - 1)})
    small = page.looks.of("note", font_color="#595959")
    for row, line in enumerate(_lines_under(table, language), last + 2):
        page.text(row, 0, line, small)


def _write_value(page: _Page, row: int, at: int, value: Value, column: Column) -> None:
    if value is None:
        return
    if isinstance(value, str) or column.kind is Kind.TEXT:
        page.text(row, at, str(value))
    else:
        page.number(row, at, value, column)


def _head(column: Column, language: str) -> str:
    if not column.unit:
        return column.head
    return f"{column.head}（{column.unit}）" if language == "zh" else f"{column.head} ({column.unit})"


def _lines_under(table: Table, language: str) -> list[str]:
    """Source, calibre and units, those that are known, then the notes."""
    colon, comma = ("：", "、") if language == "zh" else (": ", ", ")
    units = comma.join(dict.fromkeys(column.unit for column in table.columns if column.unit))
    told = [(_SOURCE, table.source), (_CALIBRE, table.calibre), (_UNIT, units)]
    return [f"{what.said(language)}{colon}{words}" for what, words in told if words] + list(table.notes)


def _decimals(value: Decimal | int) -> int:
    if isinstance(value, int):
        return 0
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _width(table: Table, at: int, head: str) -> int:
    """In characters, wide ones counted twice."""
    from rich.cells import cell_len

    texts = [head, *(str(row[at]) for row in table.rows[:_MEASURED] if row[at] is not None)]
    return min(max(max(map(cell_len, texts)) + 2, _NARROWEST), _WIDEST)
