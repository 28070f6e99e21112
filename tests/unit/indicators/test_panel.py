"""All series at once say the same as one at a time, and the coverage counts what is there."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.indicators.coverage import Completeness, coverage
from kaozheng.indicators.growth import period_on_period, year_on_year
from kaozheng.indicators.indicator import Indicator, PeriodType
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.panel import panel_of, rates
from kaozheng.indicators.period import Period, calendar
from kaozheng.indicators.region import Region
from kaozheng.indicators.series import Series
from kaozheng.indicators.undefined import Undefined, Why

LEVEL = Indicator("level", "税收", "亿元", owner="税务局")
RATE = Indicator("rate", "增速", "%")
CUMULATIVE = Indicator("cumulative", "投资", "亿元", period_type=PeriodType.CUMULATIVE)
ALL = (LEVEL, RATE, CUMULATIVE)


def test_coverage_counts_values_reasons_and_what_is_outside():
    rows = [
        ("a", "level", Period(2023), Decimal(1)),
        ("a", "level", Period(2024), None),
        ("b", "level", Period(2024), Decimal(0)),
        ("c", "level", Period(2024), Decimal(2)),
        ("a", "level", Period(2024, 1), Decimal(2)),
    ]
    panel = panel_of(rows, "ab", [LEVEL], Period(2023), Period(2024))
    found = coverage(panel)
    assert panel.outside == 2
    assert found.total() == Completeness(2, 4)
    assert found.total().share == 50
    assert found.by_region() == {"a": Completeness(1, 2), "b": Completeness(1, 2)}
    assert found.by_indicator() == {"level": Completeness(2, 4)}
    assert found.by_year() == {2023: Completeness(1, 2), 2024: Completeness(1, 2)}
    gaps = [(gap.region, gap.year, gap.missing, gap.explained, gap.indicator.owner) for gap in found.gaps()]
    assert gaps == [("a", 2024, 1, 1, "税务局"), ("b", 2023, 1, 0, "税务局")]


def test_a_year_of_quarters_expects_four_and_a_part_of_one_fewer():
    rows = [("a", "level", Period(2023, 4), Decimal(1)), ("a", "level", Period(2024, 1), Decimal(1))]
    found = coverage(panel_of(rows, "a", [LEVEL], Period(2023, 3), Period(2024, 4)))
    assert found.expected == (2, 4)
    assert [gap.missing for gap in found.gaps()] == [1, 3]


def test_nothing_expected_has_no_share():
    assert coverage(panel_of([], [], [LEVEL], Period(2024), Period(2024))).total().share.why is Why.TOO_FEW


def test_a_panel_of_one_year_has_no_growth():
    assert np.isnan(
        rates(panel_of([("a", "level", Period(2024), Decimal(1))], "a", ALL, Period(2024), Period(2024)))
    ).all()


values = st.one_of(st.none(), st.decimals(-100, 100, places=1))


@pytest.mark.parametrize("by_year", [True, False])
@pytest.mark.parametrize(("first", "last"), [(Period(2021), Period(2024)), (Period(2023, 1), Period(2024, 3))])
@given(data=st.data())
def test_all_at_once_is_the_same_as_one_at_a_time(first, last, by_year, data):
    periods = calendar(first, last)
    rows = [("a", one.key, period, data.draw(values)) for one in ALL for period in periods]
    together = rates(panel_of(rows, "a", ALL, first, last), by_year)
    region, way = Region("511083", 2024), year_on_year if by_year else period_on_period
    for place, one in enumerate(ALL):
        points = {
            period: Observation(
                region, key, period, "", value, one.unit, "", "", Missing.NO_DATA if value is None else None
            )
            for _, key, period, value in rows
            if key == one.key
        }
        for step, period in enumerate(periods):
            growth = way(Series(one, points), period)
            got = together[0, place, step]
            if isinstance(growth, Undefined):
                assert np.isnan(got)
            else:
                assert got == pytest.approx(float(growth.rate), abs=1e-9)
