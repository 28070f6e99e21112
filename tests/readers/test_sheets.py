"""Sheets: what a reader of the table sees, formats and all; what is hidden is kept and marked."""

import datetime
import io

import openpyxl
import pytest

from kaozheng.errors import SourceError
from kaozheng.providers.readers.conversion import convert
from kaozheng.providers.readers.number_formats import number_cell


def read(book):
    file = io.BytesIO()
    book.save(file)
    return convert(".xlsx", file.getvalue())


def book_of(rows, title="Sheet1"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    return book


def test_a_sheet_is_a_heading_and_a_table():
    made = read(book_of([["地区", "GDP"], ["甲县", 1234], ["乙县", None], ["丙县", True]], "经济"))
    assert made.text == "## 经济\n\n| 地区 | GDP |\n| --- | --- |\n| 甲县 | 1234 |\n| 乙县 |  |\n| 丙县 | TRUE |\n"
    assert [(place.kind, place.name) for place in made.places] == [("sheet", "经济")]


def test_number_formats_are_kept():
    book = book_of([["a", "b", "c", "d", "e"], [0.123, 1234567.891, datetime.date(2023, 5, 1), -42, 0.1 + 0.2]])
    for cell, code in zip(
        book.active[2], ("0.0%", "#,##0.00", "yyyy-mm-dd", '#,##0;[Red]"(" #,##0")"', "General"), strict=True
    ):
        cell.number_format = code
    assert "| 12.3% | 1,234,567.89 | 2023-05-01 | ( 42) | 0.3 |" in read(book).text


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        ("0.123", "0.0%", "12.3%"),
        ("0.1235", "0%", "12%"),
        ("1234.5", "#,##0", "1,235"),
        ("0", "#,##0.00", "0.00"),
        ("0.5", "#.##", ".5"),
        ("12", "000000", "000012"),
        ("1234567", '#,##0.0,,"M"', "1.2M"),
        ("-5", "0.00_);(0.00)", "(5.00)"),
        ("5", "0.00_);(0.00)", "5.00"),
        ("-5", "0.0", "-5.0"),
        ("0", '0;-0;"-"', "-"),
        ("12345.678", "0.00E+00", "1.23E+04"),
        ("99.5", '"¥"#,##0.00', "¥99.50"),
        ("99.5", "[$¥-804]#,##0.00", "¥99.50"),
        ("45047", "yyyy-mm-dd", "2023-05-01"),
        ("45047", 'yyyy"年"m"月"d"日"', "2023年5月1日"),
        ("45047.75", "yyyy/m/d h:mm", "2023/5/1 18:00"),
        ("0.75", "h:mm AM/PM", "6:00 PM"),
        ("1.5", "[h]:mm", "36:00"),
        ("45047", "mmm d, yyyy", "May 1, 2023"),
        ("60", "yyyy-mm-dd", "1900-02-29"),
        ("1", "yyyy-mm-dd", "1900-01-01"),
        ("150", '[>=100]"high";"low"', "high"),
        ("50", '[>=100]"high";"low"', "low"),
        ("3", "@", "3"),
        ("2.5", '0.0\\ "万元"', "2.5 万元"),
        ("1E+20", "General", "100000000000000000000"),
        ("1.5E-7", "General", "0.00000015"),
        ("2.675", "0.00", "2.68"),
        ("1.25", "# ?/?", "1 1/4"),
        ("-0.001", "0.00", "-0.00"),
        ("0", '"yes";"no";@', "yes"),
        ("0.123456789", "h:mm:ss", "2:57:47"),
        ("3.14", '"about ".0', "about 3.1"),
        ("1234.5", "#,##0.00;(#,##0.00);@", "1,234.50"),
    ],
)
def test_a_number_looks_as_in_the_sheet(value, code, shown):
    assert number_cell(value, code).text == shown


def test_merged_cells_are_unfolded_and_two_rows_of_heads_become_one():
    book = book_of(
        [
            ["县域经济", None, None, None],
            ["地区", 2023, None, "备注"],
            [None, "GDP", "人口", None],
            ["甲县", 10, 20, "x"],
            [None, 11, 21, "y"],
        ]
    )
    for area in ("A1:D1", "A2:A3", "B2:C2", "D2:D3", "A4:A5"):
        book.active.merge_cells(area)
    assert read(book).text == (
        "## Sheet1\n\n县域经济\n\n| 地区 | 2023 GDP | 2023 人口 | 备注 |\n| --- | --- | --- | --- |\n"
        "| 甲县 | 10 | 20 | x |\n| 甲县 | 11 | 21 | y |\n"
    )


def test_hidden_rows_columns_and_sheets_are_marked():
    book = book_of([["k", "v", "w"], ["a", 1, 2], ["b", 3, 4]])
    book.active.row_dimensions[3].hidden = True
    book.active.column_dimensions["C"].hidden = True
    more = book.create_sheet("底稿")
    more.append(["x", "y"])
    more.append([1, 2])
    more.sheet_state = "veryHidden"
    assert read(book).text == (
        "## Sheet1\n\n| k | v | w (hidden) | (hidden row) |\n| --- | --- | --- | --- |\n"
        "| a | 1 | 2 |  |\n| b | 3 | 4 | yes |\n\n"
        "## 底稿 (hidden)\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n"
    )


def test_blocks_apart_by_empty_rows_are_tables_apart():
    book = book_of([["a", "b"], [1, 2], [None, None], ["c", "d"], [3, 4]])
    assert (
        read(book).text == "## Sheet1\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| c | d |\n| --- | --- |\n| 3 | 4 |\n"
    )


def test_a_formula_without_a_result_is_shown_as_it_stands_and_comments_are_not():
    book = book_of([["a"], ["=SUM(1,2)"], ["x"]])
    book.active["A3"].comment = openpyxl.comments.Comment("SECRET", "me")
    text = read(book).text
    assert "=SUM(1,2)" in text
    assert "SECRET" not in text


def test_a_far_cell_does_not_make_a_table_of_the_whole_sheet():
    book = book_of([["a", "b"], [1, 2]])
    book.active["XFD1048576"] = "far"
    text = read(book).text
    assert "far" in text
    assert len(text) < 200


@pytest.mark.parametrize("area", ["A1:XFD1048576", "A1:XFD1", "A1:A1048576"])
def test_a_merge_beyond_what_is_filled_adds_nothing(area):
    book = book_of([["a"], [None, "x"]])
    book.active.merged_cells.add(area)
    assert len(read(book).text) < 200


def test_a_merge_over_more_cells_than_may_be_is_refused():
    book = book_of([["a"]])
    book.active["Z20000"] = "far"
    book.active.merged_cells.add("A1:Z19999")
    with pytest.raises(SourceError, match="more than 200,000 cells"):
        read(book)
