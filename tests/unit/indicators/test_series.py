"""A series has one value a period, and singles come from cumulative values of one revision."""

from decimal import Decimal

import pytest

from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Indicator, PeriodType
from kaozheng.indicators.observation import Missing
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region
from kaozheng.indicators.series import series_of, singles
from kaozheng.indicators.undefined import Why

GDP = Indicator("gdp", "地区生产总值", "亿元")


def test_the_last_revision_counts_or_the_last_up_to_one(observed):
    both = [observed("2023", "318.1", vintage="2025"), observed("2023", "320.5", vintage="2024-03")]
    assert series_of(GDP, both).value(Period(2023)) == Decimal("318.1")
    assert series_of(GDP, both, vintage="2024-12").value(Period(2023)) == Decimal("320.5")
    assert series_of(GDP, both, vintage="2023").value(Period(2023)) is None


def test_units_are_brought_to_the_indicators(observed):
    series = series_of(GDP, [observed("2024", "3567800", unit="万元"), observed("2023", "340.00")])
    assert series.value(Period(2024)) == Decimal("356.78")
    with pytest.raises(InputError, match="人 cannot be said in 亿元"):
        series_of(GDP, [observed("2024", "71.2", unit="万人")])


def test_two_values_in_one_revision_are_no_value(observed):
    series = series_of(GDP, [observed("2024", "340"), observed("2024", "341"), observed("2024", "340")])
    assert series.value(Period(2024)) is None
    assert series.points[Period(2024)].missing is Missing.CONTRADICTED
    same = series_of(
        GDP, [observed("2024", "—"), observed("2024", "3.4", unit="亿元"), observed("2024", "34000", unit="万元")]
    )
    assert same.value(Period(2024)) == Decimal("3.4")


def test_a_region_may_change_its_code_over_time_but_not_within_a_period(observed):
    old = Region("511028", 2016, "隆昌县")
    assert len(series_of(GDP, [observed("2016", "200", region=old), observed("2017", "210")]).periods()) == 2
    with pytest.raises(InputError, match="two regions"):
        series_of(GDP, [observed("2016", "200", region=old), observed("2016", "210")])


def test_other_indicators_are_left_out(observed):
    assert not series_of(GDP, [observed("2024", "5", key="tax")]).points


def test_singles_are_differences_within_a_year(series):
    cumulative = series(
        {"2023Q4": "350", "2024Q1": "80", "2024Q2": "170", "2024Q4": "360"}, period_type=PeriodType.CUMULATIVE
    )
    made = singles(cumulative)
    assert {str(period): made.series.value(period) for period in made.series.periods()} == {"2024Q1": 80, "2024Q2": 90}
    assert made.series.indicator.period_type is PeriodType.SINGLE
    assert made.series.points[Period(2024, 2)].source == "表1 2024Q2 - 表1 2024Q1"
    assert {str(period): one.why for period, one in made.undefined.items()} == {
        "2023Q4": Why.BASE_MISSING,
        "2024Q4": Why.BASE_MISSING,
    }


def test_singles_never_mix_revisions(observed):
    cumulative = Indicator("gdp", "地区生产总值", "亿元", period_type=PeriodType.CUMULATIVE)
    points = [observed("2024Q1", "80", vintage="2024-04"), observed("2024Q2", "170", vintage="2025")]
    made = singles(series_of(cumulative, points))
    assert made.undefined[Period(2024, 2)].why is Why.VINTAGES


def test_january_that_no_table_has_leaves_february_without_a_single_value(series):
    made = singles(series({"2024-02": "20", "2024-03": "33", "2024-04": "…"}, period_type=PeriodType.CUMULATIVE))
    assert made.series.value(Period(2024, month=3)) == 13
    assert {period.month: one.why for period, one in made.undefined.items()} == {2: Why.BASE_MISSING, 4: Why.MISSING}


def test_only_cumulative_series_are_made_single(series):
    with pytest.raises(InputError, match="当期, not 累计"):
        singles(series({"2024": "1"}))
    years = singles(series({"2023": "1", "2024": "3"}, period_type=PeriodType.CUMULATIVE))
    assert years.series.value(Period(2024)) == 3
