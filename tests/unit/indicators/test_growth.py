"""Growth by the calendar: what is compared with what, and where there is no rate."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.indicators.growth import (
    average_of_series,
    average_rate,
    elasticity,
    implied_deflator,
    percent,
    period_on_period,
    points,
    two_year_average,
    year_on_year,
)
from kaozheng.indicators.indicator import Calibre, PeriodType
from kaozheng.indicators.period import Period, calendar
from kaozheng.indicators.series import singles
from kaozheng.indicators.undefined import Undefined, Why


def rounded(value, places=2):
    return round(value, places)


def test_a_missing_month_shifts_nothing(series):
    """LAG(12) over the rows would take the wrong month; the calendar does not."""
    months = calendar(Period(2022, month=1), Period(2024, month=12))
    values = {str(month): str(100 + index) for index, month in enumerate(months) if str(month) != "2023-05"}
    made = series(values)
    growth = year_on_year(made, Period(2024, month=6))
    assert (growth.base, growth.base_value, growth.value) == (Period(2023, month=6), 117, 129)
    assert year_on_year(made, Period(2024, month=5)).why is Why.BASE_MISSING
    assert period_on_period(made, Period(2023, month=6)).why is Why.BASE_MISSING
    assert year_on_year(made, Period(2023, month=5)).why is Why.MISSING


def test_part_of_a_year_is_not_held_against_the_whole(series):
    made = series({"2023": "350", "2024Q2": "170"}, period_type=PeriodType.CUMULATIVE)
    assert year_on_year(made, Period(2024, 2)).why is Why.BASE_MISSING
    assert year_on_year(made, Period(2024)).why is Why.MISSING


def test_half_year_and_second_quarter_grow_differently(series):
    made = series({"2023Q1": "76", "2023Q2": "160", "2024Q1": "80", "2024Q2": "170"}, period_type=PeriodType.CUMULATIVE)
    assert rounded(year_on_year(made, Period(2024, 2)).rate) == Decimal("6.25")
    assert rounded(year_on_year(singles(made).series, Period(2024, 2)).rate) == Decimal("7.14")


def test_cumulative_quarters_have_no_rate_on_the_quarter_before(series):
    made = series({"2024Q1": "80", "2024Q2": "170"}, period_type=PeriodType.CUMULATIVE)
    assert period_on_period(made, Period(2024, 2)).why is Why.CUMULATIVE
    assert rounded(period_on_period(singles(made).series, Period(2024, 2)).rate) == Decimal("12.50")


def test_year_on_year_is_not_period_on_period(series):
    made = series({"2023Q2": "84", "2024Q1": "80", "2024Q2": "90"})
    assert rounded(year_on_year(made, Period(2024, 2)).rate) == Decimal("7.14")
    assert rounded(period_on_period(made, Period(2024, 2)).rate) == Decimal("12.50")


def test_rates_change_by_points(series):
    made = series({"2023": "7.2", "2024": "5.3"}, unit="%")
    growth = year_on_year(made, Period(2024))
    assert (growth.rate, growth.unit) == (Decimal("-1.9"), "个百分点")
    assert rounded(percent(Decimal("5.3"), Decimal("7.2")), 1) == Decimal("-26.4")
    assert points(Decimal("5.3"), Decimal("7.2")) == Decimal("-1.9")


def test_a_rate_of_zero_or_below_still_has_points(series):
    assert year_on_year(series({"2023": "0", "2024": "-1.5"}, unit="%"), Period(2024)).rate == Decimal("-1.5")


@pytest.mark.parametrize(
    ("base", "value", "why", "difference"),
    [
        ("0", "5", Why.ZERO_BASE, 5),
        ("0", "0", Why.ZERO_BASE, 0),
        ("-4", "6", Why.NEGATIVE_BASE, 10),
        ("-4", "-6", Why.NEGATIVE_BASE, -2),
        ("10", "-5", Why.SIGN_CHANGE, -15),
        ("…", "5", Why.BASE_MISSING, None),
        ("5", "", Why.MISSING, None),
    ],
)
def test_where_there_is_no_rate_the_reason_and_the_difference_are_said(series, base, value, why, difference):
    growth = year_on_year(series({"2023": base, "2024": value}), Period(2024))
    assert isinstance(growth, Undefined)
    assert (growth.why, growth.difference) == (why, difference)
    assert growth.reason.zh
    assert growth.reason.en


def test_a_fall_to_zero_is_a_hundred_per_cent():
    assert percent(Decimal(0), Decimal(8)) == -100


def test_a_series_of_one_year_has_no_growth(series):
    assert year_on_year(series({"2024": "340"}), Period(2024)).why is Why.BASE_MISSING


def test_nothing_grows_across_a_break(series):
    made = series({"2019": "300", "2020": "420", "2021": "441"}, breaks=[2020])
    assert year_on_year(made, Period(2020)).why is Why.BREAK
    assert year_on_year(made, Period(2020)).difference == 120
    assert rounded(year_on_year(made, Period(2021)).rate) == 5
    assert average_of_series(made, Period(2019), Period(2021)).why is Why.BREAK


def test_another_revision_of_the_base_is_said(observed):
    from kaozheng.indicators.indicator import Indicator
    from kaozheng.indicators.series import series_of

    gdp = Indicator("gdp", "地区生产总值", "亿元", Calibre.CURRENT)
    growth = year_on_year(
        series_of(gdp, [observed("2023", "340", vintage="2024"), observed("2024", "356.78", vintage="2025")]),
        Period(2024),
    )
    assert growth.revised
    assert (rounded(growth.rate), growth.calibre, growth.difference) == (Decimal("4.94"), "现价", Decimal("16.78"))


def test_average_rates_count_the_years_between():
    assert rounded(average_rate(Decimal("146.41"), 2024, Decimal(100), 2020)) == Decimal("10.00")
    assert average_rate(Decimal(1), 2024, Decimal(1), 2024).why is Why.TOO_FEW
    assert average_rate(Decimal(5), 2024, Decimal(0), 2020).why is Why.ZERO_BASE
    assert average_rate(Decimal(5), 2024, Decimal(-1), 2020).why is Why.NEGATIVE_BASE
    assert average_rate(Decimal(0), 2024, Decimal(3), 2020) == -100


def test_average_of_a_series_is_of_years_and_of_levels(series):
    years = {"2020": "100", "2024": "146.41", "2021": "—"}
    assert rounded(average_of_series(series(years), Period(2020), Period(2024))) == 10
    assert average_of_series(series(years), Period(2021), Period(2024)).why is Why.BASE_MISSING
    assert average_of_series(series(years), Period(2020), Period(2023)).why is Why.MISSING
    assert average_of_series(series(years, unit="%"), Period(2020), Period(2024)).why is Why.CALIBRES
    quarters = series({"2020Q1": "1", "2024Q1": "2"})
    assert average_of_series(quarters, Period(2020, 1), Period(2024, 1)).why is Why.CALIBRES


def test_two_years_average_geometrically():
    assert rounded(two_year_average(Decimal("2.3"), Decimal("8.1"))) == Decimal("5.16")
    assert two_year_average(Decimal(-100), Decimal(5)).why is Why.NEGATIVE_BASE


def test_elasticity_is_not_said_for_small_or_negative_growth():
    assert rounded(elasticity(Decimal("7.2"), Decimal("5.5"))) == Decimal("1.31")
    assert elasticity(Decimal("7.2"), Decimal("0.9")).why is Why.SMALL_DIVISOR
    assert elasticity(Decimal("7.2"), Decimal("-3")).reason.zh.startswith("不适用")


def test_the_deflator_that_two_rates_imply():
    assert rounded(implied_deflator(Decimal("4.94"), Decimal("6.1")), 1) == Decimal("-1.1")
    assert implied_deflator(Decimal(4), Decimal(-100)).why is Why.SMALL_DIVISOR


values = st.decimals("0.01", "1000000", places=2)


@given(values, values, st.integers(-6, 6))
def test_a_rate_does_not_depend_on_the_unit(value, base, power):
    assert percent(value.scaleb(power), base.scaleb(power)) == percent(value, base)


@given(values, values, values)
def test_rates_chain(first, second, third):
    one, two = percent(second, first) / 100 + 1, percent(third, second) / 100 + 1
    assert abs((one * two - 1) * 100 - percent(third, first)) <= max(1, one * two) * Decimal("1e-20")


@given(values, values)
def test_a_rate_has_the_sign_of_the_difference(value, base):
    rate = percent(value, base)
    assert (rate > 0, rate < 0) == (value > base, value < base)


@given(values, values, st.integers(1, 30))
def test_an_average_rate_leads_from_base_to_value(value, base, years):
    rate = average_rate(value, 2000 + years, base, 2000)
    assert abs(base * (1 + rate / 100) ** years / value - 1) < Decimal("1e-12")
