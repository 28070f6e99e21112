"""The dirty tables themselves: the same bytes each time, and expectations that speak of cells that exist."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import pytest
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from tests.county.dirty_workbooks import (
    CASES,
    Finding,
    Row,
    cells,
    content,
    expected_findings,
    expected_rows,
    faults,
    file_name,
    write,
)

from kaozheng.county.importing.finding import Code, Kind
from kaozheng.indicators.observation import Missing

REGIONS = {"511083", "511024", "511025", "511011", "511002", "511102", "511124", "511123", "513402", "510981", "510118"}
INDICATORS = {"gdp", "gdp_growth", "revenue", "pop", "firms", "rural_income", "energy"}
each = pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])


def _case(name: str) -> dict[str, Any]:
    return next(case for case in CASES if case["name"] == name)


def _table(case: dict[str, Any]) -> set[str]:
    return {
        f"{name}!{get_column_letter(column)}{row}"
        for name, sheet in case["sheets"].items()
        for row in range(1, len(sheet["rows"]) + 1)
        for column in range(1, max(map(len, sheet["rows"])) + 1)
    }


def _readings(case: dict[str, Any]) -> list[dict[str, Any]]:
    return [case, *case.get("alternatives", ())]


def _perfect(reading: dict[str, Any]) -> tuple[list[Row], list[Finding]]:
    findings = [one for one in expected_findings(reading["findings"]) if not one.optional]
    return expected_rows(reading["rows"]), [
        Finding(min(cells(one.where)), one.code, "refused" if one.kind == "*" else one.kind) for one in findings
    ]


def test_there_are_forty_tables_and_each_has_a_mapping_for_each_sheet():
    assert len({case["name"] for case in CASES}) == 40
    assert all(case["mapping"].keys() == case["sheets"].keys() for case in CASES)


def test_writing_twice_gives_the_same_bytes(tmp_path):
    first, second = write(tmp_path / "first"), write(tmp_path / "second")
    assert [path.name for path in first] == [file_name(case) for case in CASES]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@each
def test_every_expected_cell_is_in_the_table(case):
    for reading in _readings(case):
        named = [cells(row.cell) for row in expected_rows(reading["rows"])]
        named += [cells(one.where) for one in expected_findings(reading["findings"])]
        named += [cells(reading["cells"])] if reading is not case else []
        assert set().union(*named) <= _table(case)


@each
def test_every_expectation_is_in_the_words_of_the_contract(case):
    for reading in _readings(case):
        for row in expected_rows(reading["rows"]):
            assert row.region in REGIONS
            assert row.indicator in INDICATORS
            assert not row.value.startswith("!") or Missing(row.value[1:])
        for one in expected_findings(reading["findings"]):
            assert one.code == "*" or Code(one.code)
            assert one.kind == "*" or Kind(one.kind)


@each
def test_every_number_of_a_table_is_imported_or_reported(case):
    """A number that no expectation speaks of would be lost in silence; codes and the years of heads are no values."""
    spoken: set[str] = set().union(*(cells(row.cell) for row in expected_rows(case["rows"])))
    for one in expected_findings(case["findings"]):
        spoken |= cells(one.where)
    for name, sheet in case["sheets"].items():
        beside = {case["mapping"][name].get("code", "A"), case["mapping"][name].get("period")}
        for number, row in enumerate(sheet["rows"][1:], 2):
            numbers = [get_column_letter(x) for x, value in enumerate(row, 1) if isinstance(value, int | float | date)]
            assert {f"{name}!{letter}{number}" for letter in numbers if letter not in beside} <= spoken


@each
def test_the_files_hold_what_the_case_says(case):
    if "csv" in case:
        assert case["sheets"]["Sheet1"]["rows"][1][0] in content(case).decode(case["csv"])
        return
    book = load_workbook(io.BytesIO(content(case)))
    for name, sheet in case["sheets"].items():
        page = book[name]
        assert page.sheet_state == ("hidden" if sheet.get("hidden") else "visible")
        assert sorted(str(area) for area in page.merged_cells.ranges) == sheet.get("merged", [])
        assert [n for n, row in page.row_dimensions.items() if row.hidden] == sheet.get("hidden_rows", [])
        assert [n for n, column in page.column_dimensions.items() if column.hidden] == sheet.get("hidden_columns", [])
        shown = {cell: page[cell].number_format for cell in sheet.get("formats", {})}
        assert shown == sheet.get("formats", {})


@each
def test_the_expectation_itself_has_no_fault(case):
    assert faults(case, *_perfect(case)) == []


@each
def test_a_value_left_out_in_silence_is_a_fault(case):
    rows, findings = _perfect(case)
    assert len(faults(case, rows[1:], findings)) == 1


def test_a_guess_at_the_ambiguous_name_is_a_fault():
    case = _case("shizhongqu_alone")
    rows, findings = _perfect(case)
    guess = Row("B2", "511002", "gdp", "2023", "512.4", "亿元")
    assert faults(case, [*rows, guess], findings) == [f"too many {guess}"]


def test_a_remark_at_a_clean_cell_is_a_fault():
    case = _case("merged_heads")
    rows, findings = _perfect(case)
    assert len(faults(case, rows, [*findings, Finding("Sheet1!B4", "unit_jump", "noted")])) == 1


def test_an_alternative_reading_counts_as_right():
    case = _case("duplicate_rows")
    rows, findings = _perfect(case)
    kept = Row("B3", "511024", "gdp", "2023", "!contradicted", "亿元")
    assert faults(case, [*rows, kept], findings) == []
