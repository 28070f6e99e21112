"""The figures of a region as tables: a nominal rate is never passed off as the real one, no value is no number."""

from decimal import Decimal

from kaozheng.county.catalogue import built_in
from kaozheng.county.region_figures import region_figures
from kaozheng.deliverables.region_tables import region_numbers, region_tables
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region

GDP, RATE, POP = (built_in().get(key) for key in ("gdp", "gdp_growth", "pop"))


def row(indicator, year, value, vintage="2025"):
    cell = f"t.xlsx!{indicator.key}!{year}"
    region = Region("511083", year)
    return Observation(region, indicator.key, Period(year), value, Decimal(value), indicator.unit, cell, vintage)


def tables(*observations, language="zh"):
    here = Region("511083", 2024, "隆昌市")
    found = region_figures(here, Period(2024), [GDP, RATE, POP], observations, [])
    return region_tables(found, {"511083": "隆昌市"}, {"t.xlsx": "年鉴"}, True, language)


def cells(table):
    heads = [column.head for column in table.columns]
    return [dict(zip(heads, line, strict=True)) for line in table.rows]


def test_amounts_grow_in_per_cent_and_rates_in_points():
    values, _, _ = tables(row(GDP, 2024, "110"), row(GDP, 2023, "100"), row(RATE, 2024, "5.3"), row(RATE, 2023, "7.2"))
    assert [line["同比"] for line in cells(values)] == ["+10.0%", "-1.9个百分点", "—"]


def test_row_and_cell_stand_beside_each_value_and_the_publication_below():
    values, _, _ = tables(row(GDP, 2024, "110"))
    line = cells(values)[0]
    assert (line["数据行"], line["来源"]) == ("gdp.511083.2024", "t.xlsx!gdp!2024@2025")
    assert values.source == "年鉴（t.xlsx）"
    assert any("名义增速" in note for note in values.notes)


def test_value_that_is_nowhere_is_words_and_no_number():
    values, _, _ = tables(row(GDP, 2024, "110"))
    assert [line["数值"] for line in cells(values)] == [Decimal(110), "无此行", "无此行"]


def test_value_that_is_missing_says_why_in_the_language_of_the_table():
    blank = Observation(
        Region("511083", 2024),
        "gdp",
        Period(2024),
        "",
        None,
        "亿元",
        "t.xlsx!gdp!2024",
        "2025",
        missing=Missing.NO_DATA,
    )
    said = [cells(tables(blank, language=language)[0])[0] for language in ("zh", "en")]
    assert [said[0]["数值"], said[1]["value"]] == ["没有数据", "no data"]


def test_growth_between_two_revisions_is_marked():
    values, _, _ = tables(row(GDP, 2024, "110", "2026"), row(GDP, 2023, "100", "2025"))
    assert cells(values)[0]["同比"] == "+10.0%*"
    assert any("修订版本" in note for note in values.notes)


def test_each_table_is_marked_as_synthetic_in_both_languages():
    assert [table.synthetic for language in ("zh", "en") for table in tables(language=language)] == [True] * 6


def test_growth_and_places_are_numbers_where_they_are_to_be_charted():
    here = Region("511083", 2024, "隆昌市")
    given = [row(GDP, 2024, "110"), row(GDP, 2023, "100"), row(RATE, 2024, "5.3"), row(RATE, 2023, "7.2")]
    others = [(code, "gdp", Period(2024), Decimal(value)) for code, value in (("511083", 110), ("511024", 90))]
    lines = cells(region_numbers(region_figures(here, Period(2024), [GDP, RATE, POP], given, others), True, "zh"))
    assert [(line["同比"], line["同比单位"]) for line in lines] == [
        (10, "%"),
        (Decimal("-1.9"), "个百分点"),
        (None, ""),
    ]
    assert [(line["位次"], line["有数地区数"]) for line in lines] == [(1, 2), (None, None), (None, None)]
