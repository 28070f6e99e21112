"""A number of a statement holds however the lines write it, and no line makes reading slow."""

from __future__ import annotations

import pytest

from kaozheng.roles.explorer.figures import plain, unproven_number


@pytest.mark.parametrize(
    ("prose", "lines"),
    [
        ("等待3600秒", "TIMEOUT = 3600"),
        ("等待一千秒", "TIMEOUT = 1_000"),
        ("waits 5 s", "delay='5000ms'"),
        ("holds 5k rows", "ROWS = 5000"),
        ("占用3.5万行", "ROWS = 35000"),
        ("half of it, 50%", "share = 0.5"),
        ("16 bytes", "size = 0x10"),
        ("Python 3.11", "3.11.4"),
        ("three retries", "for _ in range(3):"),
        ("3 retries", "# three retries"),
        ("最多四十二次", "LIMIT = 42"),
        ("points 1 and 2", "f(1,2)"),
    ],
)
def test_it_stands_there_in_another_form(prose, lines):
    assert unproven_number(plain(prose), plain(lines), 0) == ""


def test_as_many_as_are_listed_may_be_counted():
    assert unproven_number("twelve functions", "def a(): ...", 12) == ""
    assert unproven_number("twelve functions", "def a(): ...", 11) == "twelve"


def test_a_number_far_to_the_right_is_data():
    assert unproven_number("waits 77 s", "9" * 100_000 + " 77", 0) == "77 s"
