"""CSV and TSV as grids: any encoding and any separator, rows counted as a sheet counts them."""

from decimal import Decimal

import pytest

from kaozheng.errors import SourceError
from kaozheng.providers.readers.conversion import grids
from kaozheng.providers.readers.converted import Caps
from kaozheng.sources.grid import GridCell

TABLE = "地区,年份,地区生产总值（亿元）\n隆昌市,2023,412.3\n威远县,2023,—\n"


def texts(data, suffix=".csv"):
    (grid,) = grids(suffix, data)
    return {place: cell.text for place, cell in grid.cells.items()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
def test_encoding_and_separator_are_found(encoding, separator):
    found = texts(TABLE.replace(",", separator).encode(encoding))
    assert found[1, 1] == "地区"
    assert found[2, 3] == "412.3"
    assert found[3, 3] == "—"
    assert len(found) == 9


def test_ragged_rows_and_empty_lines_keep_their_places():
    assert texts(b"title\n\na,b,c\r\n1,,3\r\n,,,4\n") == {
        (1, 1): "title", (3, 1): "a", (3, 2): "b", (3, 3): "c", (4, 1): "1", (4, 3): "3", (5, 4): "4",
    }  # fmt: skip


def test_a_quoted_cell_keeps_its_separators_and_its_lines():
    assert texts('a,b\n"1,234\n再一行","say ""x"""\nnext,row\n'.encode()) == {
        (1, 1): "a", (1, 2): "b", (2, 1): "1,234\n再一行", (2, 2): 'say "x"', (3, 1): "next", (3, 2): "row",
    }  # fmt: skip


def test_a_quotation_mark_that_is_not_closed_swallows_nothing():
    with pytest.raises(SourceError, match=r"line 4: a quotation mark that is not closed"):
        grids(".csv", b'a,b\n1,"2\n3,4\n5,6\n')


@pytest.mark.parametrize(
    ("field", "number"),
    [
        ("12.30", "12.30"),
        ("-0.5", "-0.5"),
        ("+7", "7"),
        ("0511", "511"),
        ("1.5e3", "1500"),
        (" 8 ", "8"),
        ("12.3%", None),
        ("1 234", None),
        ("1_000", None),
        ("１２", None),
        ("约120", None),
        ("NaN", None),
        ("—", None),
    ],
)
def test_a_plain_number_is_one_and_whether_it_is_a_percentage_is_not_known(field, number):
    (grid,) = grids(".csv", f"x,{field},y\n1,2,3\n".encode())
    assert grid.cells[1, 2] == GridCell(field, None if number is None else Decimal(number), None)


def test_a_table_above_the_cap_is_left_out_as_a_whole():
    with pytest.raises(SourceError, match="more than 10 cells"):
        grids(".csv", b"1,2,3\n" * 4, Caps(cells=10))


def test_commas_without_anything_between_them_count_for_nothing():
    assert texts(b"a" + b"," * 5_000 + b"\n" + (b"," * 5_000 + b"\n") * 100) == {(1, 1): "a"}
