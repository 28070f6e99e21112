"""Tables as XLSX, read back by openpyxl and by our own reader."""

import io
import random
import re
import zipfile
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.deliverables.table import Column, Kind, Table
from kaozheng.deliverables.workbook import SYNTHETIC, workbook
from kaozheng.errors import InputError
from kaozheng.providers.readers.conversion import grids

COLUMNS = (
    Column("区划代码"),
    Column("地区"),
    Column("年份", Kind.YEAR),
    Column("地区生产总值", Kind.NUMBER, "亿元"),
    Column("增速", Kind.NUMBER, "%", 1),
)
ROWS = (
    ("511083", "隆昌市", 2023, Decimal("1412.30"), Decimal("12.3")),
    ("511024", "威远县", 2023, Decimal("498"), None),
    ("511025", "资中县", 2023, "—", Decimal("-0.25")),
)
TABLE = Table("县域经济", COLUMNS, ROWS, "四川统计年鉴2024", "现价", ("注：增速按可比价计算。",))


def sheet_of(table, language="zh"):
    return openpyxl.load_workbook(io.BytesIO(workbook([table], language))).active


def with_cell(value, column=Column("甲")):  # noqa: B008 - frozen
    return Table("t", [column], [[value]])


def test_numbers_are_numbers_with_their_formats():
    sheet = sheet_of(TABLE)
    assert [(cell.value, cell.number_format) for cell in sheet["D"][3:6]] == [
        (1412.3, "#,##0.00"),
        (498, "#,##0"),
        ("—", "General"),
    ]
    assert [(cell.value, cell.number_format) for cell in sheet["E"][3:6]] == [
        (12.3, "#,##0.0"),
        (None, "General"),
        (-0.25, "#,##0.0"),
    ]


def test_a_percentage_is_kept_as_it_is_printed_and_its_head_says_so():
    sheet = sheet_of(TABLE)
    assert (sheet["E3"].value, sheet["E4"].value) == ("增速（%）", 12.3)
    assert sheet_of(TABLE, "en")["E3"].value == "增速 (%)"


def test_codes_are_texts_and_years_have_no_comma():
    sheet = sheet_of(TABLE)
    assert (sheet["A4"].value, sheet["A4"].data_type) == ("511083", "s")
    assert (sheet["C4"].value, sheet["C4"].number_format) == (2023, "0")


def test_heads_stay_while_one_scrolls():
    assert sheet_of(TABLE).freeze_panes == "A4"


def test_source_calibre_and_units_stand_under_the_table():
    sheet = sheet_of(TABLE)
    assert [sheet.cell(row, 1).value for row in range(7, 12)] == [
        None,
        "来源：四川统计年鉴2024",
        "口径：现价",
        "单位：亿元、%",
        "注：增速按可比价计算。",
    ]
    assert [sheet_of(TABLE, "en").cell(row, 1).value for row in (8, 10)] == [
        "Source: 四川统计年鉴2024",
        "Unit: 亿元, %",
    ]


def test_what_is_not_known_is_not_said():
    sheet = sheet_of(Table("t", [Column("甲")], [["a"]]))
    assert [row for row in sheet.values if row[0]] == [("t",), ("甲",), ("a",)]


def test_made_up_data_says_so_above_the_table():
    table = Table("t", [Column("甲")], [["a"]], synthetic=True)
    assert sheet_of(table)["A2"].value == SYNTHETIC.zh
    assert sheet_of(table, "en")["A2"].value == SYNTHETIC.en
    assert sheet_of(TABLE)["A2"].value is None


@pytest.mark.parametrize("text", ["=1+1", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "{=1}", "http://a.cn"])
def test_no_text_becomes_a_formula_or_a_link(text):
    cell = sheet_of(with_cell(text))["A4"]
    assert (cell.value, cell.data_type, cell.hyperlink) == (text, "s", None)


def test_a_text_that_begins_like_a_formula_stays_one_when_it_is_edited():
    assert sheet_of(with_cell("=1+1"))["A4"].quotePrefix
    assert not sheet_of(with_cell("甲"))["A4"].quotePrefix


def test_the_same_tables_are_the_same_bytes_at_any_time():
    data = workbook([TABLE, TABLE])
    assert data == workbook([TABLE, TABLE])
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert {one.date_time for one in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert re.findall(r"\d{4}-\d\d-\d\dT", file.read("docProps/core.xml").decode()) == ["2000-01-01T"] * 2


def test_each_table_is_a_sheet_with_a_name_that_it_may_have():
    book = openpyxl.load_workbook(io.BytesIO(workbook([TABLE, TABLE, Table("a/b", COLUMNS, ())])))
    assert book.sheetnames == ["县域经济", "县域经济 (2)", "a b"]


@pytest.mark.parametrize("tables", [[], [with_cell("长" * 32_768)], [Table("t", [Column("a")] * 16_385, [])]])
def test_what_a_sheet_cannot_hold_is_refused(tables):
    with pytest.raises(InputError):
        workbook(tables)


def test_rows_that_do_not_fit_their_columns_are_a_mistake():
    with pytest.raises(ValueError, match="zip"):
        workbook([Table("t", [Column("a")], [["1", "2"]])])


@settings(max_examples=40)
@given(st.lists(st.decimals(places=3, min_value=-(10**9), max_value=10**9), min_size=1, max_size=20))
def test_our_own_reader_gives_the_same_numbers_back(numbers):
    column = Column("数", Kind.NUMBER, "亿元")
    (grid,) = grids(".xlsx", workbook([Table("t", [column], [[number] for number in numbers])]))
    cells = [grid.cells[4 + at, 1] for at in range(len(numbers))]
    assert [cell.number for cell in cells] == numbers
    assert [cell.text.replace(",", "") for cell in cells] == [f"{number + 0:f}" for number in numbers]


def test_a_long_table_keeps_all_of_its_rows():
    chance = random.Random(3)
    rows = [[str(at), Decimal(chance.randrange(10**6)) / 100] for at in range(5_000)]
    sheet = sheet_of(Table("t", [Column("a"), Column("b", Kind.NUMBER)], rows))
    assert [[a, Decimal(str(b))] for a, b in sheet.iter_rows(min_row=4, max_row=5_003, values_only=True)] == rows
