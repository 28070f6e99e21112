"""Sheets as grids: what is stored and what is shown, merged areas and what is hidden, in XLSX and in XLS."""

import contextlib
import datetime
import io
import zipfile
from decimal import Decimal

import openpyxl
import pytest
import xlwt
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.errors import SourceError
from kaozheng.providers.readers.conversion import grids
from kaozheng.providers.readers.grid_packing import packed, unpacked
from kaozheng.providers.readers.number_formats import stored_number
from kaozheng.sources.grid import Area, Cells, Grid, GridCell

FORMATS = [
    (0.123, "0.0%", GridCell("12.3%", Decimal("0.123"), True)),
    (12.3, '0.0"%"', GridCell("12.3%", Decimal("12.3"))),
    (1186.6, "0", GridCell("1187", Decimal("1186.6"))),
    (123456, '0.0,"千元"', GridCell("123.5千元", Decimal(123456))),
    (511083, "General", GridCell("511083", Decimal(511083))),
    (2023, '0"年"', GridCell("2023年", Decimal(2023))),
    (-0.5, "0.0%;(0.0%)", GridCell("(50.0%)", Decimal("-0.5"), True)),
    (0, '0;-0;""', GridCell("", Decimal(0))),
    (45047, "yyyy-mm-dd", GridCell("2023-05-01", Decimal(45047), is_date=True)),
    (45047, 14, GridCell("2023/5/1", Decimal(45047), is_date=True)),
    (0.1 + 0.2, "General", GridCell("0.3", Decimal("0.3"))),
]


def xlsx(fill):
    book = openpyxl.Workbook()
    fill(book)
    file = io.BytesIO()
    book.save(file)
    return grids(".xlsx", file.getvalue())


def xls(fill):
    book = xlwt.Workbook()
    fill(book)
    file = io.BytesIO()
    book.save(file)
    return grids(".xls", file.getvalue())


def with_sheet(xml):
    """An XLSX whose only sheet has these elements."""

    def part(name, old):
        if name != "xl/worksheets/sheet1.xml":
            return old
        space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        return f'<worksheet xmlns="{space}">{xml}</worksheet>'.encode()

    plain, out = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, part(name, old.read(name)))
    return out.getvalue()


@pytest.mark.parametrize(("value", "code", "cell"), FORMATS)
def test_an_xlsx_cell_has_what_is_stored_and_what_is_shown(value, code, cell):
    def fill(book):
        book.active["B2"] = value
        book.active["B2"].number_format = "mm-dd-yy" if code == 14 else code

    (grid,) = xlsx(fill)
    assert dict(grid.cells) == {(2, 2): cell}


@pytest.mark.parametrize(("value", "code", "cell"), FORMATS)
def test_an_xls_cell_has_what_is_stored_and_what_is_shown(value, code, cell):
    def fill(book):
        style = xlwt.easyxf(num_format_str="M/D/YY" if code == 14 else code)
        book.add_sheet("S").write(1, 1, value, style)

    (grid,) = xls(fill)
    assert dict(grid.cells) == {(2, 2): cell}


def test_a_number_that_is_kept_as_text_has_no_number():
    (grid,) = xlsx(lambda book: book.active.append(["511083", "12.3%"]))
    assert list(grid.cells.values()) == [GridCell("511083"), GridCell("12.3%")]
    (grid,) = xls(lambda book: book.add_sheet("S").write(0, 0, "511083"))
    assert list(grid.cells.values()) == [GridCell("511083")]


def test_an_error_is_shown_and_is_no_number():
    def fill(book):
        sheet = book.add_sheet("S")
        for column, error in enumerate(["#DIV/0!", "#N/A!", "#REF!"]):
            sheet.row(0).set_cell_error(column, error)

    cells = [GridCell("#DIV/0!"), GridCell("#N/A"), GridCell("#REF!")]
    assert list(xls(fill)[0].cells.values()) == cells
    (grid,) = xlsx(lambda book: book.active.append(["#DIV/0!", "#N/A", "#REF!"]))
    assert list(grid.cells.values()) == cells


def test_a_formula_that_was_never_computed_is_named():
    (grid,) = xlsx(lambda book: book.active.append([1, "=A1*2"]))
    assert grid.cells[1, 2] == GridCell("=A1*2", formula="A1*2")


def test_a_computed_formula_is_its_value_and_an_empty_one_is_nothing():
    xml = (
        '<sheetData><row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>IF(1,"")</f><v></v></c>'
        '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1"><f t="shared" si="0"/></c></row></sheetData>'
    )
    (grid,) = grids(".xlsx", with_sheet(xml))
    assert dict(grid.cells) == {
        (1, 1): GridCell("2", Decimal(2)),
        (1, 3): GridCell("#DIV/0!"),
        (1, 4): GridCell("", formula="="),
    }


def test_a_date_written_as_text_of_its_own_kind_is_a_date():
    (grid,) = grids(".xlsx", with_sheet('<sheetData><row><c t="d"><v>2023-05-01</v></c></row></sheetData>'))
    assert grid.cells[1, 1] == GridCell("2023-05-01", is_date=True)


def test_merged_cells_are_areas_and_their_text_stands_once():
    def new(book):
        book.active["A1"] = "地区生产总值"
        book.active.merge_cells("A1:C2")

    def old(book):
        book.add_sheet("S").write_merge(0, 1, 0, 2, "地区生产总值")

    for made in (xlsx(new), xls(old)):
        assert made[0].merged == (Area(1, 1, 2, 3),)
        assert list(made[0].cells) == [(1, 1)]


def test_hidden_rows_columns_and_sheets_are_there_and_named():
    def new(book):
        book.active.append(["a", "b"])
        book.active.row_dimensions[1].hidden = True
        book.active.column_dimensions["B"].hidden = True
        book.create_sheet("H").append(["c"])
        book["H"].sheet_state = "veryHidden"

    def old(book):
        sheet = book.add_sheet("Sheet")
        sheet.write(0, 0, "a")
        sheet.write(0, 1, "b")
        sheet.row(0).hidden = True
        sheet.col(1).hidden = True
        hidden = book.add_sheet("H")
        hidden.write(0, 0, "c")
        hidden.visibility = 2

    for made in (xlsx(new), xls(old)):
        shown, hidden = made
        assert (shown.hidden_rows, shown.hidden_columns, shown.hidden) == ({1}, {2}, False)
        assert [cell.text for cell in shown.cells.values()] == ["a", "b"]
        assert (hidden.hidden, [cell.text for cell in hidden.cells.values()]) == (True, ["c"])


def test_a_row_or_column_of_no_height_or_width_is_hidden():
    xml = (
        '<cols><col min="2" max="16384" width="0"/></cols>'
        '<sheetData><row r="1" ht="0"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row></sheetData>'
    )
    (grid,) = grids(".xlsx", with_sheet(xml))
    assert grid.hidden_rows == {1}
    assert grid.hidden_columns == set(range(2, 16_385))


def test_all_of_many_hidden_rows_are_named():
    rows = "".join(f'<row r="{number}" hidden="1"/>' for number in range(1, 300_001))
    (grid,) = grids(".xlsx", with_sheet(f'<sheetData>{rows}<row r="300001"><c><v>1</v></c></row></sheetData>'))
    assert len(grid.hidden_rows) == 300_000


def test_more_merged_areas_than_may_be_are_refused_as_a_whole():
    areas = "".join(f'<mergeCell ref="A{number}:B{number}"/>' for number in range(1, 100_002))
    xml = f"<sheetData><row><c><v>1</v></c></row></sheetData><mergeCells>{areas}</mergeCells>"
    with pytest.raises(SourceError, match="more than 100,000 merged areas"):
        grids(".xlsx", with_sheet(xml))


@pytest.fixture(scope="module")
def whole():
    book = xlwt.Workbook()
    sheet = book.add_sheet("S")
    for row in range(40):
        sheet.write(row, 0, f"县{row}")
        sheet.write(row, 1, row / 7)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@given(data=st.data())
def test_an_xls_with_any_wrong_bytes_is_read_or_refused(whole, data):
    changed = bytearray(whole)
    for at in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=6)):
        changed[at] = data.draw(st.integers(0, 255))
    with contextlib.suppress(SourceError):
        assert grids(".xls", bytes(changed))


def test_dates_count_from_1904_where_the_book_says_so():
    def new(book):
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        book.active["A1"] = datetime.date(2023, 5, 1)

    def old(book):
        book.dates_1904 = True
        book.add_sheet("S").write(0, 0, datetime.date(2023, 5, 1), xlwt.easyxf(num_format_str="yyyy-mm-dd"))

    assert [made[0].cells[1, 1].text for made in (xlsx(new), xls(old))] == ["2023-05-01"] * 2


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**8), max_value=10**8))
def test_a_stored_double_is_the_number_that_was_typed(number):
    assert stored_number(f"{float(number):.17g}") == number
    assert stored_number(repr(float(number))) == number


@pytest.mark.parametrize("text", ["", "abc", "NaN", "Infinity", "1E+999999", "1E-999999"])
def test_what_no_double_holds_is_no_number(text):
    assert stored_number(text) is None


def test_a_number_with_a_power_is_written_out():
    assert str(stored_number("1.5E7")) == "15000000"


TEXTS = st.text(min_size=1, max_size=5)
CELLS = st.builds(
    GridCell, TEXTS, st.none() | st.decimals(allow_nan=False, allow_infinity=False), st.none() | st.booleans()
)
PLACES = st.tuples(st.integers(1, 1_048_576), st.integers(1, 16_384))
GRIDS = st.builds(
    Grid,
    TEXTS,
    st.dictionaries(PLACES, CELLS).map(Cells.of),
    st.tuples(st.builds(Area, *[st.integers(1, 9)] * 4)),
    st.frozensets(st.integers(1, 9)),
    st.frozensets(st.integers(1, 9)),
    st.booleans(),
)


@given(st.lists(GRIDS, max_size=3))
def test_grids_come_out_of_the_child_as_they_went_in(made):
    assert unpacked(packed(made)) == made


@given(st.dictionaries(PLACES, CELLS))
def test_cells_are_a_mapping_in_order(written):
    cells = Cells.of(written)
    assert dict(cells) == written
    assert list(cells) == sorted(written)
    assert len(cells) == len(written)
    for number in {row for row, _ in written}:
        assert cells.row(number) == {column: cell for (row, column), cell in written.items() if row == number}


@given(st.dictionaries(PLACES, CELLS, min_size=1), PLACES)
def test_a_place_without_a_cell_has_none(written, place):
    cells = Cells.of(written)
    assert cells.get(place) == written.get(place)
    assert (place in cells) == (place in written)
