"""Structure, shift-share and scores at their edges: zero, negative, missing, constant."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.errors import InputError
from kaozheng.indicators.composite import entropy_weights, scaled, topsis
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.location import location_quotient
from kaozheng.indicators.shift_share import shift_share
from kaozheng.indicators.structure import concentration, krugman, similarity
from kaozheng.indicators.undefined import Why

D = Decimal
MORE = {name: Direction.MORE for name in "abc"}


def table(*rows):
    return {f"r{place}": dict(zip("abc", map(D, row), strict=True)) for place, row in enumerate(rows)}


def test_krugman_and_similarity_are_two_indices():
    here, there = {"a": D(5), "b": D(3), "c": D(2)}, {"a": D(4), "b": D(4), "c": D(2)}
    assert krugman(here, there) == D("0.2")
    assert round(similarity(here, there), 6) == D("0.973329")


def test_sectors_are_joined_by_name_and_a_gap_is_no_zero():
    assert krugman({"a": D(1), "b": D(3)}, {"b": D(3), "a": D(1)}) == 0
    assert krugman({"a": D(1)}, {"a": D(1), "b": D(2)}).why is Why.MISSING
    assert krugman({"a": D(0)}, {"a": D(1)}).why is Why.ZERO_TOTAL
    assert similarity({"a": D(-1), "b": D(4)}, {"a": D(1), "b": D(2)}).why is Why.NEGATIVE_PART


def test_one_sector_alone():
    alone = concentration({"a": D(7)})
    assert (alone.hhi, alone.equivalent, alone.normalised.why) == (1, 1, Why.TOO_FEW)
    assert concentration({}).why is Why.ZERO_TOTAL


@pytest.mark.parametrize(
    ("given_", "why"),
    [((1, 0, 1, 1), Why.ZERO_TOTAL), ((1, 2, 0, 3), Why.ZERO_TOTAL), ((-1, 2, 3, 4), Why.NEGATIVE_PART)],
)
def test_no_location_quotient(given_, why):
    assert location_quotient(*map(D, given_)).why is why


def test_an_industry_new_to_the_whole_is_reported_and_not_dropped():
    sectors = [{"a": D(10), "b": D(0)}, {"a": D(12), "b": D(5)}, {"a": D(100), "b": D(0)}, {"a": D(110), "b": D(9)}]
    got = shift_share(*sectors)
    assert (got.undefined, got.unassigned, got.total) == (("b",), 5, 7)
    assert got.national + got.mix + got.competitive + got.unassigned == got.total
    with pytest.raises(InputError, match="the whole has none"):
        shift_share({"a": D(1), "b": D(1)}, *sectors[1:])
    assert shift_share({"a": D(1)}, *sectors[1:]).why is Why.MISSING


def test_a_constant_column_weighs_nothing():
    made = scaled(table((0, 5, 3), (2, 5, 4), (4, 5, 9)), MORE)
    assert {name: round(weight, 4) for name, weight in entropy_weights(made).items()} == {
        "a": D("0.4016"),
        "b": 0,
        "c": D("0.5984"),
    }
    assert entropy_weights(table((1, 1, 1), (1, 1, 1))).why is Why.CONSTANT
    assert entropy_weights(table((1, 2, 3))).why is Why.TOO_FEW
    assert entropy_weights(table((-1, 2, 3), (1, 1, 1))).why is Why.NEGATIVE_PART


def test_the_ideal_of_before_keeps_the_scores_when_a_county_comes():
    rows, weights = [(2, 3, 4), (5, 1, 2), (3, 3, 1)], dict.fromkeys("abc", D(1))
    first = topsis(table(*rows), weights, MORE)
    more = topsis(table(*rows, (9, 9, 9)), weights, MORE, first.ideal)
    assert {name: more.scores[name] for name in first.scores} == first.scores
    assert topsis(table((1, 1, 1), (1, 1, 1)), weights, MORE).why is Why.CONSTANT


@pytest.mark.parametrize("directions", [{}, {**MORE, "a": Direction.NEUTRAL}])
def test_a_direction_must_be_said(directions):
    with pytest.raises(InputError, match="more is better"):
        scaled(table((1, 2, 3), (2, 3, 4)), directions)


def test_gaps_and_weights_are_not_guessed():
    with pytest.raises(InputError, match="r1: c"):
        scaled({"r0": {"c": D(1)}, "r1": {}}, MORE)
    with pytest.raises(InputError, match="weight"):
        topsis(table((1, 2, 3), (2, 3, 4)), {"a": D(1)}, MORE)


amounts = st.lists(st.decimals(0, 10_000, places=1), min_size=3, max_size=3).filter(any)
columns = amounts.map(lambda values: dict(zip("abc", values, strict=True)))


@given(columns, columns, columns.filter(lambda sectors: all(sectors.values())), columns)
def test_shift_share_adds_up(before, after, whole_before, whole_after):
    got = shift_share(before, after, whole_before, whole_after)
    assert got.total == sum(after.values()) - sum(before.values())
    assert abs(got.national + got.mix + got.competitive - got.total) < D("1e-15")


@given(columns, columns, st.integers(1, 1000))
def test_structure_does_not_depend_on_scale(here, there, factor):
    larger = {name: value * factor for name, value in here.items()}
    assert abs(krugman(larger, there) - krugman(here, there)) < D("1e-20")
    assert abs(concentration(larger).hhi - concentration(here).hhi) < D("1e-20")
    assert -D("1e-20") <= krugman(here, there) <= 2 + D("1e-20")
