"""Tables in the terminal: columns stand under their heads in any script, and nothing of a file steers it."""

from decimal import Decimal

import pytest
from rich.cells import cell_len

from kaozheng.cli.county_options import years_of
from kaozheng.cli.tables import print_tables
from kaozheng.deliverables.table import Column, Kind, Table
from kaozheng.errors import InputError


def printed(capsys, *rows, columns=("地区", "数值"), **rest):
    kinds = [Column(columns[0]), Column(columns[1], Kind.NUMBER, "亿元", 1), *map(Column, columns[2:])]
    print_tables([Table("表", kinds, rows, **rest)], "zh")
    return capsys.readouterr().out.splitlines()


def test_numbers_end_under_each_other_whatever_stands_before_them(capsys):
    _, head, *lines = printed(capsys, ("隆昌市", Decimal("464.76")), ("Longchang", Decimal(5)))
    assert [line.split()[-1] for line in lines] == ["464.8", "5.0"]
    assert len({cell_len(line) for line in (head, *lines)}) == 1


def test_text_of_a_file_neither_steers_the_terminal_nor_breaks_the_line(capsys):
    assert printed(capsys, ("隆\x1b[31m昌\n市", None))[2].strip() == "隆昌 市"


def test_long_text_is_cut_but_for_the_last_column(capsys):
    line = printed(capsys, ("长" * 60, None, "尾" * 60), columns=("甲", "乙", "丙"))[2]
    assert ("…" in line, line.endswith("尾" * 60)) == (True, True)


def test_synthetic_table_is_marked_beside_its_title_and_an_empty_one_is_left_out(capsys):
    assert printed(capsys, ("一", None), synthetic=True)[0] == "表  [合成数据（演示用）]"
    assert printed(capsys, synthetic=True) == []


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("", None),
        ("2024", (2024, 2024)),
        ("2015-2024", (2015, 2024)),
        ("2015—2024", (2015, 2024)),
        (" 2015 至 2024 ", (2015, 2024)),
    ],
)
def test_years_are_one_or_a_stretch(text, years):
    assert years_of(text) == years


@pytest.mark.parametrize("text", ["24", "2024-2020", "2024-", "-2024", "2015-20", "２０２４", "2015,2016"])
def test_what_is_no_stretch_of_years_is_refused(text):
    with pytest.raises(InputError, match="--years"):
        years_of(text)
