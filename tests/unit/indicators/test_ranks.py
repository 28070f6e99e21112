"""Places, peers, warnings and profiles: what is missing has no place, no colour but grey and no score."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.errors import InputError
from kaozheng.indicators.early_warning import Colour, WarningRule, judged, worst
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.profile import Dimension, Feature, profile
from kaozheng.indicators.ranks import Rank, against_peers, rank
from kaozheng.indicators.undefined import Undefined, Why

D = Decimal
VALUES = {"a": D(5), "b": D(9), "c": D(5), "d": None, "e": D(-1)}
TAX = WarningRule("W-3", "税收收入同比", "%", yellow=D(3), red=D(0))


def test_equal_values_share_a_place_and_the_next_is_skipped():
    assert rank(VALUES, "b", Direction.MORE) == Rank(1, 4, 0, ("d",))
    assert rank(VALUES, "a", Direction.MORE) == rank(VALUES, "c", Direction.MORE) == Rank(2, 4, 1, ("d",))
    assert rank(VALUES, "e", Direction.MORE).place == 4
    assert rank(VALUES, "e", Direction.LESS).place == 1
    assert rank(VALUES, "d", Direction.MORE).why is Why.MISSING


@given(st.dictionaries(st.text(max_size=3), st.decimals(-99, 99, places=1), min_size=1, max_size=8))
def test_places_do_not_depend_on_the_unit_and_mirror_by_direction(values):
    for region in values:
        more, less = rank(values, region, Direction.MORE), rank(values, region, Direction.LESS)
        assert rank({name: value * 100 for name, value in values.items()}, region, Direction.MORE) == more
        assert more.place + less.place + more.tied == len(values) + 1


def test_a_region_is_held_against_others_and_not_against_itself():
    assert against_peers(VALUES, "b", "abcde").median == 5
    assert against_peers(VALUES, "b", "abcde").difference == 4
    assert against_peers(VALUES, "b", "acd").why is Why.TOO_FEW
    assert against_peers(VALUES, "d", "abc").why is Why.MISSING


@pytest.mark.parametrize(
    ("value", "colour", "threshold"),
    [("-0.1", Colour.RED, 0), ("0", Colour.YELLOW, 3), ("2.9", Colour.YELLOW, 3), ("3", Colour.GREEN, None)],
)
def test_a_signal_names_the_rule_and_the_bound(value, colour, threshold):
    signal = judged(TAX, D(value))
    assert (signal.colour, signal.threshold) == (colour, threshold)
    assert "W-3" in signal.reason.zh
    assert "W-3" in signal.reason.en


def test_what_is_not_known_is_grey_and_never_green():
    grey = judged(TAX, Undefined(Why.BASE_MISSING, "2023"))
    assert (grey.colour, grey.reason.zh) == (Colour.GREY, "缺少基期数值（2023）")
    assert worst([judged(TAX, D(9)), grey]) is Colour.GREY
    assert worst([judged(TAX, D(1)), grey]) is Colour.YELLOW
    assert worst([]) is Colour.GREY


def test_red_is_beyond_yellow():
    assert judged(WarningRule("D-1", "负债率", "%", D(60), D(80), below=False), D(81)).colour is Colour.RED
    with pytest.raises(ValueError, match="milder"):
        WarningRule("X", "x", "", yellow=D(0), red=D(3))


def feature(name, dimension=Dimension.SCALE, direction=Direction.MORE, **values):
    return Feature(
        name, dimension, direction, {key: None if value is None else D(value) for key, value in values.items()}
    )


def test_a_dimension_is_the_share_of_others_that_are_worse():
    features = [
        feature("output", a=5, b=1, c=5, d=9, e=2),
        feature("energy", Dimension.GREEN, Direction.LESS, a=5, b=1, c=5, d=9, e=2),
    ]
    found = profile(features, "a")
    assert (found[Dimension.SCALE], found[Dimension.GREEN]) == (D("62.5"), D("37.5"))
    assert found[Dimension.INNOVATION].why is Why.MISSING


def test_a_dimension_without_enough_indicators_has_no_score():
    whole, lacking = feature("x", a=1, b=1, c=1, d=1), feature("y", a=None, b=1, c=1, d=1)
    assert profile([whole, lacking], "a")[Dimension.SCALE].detail == "y"
    assert profile([feature("few", a=1, b=2, c=3)], "a")[Dimension.SCALE].why is Why.MISSING
    with pytest.raises(InputError, match="more is better"):
        feature("n", direction=Direction.NEUTRAL, a=1)
