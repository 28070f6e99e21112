"""Cells become rows with their source, or are refused with their address; nothing is lost without a word."""

from dataclasses import replace
from decimal import Decimal

import pytest

from kaozheng.county.importing.finding import Code, Kind
from kaozheng.errors import InputError
from kaozheng.indicators.observation import Missing
from kaozheng.sources.grid import Area, GridCell

D = Decimal
YEARS = 'layout = "regions-years"\nhead = [3]\n'


def said(plan):
    return [(one.code, one.cell) for one in plan.findings]


def rows(plan):
    return {f"{one.indicator}.{one.region.code}.{one.period}": (one.value, one.unit) for one in plan.observations}


def gdp(sheet, *lines, head=("地区", "2023年", "2024年"), title="内江市各县（市、区）地区生产总值", unit="单位：亿元"):
    return sheet([title], [unit], head, *lines)


def test_regions_by_years_with_indicator_and_unit_in_the_title(sheet, imported):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "358.70", "379.45"], ["威远县", "447.8", "468.9"]))
    assert rows(plan)["gdp.511083.2023"] == (D("358.70"), "亿元")
    assert str(plan.observations[0].value) == "358.70"
    assert plan.observations[0].source == "试.xlsx!表1!B4"
    assert len(plan.observations) == 4
    assert plan.findings == ()


def test_a_total_and_an_unknown_zone_are_refused_with_the_number_of_their_values(sheet, imported):
    plan = imported(YEARS, gdp(sheet, ["全市", "1", "2"], ["隆昌市", "3", "4"], ["高新区", "5", "6"]))
    assert said(plan) == [(Code.NOT_A_COUNTY, "表1!A4"), (Code.UNKNOWN_REGION, "表1!A6")]
    assert plan.refused == 4
    assert len(plan.observations) == 2


def test_a_name_of_two_counties_needs_the_level_above(sheet, imported):
    line = ["市中区", "1", "2"]
    assert said(imported(YEARS, gdp(sheet, line))) == [(Code.AMBIGUOUS_REGION, "表1!A4")]
    for within in ("511100", "乐山市"):
        plan = imported(f'{YEARS}within = "{within}"', gdp(sheet, line))
        assert {one.region.code for one in plan.observations} == {"511102"}
    title = imported(f'{YEARS}within = "title"', gdp(sheet, line))
    assert {one.region.code for one in title.observations} == {"511002"}
    below = imported(f'{YEARS}within = "rows"', gdp(sheet, ["乐山市", "9", "9"], line))
    assert {one.region.code for one in below.observations} == {"511102"}


def test_a_growth_column_is_of_the_year_beside_it_and_of_the_rate(sheet, imported):
    head = ("地区", "2023年", "2024年", "比上年增长%")
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "358.7", "379.4", "6.1"], head=head))
    assert rows(plan)["gdp_growth.511083.2024"] == (D("6.1"), "%")


def test_growth_over_a_base_of_hundred_that_looks_like_an_index_is_refused(sheet, imported):
    head = ("地区", "2024年", "增长%(上年=100)")
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "379.4", "106.1"], ["威远县", "468.9", "5.2"], head=head))
    assert said(plan) == [(Code.UNCLEAR_PERCENT, "表1!C4")]
    assert rows(plan)["gdp_growth.511024.2024"] == (D("5.2"), "%")


def test_of_several_units_in_a_title_the_one_that_fits_is_taken(sheet, imported):
    grid = sheet(
        ["2024年主要指标"],
        ["单位：万元、%"],
        ["地区", "地区生产总值", "城镇化率", "常住人口"],
        ["隆昌市", "3794500", "51.2", "56"],
    )
    plan = imported('layout = "regions-indicators"\nhead = [3]', grid)
    assert rows(plan) == {"gdp.511083.2024": (D(3794500), "万元"), "urban.511083.2024": (D("51.2"), "%")}
    assert said(plan) == [(Code.WRONG_UNIT, "表1!A2")]


def test_a_head_of_two_rows_names_indicator_and_year(sheet, imported):
    grid = sheet(
        ["地区", "地区生产总值（亿元）", None, "其中：第一产业增加值（亿元）"],
        [None, "2023", "2024", "2024"],
        ["隆昌市", "358.7", "379.4", "50.1"],
        merged=[(1, 1, 2, 1), (1, 2, 1, 3)],
    )
    plan = imported('layout = "regions-indicators"\nhead = [1, 2]\nperiod = "head"', grid)
    assert sorted(rows(plan)) == ["gdp.511083.2023", "gdp.511083.2024", "va1.511083.2024"]
    assert said(plan) == [(Code.PART_ROW, "表1!D2")]


def test_indicators_in_rows_with_parts_and_units_of_their_own(sheet, imported):
    grid = sheet(
        ["隆昌市主要经济指标"],
        ["指标", "单位", "2023年", "2024年"],
        ["一、地区生产总值", "亿元", "358.7", "379.4"],
        ["#第一产业", "亿元", "49.0", "50.1"],
        ["二、常住人口", "万人", "56.4", "56.1"],
        ["三、汽车产量", "辆", "1", "2"],
        ["注：2024年为快报数。"],
    )
    plan = imported('layout = "indicators-years"\nhead = [2]\nunit = "column B"', grid)
    assert len(plan.observations) == 6
    assert rows(plan)["va1.511083.2024"] == (D("50.1"), "亿元")
    assert said(plan) == [(Code.PART_ROW, "表1!A4"), (Code.UNKNOWN_INDICATOR, "表1!A6")]
    assert plan.notes == ("注：2024年为快报数。",)


def test_a_long_table(sheet, imported):
    grid = sheet(
        ["区划代码", "指标", "年份", "数值", "单位"],
        ["511083.0", "GDP", "2024", "379.4", "亿元"],
        ["510283", "GDP", "2023", "358.7", "亿元"],
        ["511024", "GDP", "2024", "4689", "家"],
        ["511024", "GDP", "去年", "447.8", "亿元"],
    )
    plan = imported('layout = "long"\nvalues = ["D"]\nunit = "column E"', grid)
    assert sorted(rows(plan)) == ["gdp.511083.2023", "gdp.511083.2024"]
    assert said(plan) == [(Code.ALIAS_REGION, "表1!A3"), (Code.WRONG_UNIT, "表1!E4"), (Code.UNKNOWN_PERIOD, "表1!C5")]


def test_what_is_hidden_is_refused_unless_the_mapping_reads_it(sheet, imported):
    lines = ["隆昌市", "1", "2"], ["威远县", "3", "4"]
    grid = sheet(
        ["地区生产总值"], ["单位：亿元"], ["地区", "2023年", "2024年"], *lines, hidden_rows={4}, hidden_columns={3}
    )
    plan = imported(YEARS, grid)
    assert rows(plan) == {"gdp.511024.2023": (D(3), "亿元")}
    assert said(plan) == [(Code.HIDDEN, "表1!A4"), (Code.HIDDEN, "表1!C3")]
    assert plan.refused == 3
    assert len(imported(f'{YEARS}hidden = "read"', grid).observations) == 4


def test_a_hidden_sheet_is_told(sheet, imported):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "1", "2"]), sheet(["x", "3"], name="底稿", hidden=True))
    assert said(plan) == [(Code.HIDDEN, "底稿!A1")]


def test_per_cent_by_format_is_the_share_times_hundred(sheet, imported):
    cell = GridCell("51.2%", D("0.512"), True)
    plan = imported(YEARS, gdp(sheet, ["隆昌市", cell, cell], title="城镇化率", unit="单位：%"))
    assert rows(plan)["urban.511083.2023"] == (D("51.2"), "%")
    assert said(plan)[0] == (Code.PERCENT_FORMAT, "表1!B4")


def test_a_fraction_under_per_cent_without_a_known_format_is_refused(sheet, imported):
    cell = GridCell("0.512", D("0.512"), None)
    grid = gdp(sheet, ["隆昌市", cell, "51.2"], title="城镇化率", unit="单位：%")
    plan = imported(YEARS, grid)
    assert said(plan) == [(Code.UNCLEAR_PERCENT, "表1!B4")]
    assert len(imported(f'{YEARS}percent = "as_written"', grid).observations) == 2


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("约340", Code.UNREADABLE),
        ("(12.3)", Code.UNREADABLE),
        ("#", Code.UNREADABLE),
        ("#DIV/0!", Code.UNREADABLE),
        ("3.2亿", Code.UNKNOWN_UNIT),
        ("56.4万人", Code.WRONG_UNIT),
        (GridCell("2024/5/1", D(45413), is_date=True), Code.DATE_CELL),
        (GridCell("", formula="B4+B5"), Code.NO_VALUE_FORMULA),
    ],
)
def test_a_cell_that_is_no_value_is_refused(sheet, imported, cell, code):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", cell, "2"]))
    assert said(plan) == [(code, "表1!B4")]
    assert plan.findings[0].kind is Kind.REFUSED
    assert len(plan.observations) == 1


@pytest.mark.parametrize(
    ("cell", "value", "unit", "codes"),
    [
        ("１，２３４．５０", "1234.50", "亿元", []),
        ("1 234.5", "1234.5", "亿元", []),
        ("3794500万元", "3794500", "万元", []),
        ("379.4①", "379.4", "亿元", [Code.FOOTNOTE]),
        (GridCell("1187", D("1186.6")), "1186.6", "亿元", [Code.ROUNDED_DISPLAY]),
        (GridCell("340.0", D(340)), "340.0", "亿元", []),
    ],
)
def test_a_cell_is_read_with_its_digits_and_its_own_unit(sheet, imported, cell, value, unit, codes):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", cell, "350"]))
    assert str(plan.observations[0].value) == value
    assert plan.observations[0].unit == unit
    assert [one.code for one in plan.findings if one.code is not Code.UNIT_JUMP] == codes


@pytest.mark.parametrize(
    ("mark", "missing"),
    [("", Missing.NO_DATA), ("—", Missing.NOTHING), ("…", Missing.TOO_SMALL), ("*", Missing.WITHHELD)],
)
def test_a_mark_is_kept_as_the_reason_for_no_value(sheet, imported, mark, missing):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", mark, "2"]))
    assert plan.observations[0].missing is missing
    assert said(plan) == [(Code.MISSING_MARK, "表1!B4")]


def test_a_mapping_gives_marks_another_meaning(sheet, imported):
    plan = imported(f'{YEARS}missing = {{ "#" = "no_data" }}', gdp(sheet, ["隆昌市", "#", "2"]))
    assert plan.observations[0].missing is Missing.NO_DATA


def test_a_value_said_twice_is_kept_once_and_two_values_are_both_refused(sheet, imported):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "1", "2"], ["隆昌", "1.0", "3"]))
    assert said(plan) == [(Code.REPEATED, "表1!B4"), (Code.CONTRADICTED, "表1!C4"), (Code.CONTRADICTED, "表1!C5")]
    assert [str(one.value) for one in plan.observations] == ["1.0"]


def test_values_ten_thousand_apart_are_imported_and_told(sheet, imported):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "358.7", "3794500"]))
    assert said(plan) == [(Code.UNIT_JUMP, "表1!C4")]
    assert len(plan.observations) == 2


def test_an_old_name_is_told_once(sheet, imported):
    assert said(imported(YEARS, gdp(sheet, ["隆昌县", "1", "2"]))) == [(Code.RENAMED_REGION, "表1!A4")]


def test_no_unit_is_refused_unless_the_mapping_takes_that_of_the_indicator(sheet, imported):
    grid = gdp(sheet, ["隆昌市", "1", "2"], unit="")
    assert {one.code for one in imported(YEARS, grid).findings} == {Code.UNKNOWN_UNIT}
    assert len(imported(f'{YEARS}unit = "indicator"', grid).observations) == 2


def test_a_value_in_merged_cells_is_of_no_single_county(sheet, imported):
    grid = gdp(sheet, ["隆昌市", "1", "2"], ["威远县", None, "4"])
    plan = imported(YEARS, replace(grid, merged=(Area(4, 2, 5, 2),)))
    assert said(plan) == [(Code.UNREADABLE, "表1!B4")]
    assert len(plan.observations) == 2


@pytest.mark.parametrize(
    ("heads", "period"), [(("2023年", "2024年", "增长%"), "2024"), (("2024年", "2023年", "比上年增长（%）"), "2024")]
)
def test_growth_is_of_the_later_of_the_years_beside_it(sheet, imported, heads, period):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "379.4", "358.7", "6.1"], head=("地区", *heads)))
    assert f"gdp_growth.511083.{period}" in rows(plan)


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("2024年预计", Code.UNKNOWN_INDICATOR),
        ("2024年占比（%）", Code.UNKNOWN_INDICATOR),
        ("比2023年增长%", Code.UNKNOWN_PERIOD),
        ("2020—2024年年均增长%", Code.UNKNOWN_PERIOD),
        ("位次", Code.UNKNOWN_PERIOD),
        ("2024年比上年增长（亿元）", Code.WRONG_UNIT),
    ],
)
def test_a_head_that_says_more_than_a_year_is_not_taken_for_the_year(sheet, imported, head, code):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "358.7", "6.1"], head=("地区", "2023年", head)))
    assert code in {one.code for one in plan.findings if one.kind is Kind.REFUSED}
    assert list(rows(plan)) == ["gdp.511083.2023"]


def test_the_points_by_which_a_rate_rose_are_no_rate(sheet, imported):
    head = ("地区", "2024年", "比上年增减%")
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "51.2", "0.8"], head=head, title="城镇化率", unit="单位：%"))
    assert list(rows(plan)) == ["urban.511083.2024"]
    assert said(plan) == [(Code.UNKNOWN_INDICATOR, "表1!A1")]


def test_the_mark_of_a_note_on_a_head_is_told(sheet, imported):
    plan = imported(YEARS, gdp(sheet, ["隆昌市", "1", "2"], head=("地区", "2023年", "2024年①")))
    assert said(plan) == [(Code.FOOTNOTE, "表1!C3")]
    assert len(plan.observations) == 2


def test_a_half_year_is_no_value_of_an_indicator_of_single_periods(sheet, imported):
    own = '[[indicators]]\nkey = "output"\nname = "产量"\nunit = "吨"'
    table = 'layout = "regions-years"\nhead = [3]\nindicator = "output"'
    grid = gdp(sheet, ["隆昌市", "1", "2"], head=("地区", "2024年1-6月", "2024年6月"), unit="单位：吨")
    plan = imported(table, grid, more=own)
    assert said(plan) == [(Code.UNKNOWN_PERIOD, "表1!B3")]
    assert list(rows(plan)) == ["output.511083.2024-06"]


def test_a_code_that_is_of_another_county_than_the_name_is_refused(sheet, imported):
    grid = sheet(["代码", "地区", "GDP（亿元）"], ["511024", "隆昌市", "1"], ["511102", "市中区", "2"])
    table = 'layout = "regions-indicators"\nregion = "column B"\nregion_code = "column A"\nperiod = "2024"'
    plan = imported(table, grid)
    assert said(plan) == [(Code.AMBIGUOUS_REGION, "表1!B2")]
    assert list(rows(plan)) == ["gdp.511102.2024"]


def test_a_column_that_the_mapping_explains_needs_no_head(sheet, imported):
    grid = gdp(sheet, ["隆昌市", "1", "2"], head=("地区", "甲", "2024年预计"))
    more = 'columns = { B = { period = "2023" }, C = { indicator = "gdp", period = "2024", unit = "万元" } }'
    plan = imported(YEARS + more, grid)
    assert rows(plan)["gdp.511083.2024"] == (D(2), "万元")


def test_a_sheet_that_no_table_reads_is_named(sheet, imported):
    plan = imported(f'{YEARS}sheet = "表1"', gdp(sheet, ["隆昌市", "1", "2"]), sheet(["甲", "1"], name="表2"))
    assert plan.unread == ("表2",)


def test_a_sheet_that_is_not_there_is_an_error_with_the_nearest_name(sheet, imported):
    with pytest.raises(InputError, match="did you mean 表1"):
        imported(f'{YEARS}sheet = "表 1"', gdp(sheet, ["隆昌市", "1", "2"]))
