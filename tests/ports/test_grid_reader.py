"""What a reader of grids promises: every sheet as it is, each cell at its place, or one line that says why not."""

import csv
import hashlib
import io
from decimal import Decimal

import openpyxl
import pytest
import xlwt

from kaozheng.errors import SourceError
from kaozheng.testing.grids import MemoryGrids, workbook_of
from kaozheng.wiring.files import grid_reader

ROWS = [["地区", "年份", "GDP"], ["甲县", 2023, 1186.6], [], ["乙县", None, -0.5]]


def xlsx(sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def xls(sheets):
    book = xlwt.Workbook()
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for number, row in enumerate(rows):
            for column, value in enumerate(row):
                if value is not None:
                    sheet.write(number, column, value)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def comma(sheets):
    (rows,) = sheets.values()
    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


def tabbed(sheets):
    return comma(sheets).replace(b",", b"\t")


ON_DISK = {".xlsx": xlsx, ".xls": xls, ".csv": comma, ".tsv": tabbed}
WITH_SHEETS = [".xlsx", ".xls", "memory"]


@pytest.fixture(params=[*ON_DISK, "memory"])
def kind(request):
    return request.param


def given(kind, sheets, folder):
    """(reader, path)"""
    if kind == "memory":
        path = folder / "table.xlsx"
        return MemoryGrids({path.as_posix(): workbook_of(sheets, path.name)}), path
    path = folder / f"table{kind}"
    path.write_bytes(ON_DISK[kind](sheets))
    return grid_reader(), path


async def grid_of(kind, rows, folder):
    reader, path = given(kind, {"table": rows}, folder)
    (grid,) = (await reader.workbook(path)).grids
    return grid


async def test_each_cell_stands_at_its_place_and_empty_ones_do_not(kind, tmp_path):
    grid = await grid_of(kind, ROWS, tmp_path)
    assert {place: cell.text for place, cell in grid.cells.items()} == {
        (1, 1): "地区", (1, 2): "年份", (1, 3): "GDP",
        (2, 1): "甲县", (2, 2): "2023", (2, 3): "1186.6",
        (4, 1): "乙县", (4, 3): "-0.5",
    }  # fmt: skip
    assert grid.cells.get((3, 1)) is None
    assert grid.cells.get((4, 2)) is None
    assert grid.cells.get((9, 9)) is None
    with pytest.raises(KeyError):
        grid.cells[4, 2]


async def test_cells_come_row_by_row_from_left_to_right(kind, tmp_path):
    grid = await grid_of(kind, ROWS, tmp_path)
    assert list(grid.cells) == sorted(grid.cells)
    assert len(grid.cells) == 8


async def test_a_number_is_exact_and_a_text_is_none(kind, tmp_path):
    grid = await grid_of(kind, ROWS, tmp_path)
    assert (grid.cells[2, 3].number, grid.cells[4, 3].number) == (Decimal("1186.6"), Decimal("-0.5"))
    assert grid.cells[1, 1].number is None


async def test_a_cell_has_an_address(kind, tmp_path):
    grid = await grid_of(kind, ROWS, tmp_path)
    assert grid.address(4, 3) == "table!C4"


async def test_the_book_names_its_file_and_the_hash_of_its_bytes(kind, tmp_path):
    reader, path = given(kind, {"table": ROWS}, tmp_path)
    book = await reader.workbook(path)
    assert book.path == path.name
    assert len(book.sha256) == 64
    if kind != "memory":
        assert book.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("kind", WITH_SHEETS)
async def test_all_sheets_come_in_their_order_with_an_empty_one(kind, tmp_path):
    reader, path = given(kind, {"乙": [["b"]], "空": [], "甲": [["a"]]}, tmp_path)
    book = await reader.workbook(path)
    assert [(grid.name, len(grid.cells)) for grid in book.grids] == [("乙", 1), ("空", 0), ("甲", 1)]


async def test_a_table_without_a_cell_is_refused_by_name(kind, tmp_path):
    reader, path = given(kind, {"table": [[]]}, tmp_path)
    with pytest.raises(SourceError, match=f"{path.name}: empty"):
        await reader.workbook(path)


async def test_a_file_that_is_not_there_is_refused_by_name(kind, tmp_path):
    reader, _ = given(kind, {"table": ROWS}, tmp_path)
    with pytest.raises(SourceError, match=r"other\.csv: no such file"):
        await reader.workbook(tmp_path / "other.csv")


async def test_a_book_is_short_when_it_is_written_out(kind, tmp_path):
    """The event loop writes out what a task gave, see Cells."""
    reader, path = given(kind, {"table": ROWS * 100}, tmp_path)
    assert len(repr(await reader.workbook(path))) < 500
