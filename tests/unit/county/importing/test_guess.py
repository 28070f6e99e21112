"""A guess says what it rests on, reads tables that are plain, and says so when it is unsure."""

import pytest

from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.guess import guess
from kaozheng.county.importing.mapping import Layout, read_mapping, write_mapping
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.errors import InputError
from kaozheng.sources.grid import Workbook


@pytest.fixture
def guessed(catalogue):
    def run(*grids):
        return guess(Workbook("隆昌.xlsx", "0" * 64, grids), sichuan(), catalogue)

    return run


@pytest.fixture
def taken(catalogue, guessed):
    """The rows by a sure guess, as its TOML gives them."""

    def run(*grids):
        found = guessed(*grids)
        assert found.is_sure, found.choices
        mapping = read_mapping(write_mapping(found.mapping))
        assert mapping == found.mapping
        plan = extract(Workbook("隆昌.xlsx", "0" * 64, grids), mapping, sichuan(), catalogue)
        return mapping.tables[0].layout, {f"{o.indicator}.{o.region.code}.{o.period}" for o in plan.observations}

    return run


def test_regions_by_years(sheet, taken):
    layout, rows = taken(
        sheet(["内江市各县（市、区）地区生产总值"], [None, None, "单位：亿元"], ["地区", "2023", "2024"],
              ["全市", "9", "9"], ["隆昌市", "1", "2"], ["威远县", "3", "4"], ["市中区", "5", "6"])
    )  # fmt: skip
    assert layout is Layout.REGIONS_YEARS
    assert {"gdp.511083.2023", "gdp.511024.2024", "gdp.511002.2024"} <= rows


def test_regions_by_indicators_of_a_year_in_the_title(sheet, taken):
    layout, rows = taken(
        sheet(["2024年主要指标"], ["序号", "地区", "GDP（亿元）", "常住人口（万人）", "备注"],
              ["1", "隆昌市", "1", "2", "快报"], ["2", "威远县", "3", "4"])
    )  # fmt: skip
    assert layout is Layout.REGIONS_INDICATORS
    assert rows == {"gdp.511083.2024", "pop.511083.2024", "gdp.511024.2024", "pop.511024.2024"}


def test_indicators_by_years_of_the_county_in_the_title(sheet, taken):
    layout, rows = taken(
        sheet(["隆昌市主要经济指标"], ["指标", "单位", "2023年", "2024年"], ["地区生产总值", "亿元", "1", "2"],
              ["常住人口", "万人", "3", "4"])
    )  # fmt: skip
    assert layout is Layout.INDICATORS_YEARS
    assert rows == {"gdp.511083.2023", "gdp.511083.2024", "pop.511083.2023", "pop.511083.2024"}


def test_indicators_by_regions(sheet, taken):
    layout, rows = taken(
        sheet(
            ["2024年主要指标"],
            ["指标", "隆昌市", "威远县"],
            ["地区生产总值（亿元）", "1", "2"],
            ["常住人口（万人）", "3", "4"],
        )
    )
    assert layout is Layout.INDICATORS_REGIONS
    assert "pop.511024.2024" in rows


def test_a_long_table_with_codes(sheet, taken):
    layout, rows = taken(
        sheet(["代码", "县名", "指标", "年份", "数值", "单位"], ["511083", "隆昌市", "GDP", "2024", "1", "亿元"],
              ["511102", "市中区", "GDP", "2024", "2", "亿元"])
    )  # fmt: skip
    assert layout is Layout.LONG
    assert rows == {"gdp.511083.2024", "gdp.511102.2024"}


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ([["地区", "甲", "乙"], ["隆昌市", "1", "2"], ["威远县", "3", "4"]], "indicator"),
        ([["地区", "GDP（亿元）"], ["隆昌市", "1"], ["威远县", "3"]], "period"),
        ([["指标", "2023年", "2024年"], ["GDP（亿元）", "1", "2"]], "region"),
        ([["甲", "乙"], ["1", "2"], ["3", "4"]], "table"),
    ],
)
def test_what_cannot_be_found_makes_the_guess_unsure(sheet, guessed, lines, what):
    found = guessed(sheet(*lines))
    assert not found.is_sure
    assert what in [choice.what for choice in found.choices if not choice.is_sure]


def test_an_unsure_guess_is_a_file_that_says_what_is_left_to_fill_in(sheet, guessed):
    text = guessed(sheet(["地区", "GDP（亿元）"], ["合计", "4"], ["隆昌市", "1"], ["威远县", "3"])).toml()
    assert "# ?? 表1 period = …: 没有找到年份或时期" in text
    assert read_mapping(text).tables[0].layout is Layout.REGIONS_INDICATORS


def test_a_file_without_a_table_has_no_mapping(sheet, guessed):
    found = guessed(sheet(["目录"], ["一、综合"]))
    assert not found.is_sure
    with pytest.raises(InputError, match="no table"):
        found.toml()


def test_a_file_that_says_it_is_made_up_is_marked_so(sheet, guessed):
    lines = [["地区", "2023", "2024"], ["隆昌市", "1", "2"], ["威远县", "3", "4"]]
    for title, synthetic in (("地区生产总值（合成数据，仅供演示）", True), ("地区生产总值", False)):
        assert guessed(sheet([title], *lines)).mapping.source.synthetic is synthetic
