"""Regions that are alike: by distance, in a fixed order, and never by a value that is not there."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.indicators.peers import Peers, nearest_peers
from kaozheng.indicators.undefined import Undefined, Why

D = Decimal
GDP = {"a": D(100), "b": D(110), "c": D(130), "d": D(100), "e": None}
RATE = {"a": D(5), "b": D(5), "c": D(6), "d": D(8), "e": D(5)}


def test_the_distance_is_that_of_values_divided_by_their_spread() -> None:
    found = nearest_peers({"gdp": GDP, "rate": RATE}, "a", 3)

    assert isinstance(found, Peers)
    # sample variances over a-d: gdp 200, rate 2
    assert [(peer.region, round(peer.distance, 6)) for peer in found.nearest] == [
        ("b", D("0.707107")),  # sqrt(100/200)
        ("d", D("2.121320")),  # sqrt(9/2)
        ("c", D("2.236068")),  # sqrt(900/200 + 1/2)
    ]
    assert (found.compared, found.left_out, found.constant) == (3, ("e",), ())


def test_equal_distances_are_in_the_order_of_names() -> None:
    same = {"x": D(1), "c": D(2), "b": D(2), "a": D(0)}

    found = nearest_peers({"k": same}, "x", 9)

    assert isinstance(found, Peers)
    assert [peer.region for peer in found.nearest] == ["a", "b", "c"]


def test_an_indicator_that_is_the_same_everywhere_is_told_and_counts_nothing() -> None:
    found = nearest_peers({"gdp": GDP, "one": dict.fromkeys("abcde", D(1))}, "a", 1)

    assert isinstance(found, Peers)
    assert found.constant == ("one",)
    assert found.nearest[0].region == "d"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"gdp": {**GDP, "a": None}}, Why.MISSING),
        ({"gdp": {"a": D(1), "b": D(2)}}, Why.TOO_FEW),
        ({"one": dict.fromkeys("abc", D(1))}, Why.CONSTANT),
        ({}, Why.MISSING),
    ],
)
def test_without_enough_values_there_are_no_peers_but_a_reason(values: dict, why: Why) -> None:
    found = nearest_peers(values, "a", 3)

    assert isinstance(found, Undefined)
    assert found.why is why


@given(
    st.dictionaries(
        st.sampled_from("abcdefgh"), st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=3, max_size=8
    ),
    st.sampled_from([D("0.001"), D(10000)]),
)
def test_the_unit_of_an_indicator_changes_no_distance(rows: dict[str, tuple[int, int]], factor: Decimal) -> None:
    first = {name: D(row[0]) for name, row in rows.items()}
    second = {name: D(row[1]) for name, row in rows.items()}
    region = min(rows)
    plain = nearest_peers({"k": first, "m": second}, region, 8)
    scaled = nearest_peers({"k": {name: value * factor for name, value in first.items()}, "m": second}, region, 8)

    if isinstance(plain, Undefined):
        assert plain == scaled
        return
    assert isinstance(scaled, Peers)
    by_name = {peer.region: peer.distance for peer in plain.nearest}
    assert all(abs(by_name[peer.region] - peer.distance) < D("1e-12") for peer in scaled.nearest)
    assert len(plain.nearest) == plain.compared == len(rows) - 1
