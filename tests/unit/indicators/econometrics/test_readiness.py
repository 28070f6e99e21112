import subprocess
import sys

import pytest

from kaozheng.errors import InputError, MissingExtraError
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.readiness import Item, at_least, at_most, documented, readiness
from kaozheng.indicators.econometrics.result import Estimate, Specification, concluded
from kaozheng.indicators.econometrics.sample import as_label, draw
from kaozheng.indicators.reason import Reason

WHAT = Reason("数", "count")
SPECIFICATION = Specification("m", "y ~ x", WHAT, "hash")


def item(colour, lack="design"):
    return Item("k", 1, ">= 2", colour, Reason("不足", "too few"), lack)


def test_the_worst_item_gives_the_colour():
    assert readiness("f", [item("green"), item("amber")]).colour == "amber"
    assert readiness("f", [item("green"), item("red"), item("amber")]).colour == "red"
    assert readiness("f", []).colour == "green"


def test_lack_of_data_needs_data_and_a_failed_design_blocks():
    assert readiness("f", [item("red", "data")]).standing == "needs_data"
    assert readiness("f", [item("red", "data"), item("red", "design")]).standing == "blocked"
    assert readiness("f", [item("amber")]).standing == "ready"
    assert readiness("f", [item("red", "data"), item("amber")]).missing == (Reason("不足", "too few"),)


def test_bounds_belong_to_the_better_colour():
    colours = [at_least("k", value, green=10, amber=5, what=WHAT, lack="data").colour for value in (10, 9.9, 5, 4.9)]
    assert colours == ["green", "amber", "amber", "red"]
    colours = [at_most("k", value, green=0.1, amber=0.25, what=WHAT, lack="data").colour for value in (0.1, 0.25, 0.26)]
    assert colours == ["green", "amber", "red"]


def test_what_is_not_a_number_is_red():
    assert at_least("k", float("nan"), green=1, amber=0, what=WHAT, lack="design").colour == "red"
    assert at_most("k", float("nan"), green=1, amber=2, what=WHAT, lack="design").colour == "red"


def test_every_item_says_value_and_threshold_in_both_languages():
    one = at_least("k", 3, green=10, what=WHAT, lack="data")
    assert (one.value, one.threshold) == (3, ">= 10")
    assert "3" in one.reason.zh
    assert "不低于10" in one.reason.zh
    assert ">= 10" in one.reason.en


def test_a_statement_of_blanks_is_none():
    assert documented("k", "  ", what=WHAT, otherwise="red").colour == "red"
    assert documented("k", "2018-07-01", what=WHAT, otherwise="red").colour == "green"


def test_no_estimate_gets_past_a_red_item():
    result = concluded(readiness("f", [item("red")]), SPECIFICATION, [Estimate("x", 1.0)], [])
    assert (result.status, result.estimates) == ("blocked", ())


def test_amber_items_become_limits():
    result = concluded(readiness("f", [item("amber")]), SPECIFICATION, [Estimate("x", 1.0)], [WHAT])
    assert result.status == "estimated"
    assert result.limits == (WHAT, Reason("不足", "too few"))


def test_a_missing_package_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "diff_diff", None)
    with pytest.raises(MissingExtraError, match=r'pip install "kaozheng\[county\]"'):
        library("diff_diff")
    monkeypatch.setitem(sys.modules, "spreg", None)
    with pytest.raises(MissingExtraError, match=r'pip install "kaozheng\[spatial\]"'):
        library("spreg")


def test_nothing_heavy_is_imported_before_a_model_runs():
    code = (
        "import sys; from kaozheng.indicators.econometrics import (did_two_period, matching, panel, composite_score,"
        " clustering, forecast, spatial); print(*{'numpy', 'pandas', 'scipy', 'statsmodels'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_numbers_are_float64_before_anyone_squares_them():
    import numpy as np

    sample = draw({"age": np.array([120, 30], dtype=np.int8)}, ["age"])
    assert (sample.numbers["age"] ** 2).tolist() == [14400.0, 900.0]


def test_rows_with_gaps_are_left_out_and_counted_under_their_first_gap():
    nan = float("nan")
    columns = {"y": [1, None, 3, nan], "x": [1, None, None, 4], "id": ["a", "b", "c", ""]}
    sample = draw(columns, ["y", "x"], ["id"])
    assert (sample.rows, sample.rows_given, sample.gaps) == (1, 4, (("y", 2), ("x", 1)))
    assert sample.labels["id"] == ("a",)


def test_the_hash_is_of_the_data_not_of_their_order_or_type():
    one = draw({"y": [1, 2], "id": ["a", "b"]}, ["y"], ["id"]).data_hash
    assert draw({"y": [2.0, 1.0], "id": ["b", "a"]}, ["y"], ["id"]).data_hash == one
    assert draw({"y": [1, 2], "id": ["b", "a"]}, ["y"], ["id"]).data_hash != one


def test_a_cell_that_is_no_number_is_refused_with_its_place():
    with pytest.raises(InputError, match="column y, row 2"):
        draw({"y": [1, "—"]}, ["y"])
    with pytest.raises(InputError, match="infinite"):
        draw({"y": [1.0, float("inf")]}, ["y"])
    with pytest.raises(InputError, match="no column z"):
        draw({"y": [1.0]}, ["z"])
    with pytest.raises(InputError, match="differ in length"):
        draw({"y": [1.0], "x": [1.0, 2.0]}, ["y", "x"])


def test_a_region_code_is_one_label_however_it_is_typed():
    import numpy as np

    assert {as_label(cell) for cell in (511083, 511083.0, "511083", np.int64(511083))} == {"511083"}
    assert as_label(float("nan")) == as_label(None) == ""
