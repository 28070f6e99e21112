from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.gates.personal_data import has_check_digit, luhn, personal_data


def kinds(text: str) -> list[str]:
    return [kind for kind, _ in personal_data(text)]


@pytest.mark.parametrize("number", ["11010519491231002X", "440524188001010014"])  # examples of GB 11643-1999
def test_the_check_digit_is_that_of_the_standard(number: str) -> None:
    assert has_check_digit(number)
    assert not has_check_digit(number[:-1] + "7")


@given(st.integers(min_value=10**14, max_value=10**18 - 1))
def test_exactly_one_last_digit_satisfies_luhn(number: int) -> None:
    assert sum(luhn(f"{number}{digit}") for digit in range(10)) == 1


@given(st.from_regex(r"\A1[3-9]\d{9}\Z"))
def test_every_mobile_number_is_found_and_its_masked_form_is_not(number: str) -> None:
    assert kinds(f"手机{number}。") == ["mobile-number"]
    assert kinds(f"手机{number[:3]}****{number[7:]}。") == []


@given(st.from_regex(r"\A1[3-9]\d{9}\Z"), st.sampled_from(["元", "万元", "吨", "人"]))
def test_eleven_digits_with_a_unit_are_an_amount(number: str, unit: str) -> None:
    assert kinds(f"合计{number}{unit}。") == []


def test_one_place_is_told_once() -> None:
    assert kinds("身份证11010519491231002X") == ["identity-number"]


def test_digits_inside_of_longer_ones_are_nobody() -> None:
    assert kinds("流水13812345678901234567890、0.13812345678") == []
