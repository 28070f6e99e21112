"""An observation is a value or the reason that there is none; units are part of it."""

from decimal import Decimal

import pytest

from kaozheng.indicators.observation import Missing, Observation, converted, missing_mark, step_of
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region

REGION = Region("511083", 2024)


@pytest.mark.parametrize(
    ("raw", "missing"),
    [
        ("", Missing.NO_DATA),
        ("  ", Missing.NO_DATA),
        ("—", Missing.NOTHING),
        ("…", Missing.TOO_SMALL),
        ("……", Missing.TOO_SMALL),
        ("*", Missing.WITHHELD),
        ("0.0", None),
        ("0", None),
        ("#", None),
        ("-3.2", None),
    ],
)
def test_marks_of_yearbooks_say_why(raw, missing):
    assert missing_mark(raw) is missing


@pytest.mark.parametrize(
    ("value", "missing"),
    [(Decimal(1), Missing.NO_DATA), (None, None), (Decimal("NaN"), None), (Decimal("Infinity"), None)],
)
def test_either_a_value_or_a_reason(value, missing):
    with pytest.raises(ValueError, match="value"):
        Observation(REGION, "gdp", Period(2024), "x", value, "亿元", "表1 B2", "2025", missing)


def test_a_unit_moves_the_point_and_keeps_what_is_known():
    value = converted(Decimal("3.5"), "亿元", "万元")
    assert value == 35_000
    assert step_of(value) == 1000
    assert step_of(Decimal("340.0")) == Decimal("0.1")
    assert converted(Decimal("45200"), "万元", "亿元") == Decimal("4.52")
    assert converted(Decimal(3), "亩", "亩") == 3
    assert converted(Decimal(2), "季度", "个月") == 6


@pytest.mark.parametrize(
    ("unit", "other"), [("亿元", "万人"), ("亿元", "亿美元"), ("%", "个百分点"), ("吨", "吨标准煤"), ("", "元")]
)
def test_other_measures_are_not_converted(unit, other):
    assert converted(Decimal(1), unit, other) is None
