"""Periods are read from the heads of tables and joined by the calendar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.errors import InputError
from kaozheng.indicators.period import Period, PeriodKind, calendar, read_period


@pytest.mark.parametrize(
    ("text", "period", "from_start"),
    [
        ("2024", Period(2024), False),
        ("2024年", Period(2024), False),
        ("2024 年度", Period(2024), False),
        ("2024Q3", Period(2024, 3), False),
        ("2024-Q3", Period(2024, 3), False),
        ("2024年q1", Period(2024, 1), False),
        ("2024年三季度", Period(2024, 3), False),
        ("2024年第4季度", Period(2024, 4), False),
        ("2024年上半年", Period(2024, 2), True),
        ("2024年前三季度", Period(2024, 3), True),
        ("2024年1-3季度", Period(2024, 3), True),
        ("2024年1—5月", Period(2024, month=5), True),
        ("2024年1至11月份", Period(2024, month=11), True),
        ("2024-05", Period(2024, month=5), False),
        ("2024-1", Period(2024, month=1), False),
        ("2024/12", Period(2024, month=12), False),
        ("202405", Period(2024, month=5), False),
        ("2024年5月", Period(2024, month=5), False),
        ("2024年5月份", Period(2024, month=5), False),
    ],
)
def test_a_head_names_a_period(text, period, from_start):
    assert read_period(text) == (period, from_start)


@pytest.mark.parametrize(
    "text", ["", "去年", "2024-13", "2024-00", "2024Q5", "20245", "2024年1-13月", "1024", "2024-05-01"]
)
def test_what_names_no_period_is_refused(text):
    with pytest.raises(InputError):
        read_period(text)


@pytest.mark.parametrize("wrong", [(2024, 1, 1), (2024, 5), (2024, 0, 13), (1600,), (2024, -1)])
def test_no_period_outside_of_the_calendar(wrong):
    with pytest.raises(ValueError, match=r"no (year|period)"):
        Period(*wrong)


def test_neighbours_cross_the_year():
    assert Period(2024, 1).previous == Period(2023, 4)
    assert Period(2024, month=12).shifted(1) == Period(2025, month=1)
    assert Period(2024, month=2).year_ago == Period(2023, month=2)
    assert Period(2024).year_ago == Period(2024).previous == Period(2023)


def test_a_calendar_has_no_holes():
    months = calendar(Period(2023, month=11), Period(2024, month=2))
    assert [str(month) for month in months] == ["2023-11", "2023-12", "2024-01", "2024-02"]
    with pytest.raises(ValueError, match="one kind"):
        calendar(Period(2023), Period(2024, 1))


periods = st.builds(
    lambda year, part: Period(year, *part),
    st.integers(1950, 2050),
    st.one_of(st.just(()), st.integers(1, 4).map(lambda n: (n,)), st.integers(1, 12).map(lambda n: (0, n))),
)


@given(periods, st.integers(-50, 50))
def test_shifting_back_and_forth_keeps_kind_and_period(period, by):
    moved = period.shifted(by)
    assert moved.kind is period.kind
    assert moved.place - period.place == by
    assert moved.shifted(-by) == period


@given(periods)
def test_a_period_reads_itself(period):
    assert read_period(str(period)) == (period, False)
    assert read_period(period.zh) == (period, False)


def test_kinds_know_how_many_a_year_has():
    assert [kind.in_a_year for kind in PeriodKind] == [1, 4, 12]


@pytest.mark.parametrize("kind", PeriodKind)
def test_a_year_is_all_its_periods_in_order(kind):
    of_year = kind.of_year(2024)
    assert of_year == calendar(of_year[0], of_year[-1])
    assert (len(of_year), {one.kind for one in of_year}) == (kind.in_a_year, {kind})
    assert (of_year[0].previous.year, of_year[-1].shifted(1).year) == (2023, 2025)
