"""Whatever a table holds: each cell becomes a row or is told, and a number keeps its value in every way to write it."""

from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from kaozheng.county.catalogue import built_in
from kaozheng.county.importing.cell_value import CellFault, CellValue, read_cell
from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.guess import guess
from kaozheng.county.importing.mapping import read_mapping
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.sources.grid import Area, Grid, GridCell, Workbook

TOML = """
[source]
id = "s"
title = "t"
vintage = "2025"
[[tables]]
layout = "regions-years"
indicator = "gdp"
"""
NAMES = ["隆昌市", "威远县", "市中区", "隆昌", "全市", "高新区", "", "#东兴区", "注：快报", "511083"]
HEADS = ["2023年", "2024（亿元）", "2024年（万元）", "上年", "增长%", "2024年预计", "", "备注", "2024年1-6月"]
VALUES = ["1", "1.0", "2", "—", "", "约3", "3.2亿元", "4%", "0.5", "5①", "=", "#DIV/0!", "(6)"]


def grids():
    head = st.lists(st.sampled_from(HEADS), min_size=4, max_size=4)
    line = st.tuples(st.sampled_from(NAMES), *[st.sampled_from(VALUES)] * 4)
    return st.builds(
        _grid,
        head,
        st.lists(line, max_size=5),
        st.sets(st.integers(2, 6), max_size=1),
        st.sampled_from([None, True, False]),
    )


def _grid(head, lines, hidden, is_percent):
    cells = {}
    for row, values in enumerate((("地区", *head), *lines), 1):
        for column, text in enumerate(values, 1):
            if text == "=":
                cells[row, column] = GridCell("", formula="A1+A2")
            elif text:
                number = Decimal(text) if row > 1 and column > 1 and text.replace(".", "").isdecimal() else None
                cells[row, column] = GridCell(text, number, is_percent if number is not None else False)
    return Grid("表1", cells, (), frozenset(hidden))


@given(grids())
@example(_grid(["2023年", "2024（亿元）", "2023年", "2023年"], [("隆昌市", "1", "1", "2", "")], (), None))
def test_each_cell_is_a_row_or_refused_or_a_repetition(grid):
    book = Workbook("甲.xlsx", "0", [grid])
    plan = extract(book, read_mapping(TOML), sichuan(), built_in())
    skipped = {column for (row, column), cell in grid.cells.items() if row == 1 and cell.text == "备注"}
    notes = {row for (row, column), cell in grid.cells.items() if column == 1 and cell.text.startswith("注")}
    notes -= {row for (row, column), cell in grid.cells.items() if cell.number is not None and column > 1}
    there = [place for place in grid.cells if place[0] > 1 and place[1] > 1 and place[1] not in skipped]
    there = [place for place in there if place[0] not in notes]
    taken = {one.source.partition("!")[2] for one in plan.observations}
    repeated = {one.cell for one in plan.findings if one.code is Code.REPEATED}
    addresses = {grid.address(*place) for place in there}
    assert len(addresses) == len(taken & addresses) + plan.refused + len(repeated & addresses)
    assert all(one.cell.startswith("表1") for one in plan.findings)


@given(grids())
def test_a_guess_never_fails_and_a_sure_one_can_be_followed(grid):
    book = Workbook("甲.xlsx", "0", [grid])
    found = guess(book, sichuan(), built_in())
    if found.is_sure:
        assert extract(book, read_mapping(found.toml()), sichuan(), built_in()).source.id == "甲"


@given(st.text(max_size=20))
def test_any_text_is_a_value_a_mark_or_a_fault(text):
    read = read_cell(GridCell(text))
    assert isinstance(read, CellFault) or (read.value is None) != (read.missing is None)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_a_number_is_the_same_however_it_is_written(number):
    wide = str.maketrans("0123456789.,-", "０１２３４５６７８９．，－")
    for text in (f"{number:f}", f"{number:,f}", f"{number:,f}".replace(",", " "), f"{number:,f}".translate(wide)):
        read = read_cell(GridCell(text))
        assert isinstance(read, CellValue)
        assert read.value == number
        assert read.value.as_tuple().exponent == -2


@given(st.integers(-999999, 999999), st.integers(0, 6), st.booleans())
def test_a_stored_number_wins_over_what_is_shown(digits, places, is_percent):
    number = Decimal(digits).scaleb(-places)
    shown = f"{number * 100:.0f}%" if is_percent else f"{number:.0f}"
    read = read_cell(GridCell(shown, number, is_percent))
    assert isinstance(read, CellValue)
    assert read.value == (number * 100 if is_percent else number)


def test_merged_names_count_for_all_their_cells():
    grid = Grid("表1", _grid(["2023年", "2024年"], [("隆昌市", "1", "2")], (), False).cells, (Area(1, 1, 1, 1),))
    plan = extract(Workbook("甲.xlsx", "0", [grid]), read_mapping(TOML + 'unit = "亿元"'), sichuan(), built_in())
    assert len(plan.observations) == 2
