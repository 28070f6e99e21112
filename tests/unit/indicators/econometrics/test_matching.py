import numpy as np
import pytest
from bench import econ_reference

from kaozheng.indicators.econometrics import propensity
from kaozheng.indicators.econometrics.matching import Matching, matching

COVARIATES = econ_reference.LALONDE


@pytest.fixture(scope="module")
def untrimmed(lalonde):
    return matching(lalonde, Matching("re78", "treat", COVARIATES))


def test_without_trimming_the_gate_is_red(untrimmed):
    assert (untrimmed.status, untrimmed.estimates) == ("blocked", ())
    red = {item.key for item in untrimmed.readiness.items if item.colour == "red"}
    assert red == {"overlap", "methods_agree"}


def test_trimmed_the_estimates_agree_and_are_near_the_experiment(lalonde):
    result = matching(lalonde, Matching("re78", "treat", COVARIATES, trim=0.05))
    assert result.status == "estimated"
    assert result.readiness.colour == "amber"
    att = result.estimate("att_matching")
    assert att.low < 1794.342 < att.high
    assert "561 rows after trimming" in result.specification.sample.en
    assert all(abs(after) < 0.1 for _, _, after in dict(result.tables)["standardised_differences"])


def test_eight_bits_give_another_score_without_an_error(pandas, lalonde):
    small = econ_reference.lalonde(small=True)
    found = [
        propensity.scores(one["treat"].to_numpy(dtype=float), one[list(COVARIATES)].to_numpy(dtype=float))
        for one in (lalonde, small)
    ]
    assert found[0][1] == pytest.approx(-404.16, abs=0.01)
    assert found[1][1] < -460  # what comes in overflowed can't be seen; our own columns never are: see the sample


def test_perfect_separation_is_no_score(pandas):
    x = np.arange(80.0)
    result = matching({"y": x, "t": (x >= 40) * 1, "x": x}, Matching("y", "t", ("x",)))
    assert result.status == "blocked"
    assert "perfectly" in result.readiness.item("score").reason.en


def test_few_rows_need_data(pandas):
    x = np.arange(12.0)
    result = matching({"y": x, "t": np.tile([0, 1], 6), "x": x % 5, "z": x % 3}, Matching("y", "t", ("x", "z")))
    assert (result.status, result.estimates) == ("needs_data", ())


def test_controls_as_near_as_the_last_one_count_too(pandas):
    outcome, treated = np.array([10.0, 1.0, 2.0, 3.0, 50.0]), np.array([1.0, 0, 0, 0, 0])
    match = propensity.matched(outcome, treated, np.array([0.5, 0.4, 0.4, 0.4, 0.1]), 1)
    assert match.effects.tolist() == [8.0]
    assert match.pairs == 3


def test_a_caliper_leaves_the_lonely_unmatched(pandas):
    outcome, treated = np.arange(4.0), np.array([1.0, 1, 0, 0])
    match = propensity.matched(outcome, treated, np.array([0.9, 0.3, 0.3, 0.2]), 1, caliper=0.2)
    assert (match.unmatched, match.effects.tolist()) == (1, [-1.0])
