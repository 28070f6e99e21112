"""Names of sheets that any program takes."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kaozheng.deliverables.sheet_names import sheet_names


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["县域经济"], ["县域经济"]),
        (["a/b:c", "a b c"], ["a b c", "a b c (2)"]),
        (["GDP", "gdp"], ["GDP", "gdp (2)"]),
        (["", "[]"], ["Sheet1", "Sheet2"]),
        (["'引'", "History"], ["引", "History (2)"]),
        (["长" * 40, "长" * 40], ["长" * 31, "长" * 27 + " (2)"]),
        (["𠮷" * 20], ["𠮷" * 15]),
    ],
)
def test_a_name_is_as_near_to_its_title_as_may_be(titles, names):
    assert sheet_names(titles) == names


@example(["'", " ' '", "''甲''"])
@given(st.lists(st.text(max_size=40) | st.sampled_from(["甲", "甲 (2)", "Sheet1", "history"]), max_size=12))
def test_every_name_is_allowed_and_none_is_there_twice(titles):
    names = sheet_names(titles)
    assert len({name.casefold() for name in names}) == len(titles)
    for name in names:
        assert 0 < len(name.encode("utf-16-le", "surrogatepass")) // 2 <= 31
        assert not re.search(r"[\[\]:*?/\\]|^'|'$", name)
        assert name.strip() == name
