"""Rankings made one, and rankings that are refused."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.fusion import Fusing, Leg, fuse

WORDS = Leg("words", (("a", 8.0), ("b", 4.0)))
DENSE = Leg("dense", (("b", 0.9), ("c", 0.8)), floor=0.7)


def order(fused):
    return [one.ref for one in fused.order]


def test_scores_are_stretched_between_the_floor_and_the_best():
    fused = fuse([WORDS, DENSE], how=Fusing(weights={"words": 0.3, "dense": 0.7}))
    scores = {one.ref: one.score for one in fused.order}
    assert scores == pytest.approx({"a": 0.3, "b": 0.3 * 0.5 + 0.7, "c": 0.7 * 0.5})
    assert order(fused) == ["b", "c", "a"]


def test_absent_leg_takes_no_share():
    (first, second) = fuse([WORDS]).order
    assert (first.score, second.score) == pytest.approx((1.0, 0.5))


def test_ranks_are_added_with_k_60():
    fused = fuse([WORDS, DENSE], how=Fusing("ranks"))
    scores = {one.ref: one.score for one in fused.order}
    assert scores == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62})


def test_each_chunk_keeps_its_scores_before_fusion():
    by_ref = {one.ref: one.legs for one in fuse([WORDS, DENSE]).order}
    assert by_ref == {"a": {"words": 8.0}, "b": {"words": 4.0, "dense": 0.9}, "c": {"dense": 0.8}}


def test_exact_chunks_go_first_even_where_no_leg_has_them():
    fused = fuse([WORDS], exact=["x", "b"])
    assert [(one.ref, one.exact) for one in fused.order] == [("b", True), ("x", True), ("a", False)]


@pytest.mark.parametrize(
    ("leg", "reason"),
    [
        (Leg("dense", (("c", math.nan),)), "no number"),
        (Leg("dense", (("c", math.inf), ("a", 1.0))), "no number"),
        (Leg("dense", (("c", 1.0),), floor=math.nan), "no number"),
        (Leg("dense", (("c", 0.5), ("a", 0.9))), "do not fall"),
        (Leg("dense", (("c", 0.5), ("c", 0.4))), "twice"),
        (Leg("dense", tuple((str(n), 0.5) for n in range(10)), floor=0.5), "its best 10 chunks are no better"),
        (Leg("dense", (), refused="the embedder is not there"), "the embedder is not there"),
    ],
)
@pytest.mark.parametrize("method", ["scores", "ranks"])
def test_broken_leg_is_refused_and_the_rest_stands(leg, reason, method):
    fused = fuse([WORDS, leg], how=Fusing(method))
    assert reason in fused.refused["dense"]
    assert fused.order == fuse([WORDS], how=Fusing(method)).order


def test_chunks_of_one_score_above_the_floor_are_no_fault():
    assert fuse([Leg("words", tuple((str(n), 2.0) for n in range(50)))]).refused == {}
    assert fuse([Leg("dense", (("a", 0.5), ("b", 0.5)), floor=0.5)]).refused == {}


def test_nothing_fused_is_nothing():
    assert fuse([]).order == ()
    assert fuse([Leg("words"), Leg("dense")]).order == ()


LEGS = st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.floats(0, 100), max_size=9).map(
    lambda scores: tuple(sorted(scores.items(), key=lambda item: -item[1]))
)


@given(
    LEGS, LEGS, st.sampled_from(["scores", "ranks"]), st.lists(st.text("abcdef", min_size=1, max_size=2), max_size=3)
)
def test_order_has_every_chunk_once_and_scores_fall(words, dense, method, exact):
    fused = fuse([Leg("words", words), Leg("dense", dense)], exact, Fusing(method))
    assert sorted(order(fused)) == sorted({ref for ref, _ in words + dense} | set(exact))
    assert {one.ref for one in fused.order[: len(set(exact))]} == set(exact)
    for part in ([one for one in fused.order if one.exact], [one for one in fused.order if not one.exact]):
        assert all(before.score >= after.score for before, after in pairwise(part))
    if method == "scores":
        assert all(0 <= one.score <= 1 + 1e-9 for one in fused.order)


@given(LEGS)
def test_one_leg_keeps_its_order(words):
    fused = fuse([Leg("words", words)])
    assert [score for one in fused.order for score in one.legs.values()] == [score for _, score in words]
