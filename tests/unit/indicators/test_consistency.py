"""What does not fit is said; what rounding explains is not."""

from decimal import Decimal

from kaozheng.indicators.consistency import (
    Part,
    add_up,
    contradictions,
    cumulative_and_single,
    nominal_and_real,
    parts_and_total,
    unit_jumps,
)
from kaozheng.indicators.indicator import PeriodType
from kaozheng.indicators.observation import Missing

D = Decimal


def parts(*values):
    return [Part(f"p{place}", value) for place, value in enumerate(values)]


def test_rounding_of_parts_is_no_fault():
    assert parts_and_total(("gdp",), D("100.0"), parts(D("33.3"), D("33.3"), D("33.3"))) == []
    assert parts_and_total(("gdp",), D("100.0"), parts(D("33.3"), D("33.3"), D("33.1")))[0].check == "parts-and-total"
    assert add_up(D("100.0"), parts(D("33.3"), D("33.3"), D("33.3"))).tolerance == D("0.2")


def test_marks_add_what_they_mean():
    assert add_up(D("5.0"), parts(D("5.0"), Missing.NOTHING)).fits is True
    assert add_up(D("5.2"), parts(D("5.0"), Missing.NOTHING)).fits is False
    assert add_up(D("5.1"), parts(D("5.0"), Missing.TOO_SMALL)).fits is True
    assert add_up(D("9.0"), parts(D("5.0"), Missing.NO_DATA)).fits is None
    assert add_up(D("4.0"), parts(D("5.0"), Missing.WITHHELD)).fits is False


def test_parts_of_parts_are_not_added():
    inner = [*parts(D(60), D(40)), Part("C", D(55), within="p0")]
    assert parts_and_total(("emp",), D(100), inner) == []
    inner[-1] = Part("C", D(70), within="p0")
    assert [one.check for one in parts_and_total(("emp",), D(100), inner)] == ["part-of-part"]


def test_a_jump_of_ten_thousand_is_a_unit(series):
    assert len(unit_jumps(series({"2022": "340", "2023": "3567800", "2024": "370"}))) == 2
    assert unit_jumps(series({"2022": "340", "2023": "0", "2024": "34000"})) == []


def test_nominal_beside_real_is_no_fault_within_reason():
    assert nominal_and_real(("gdp",), D("4.94"), D("6.1")) == []
    assert nominal_and_real(("gdp",), D("4.94"), D("26.1"))[0].check == "nominal-and-real"
    assert len(nominal_and_real(("gdp",), D(5), D(-100))) == 1


def test_cumulative_values_are_held_against_single_ones(series):
    cumulative = series({"2024Q1": "80", "2024Q2": "170", "2024Q3": "165"}, period_type=PeriodType.CUMULATIVE)
    found = cumulative_and_single(cumulative, series({"2024Q1": "80", "2024Q2": "95"}))
    assert [(one.check, one.where[1]) for one in found] == [
        ("cumulative-and-single", "2024Q2"),
        ("cumulative-falls", "2024Q3"),
    ]


def test_two_values_for_one_thing(observed):
    same = [observed("2024", "356.78"), observed("2024", "3567800", unit="万元"), observed("2024", "356.8")]
    assert contradictions(same) == []
    assert contradictions([*same, observed("2024", "358.0")])[0].check == "contradiction"
    assert contradictions([observed("2024", "1"), observed("2024", "2", vintage="2026")]) == []
