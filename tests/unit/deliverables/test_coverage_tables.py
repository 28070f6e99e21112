"""Coverage as tables: what is counted is what the matrix says."""

from decimal import Decimal

from kaozheng.deliverables.coverage_tables import coverage_tables
from kaozheng.indicators.coverage import coverage
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.panel import panel_of
from kaozheng.indicators.period import Period

GDP = Indicator("gdp", "地区生产总值", "亿元", owner="统计局")
POP = Indicator("pop", "常住人口", "万人", owner="公安局")


def tables(language="zh", synthetic=False):
    rows = [
        ("511083", "gdp", Period(2023), Decimal(1)),
        ("511083", "gdp", Period(2024), Decimal(2)),
        ("511083", "pop", Period(2024), None),
        ("511024", "gdp", Period(2024), Decimal(3)),
    ]
    matrix = coverage(panel_of(rows, ("511024", "511083"), (GDP, POP), Period(2023), Period(2024)))
    return coverage_tables(matrix, {"511083": "隆昌市", "511024": "威远县"}, synthetic, language)


def test_shares_are_of_the_cells_that_are_expected():
    by_region, by_indicator, _ = tables()
    assert by_region.rows == [("511024", "威远县", 25, 0, 50), ("511083", "隆昌市", 50, 50, 50)]
    assert by_indicator.rows == [("gdp", "地区生产总值", "统计局", 75, 50, 100), ("pop", "常住人口", "公安局", 0, 0, 0)]
    assert [one.head for one in by_region.columns] == ["代码", "地区", "合计", "2023", "2024"]


def test_every_gap_stands_there_with_its_department_and_what_explains_it():
    gaps = tables()[2]
    assert len(gaps.rows) == 5
    assert ("511083", "隆昌市", "pop", "常住人口", 2024, 1, 1, "公安局") in gaps.rows


def test_each_table_is_marked_when_it_is_synthetic():
    assert [one.synthetic for one in tables("en", synthetic=True)] == [True] * 3
    assert tables("en")[2].title == "Gaps"
