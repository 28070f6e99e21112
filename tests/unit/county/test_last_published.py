"""Of several revisions the one published last, in the unit of its indicator."""

from decimal import Decimal

import pytest

from kaozheng.county.last_published import last_published
from kaozheng.indicators.period import Period

UNITS = {"gdp": "亿元", "income": "元"}


def row(value, vintage="2024", period="2023", region="511083", indicator="gdp", unit="亿元", missing=None):
    return indicator, region, period, vintage, value, unit, missing


def values(*rows):
    return [value for *_, value in last_published(rows, UNITS)]


def test_a_row_is_said_as_a_panel_takes_it():
    assert list(last_published([row("340.0", period="2023Q2")], UNITS)) == [
        ("511083", "gdp", Period(2023, 2), Decimal("340.0"))
    ]


def test_digits_stay_and_the_point_moves():
    assert [str(value) for value in values(row("340.0"), row("3.50E+4", unit="万元", period="2024"))] == [
        "340.0",
        "3.50",
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row("1", "2023"), row("2", "2025"), row("3", "2024")], Decimal(2)),
        ([row("1", "2024"), row(None, "2025", missing="no_data")], None),
        ([row("1", "2024"), row(None, "2024", missing="no_data")], Decimal(1)),
        ([row("1", "2024"), row("1.0", "2024")], Decimal(1)),
        ([row("1", "2024"), row("10000", "2024", unit="万元")], Decimal(1)),
        ([row("1", "2024"), row("2", "2024")], None),
        ([row("1", "2024"), row("2", "2024"), row("1", "2024")], None),
        ([row("1", "2024"), row(None, "2024", missing="contradicted")], None),
        ([row("1", "2024"), row(None, "2023", missing="contradicted")], Decimal(1)),
        ([row("1", ""), row("2", "2024")], Decimal(2)),
    ],
)
def test_the_last_vintage_counts_and_its_sources_must_agree(rows, expected):
    assert values(*rows) == [expected]
    assert values(*reversed(rows)) == [expected]


def test_neighbours_are_not_taken_for_revisions():
    rows = [
        row("1"),
        row("2", period="2024"),
        row("3", region="511099", period="2024"),
        row("4", indicator="income", unit="元", region="511099", period="2024"),
    ]
    assert values(*rows) == [1, 2, 3, 4]
    assert values() == []
