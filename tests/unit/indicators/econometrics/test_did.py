import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from bench import econ_reference

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics import did_staggered, group_time
from kaozheng.indicators.econometrics.did_staggered import StaggeredDid, staggered_did
from kaozheng.indicators.econometrics.did_two_period import EFFECT, TwoPeriodDid, two_period_did


def made(units=60, treated=20, effect=2.0, trend=0.0, seed=7):
    """A panel of 5 years; the treated gain `effect` in 2022, and `trend` a year already before."""
    chance = np.random.default_rng(seed)
    unit, year = np.repeat(np.arange(units), 5), np.tile(np.arange(2018, 2023), units)
    mine = (unit < treated) * 1
    y = chance.normal(size=units)[unit] + 0.1 * (year - 2018) + chance.normal(scale=0.3, size=len(unit))
    y = y + effect * mine * (year == 2022) + trend * mine * (year - 2018)
    return {"y": y, "unit": unit, "year": year, "treated": mine, "first": np.where(mine == 1, 2022, 0)}


REQUEST = TwoPeriodDid(
    "y", "treated", "year", 2021, 2022, unit="unit", policy_date="2022-01-01", anticipation_stated="none"
)


def test_the_staggered_example_is_amber_by_the_single_period_before(staggered):
    assert (staggered.status, staggered.readiness.colour) == ("estimated", "amber")
    assert staggered.readiness.item("pre_trend_joint").colour == "green"
    single = staggered.readiness.item("pre_trend_single")
    assert single.colour == "amber"
    assert "e=-3" in single.reason.en
    assert single.reason in staggered.limits


def test_staggered_intervals_are_the_published_analytic_ones(staggered):
    errors = {one.name: one.standard_error for one in staggered.estimates[:3]}
    assert errors == pytest.approx({"simple": 0.0120, "dynamic": 0.0200, "group": 0.0124}, abs=6e-5)


def test_results_are_plain_json(staggered):
    told = json.loads(json.dumps(asdict(staggered), allow_nan=False, ensure_ascii=False))
    assert told["estimates"][0]["name"] == "simple"
    assert told["specification"]["data_hash"] == staggered.specification.data_hash


def test_later_cohorts_may_be_controls_too(mpdta):
    result = staggered_did(mpdta, replace(econ_reference.MPDTA, controls="not_yet_treated"))
    assert result.status == "estimated"
    assert result.estimate("simple").point == pytest.approx(-0.0398, abs=1e-3)


def test_two_reckonings_of_the_effect_agree(mpdta):
    panel = did_staggered.coded(mpdta, econ_reference.MPDTA).panel
    theirs = did_staggered.group_time_effects(panel, "never_treated", 0).overall[0].point
    assert group_time.simple_effect(panel.outcome, panel.first, panel.periods) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("never", [0, None, float("nan"), "", 2030])
def test_never_treated_is_never_a_year(mpdta, never):
    dates = [never if one == 0 else one for one in mpdta["first_treat"]]
    panel = did_staggered.coded({**mpdta, "first_treat": dates}, econ_reference.MPDTA).panel
    assert int((panel.first == 0).sum()) == 309


def test_the_coding_of_treatment_decides_and_is_told(castle, staggered):
    castle = castle.assign(
        by_year=(castle["year"] >= castle["effyear"].fillna(9999)) * 1, started=(castle["cdl"] > 0) * 1
    )
    found = [
        econ_reference._fixed(castle, "l_homicide", (column,), ("sid", "year"), True, weights=weights)[column].point
        for column, weights in (("post", ""), ("post", "popwt"), ("cdl", "popwt"), ("by_year", ""))
    ]
    assert found == pytest.approx([0.0694, 0.0755, 0.0801, 0.0818], abs=6e-5)
    assert "0, gaps and later than 2007 are never treated" in staggered.specification.treatment_coding


def test_one_period_before_cannot_be_tested_and_gives_no_estimate(pandas):
    columns = {name: np.asarray(column)[made()["year"] >= 2021] for name, column in made().items()}
    result = two_period_did(columns, REQUEST)
    assert (result.status, result.estimates) == ("needs_data", ())
    assert result.readiness.missing[0].zh.startswith("政策前的期数为1")


def test_two_periods_give_effect_and_interval(pandas):
    result = two_period_did(made(), REQUEST)
    effect = result.estimate(EFFECT)
    assert result.status == "estimated"
    assert effect.low < 2.0 < effect.high
    assert effect.point == pytest.approx(2.0, abs=0.3)
    assert "by unit" in result.specification.variance


def test_trends_that_differ_before_block(pandas):
    result = two_period_did(made(trend=0.5), REQUEST)
    assert (result.status, result.estimates) == ("blocked", ())
    assert result.readiness.item("pre_trend_joint").colour == "red"
    staggered = staggered_did(made(trend=0.5), StaggeredDid("y", "unit", "year", "first"))
    assert staggered.status == "blocked"


def test_few_treated_units_turn_to_randomisation(pandas):
    columns = made(treated=3, units=40)
    two, staggered = (
        two_period_did(columns, REQUEST),
        staggered_did(columns, StaggeredDid("y", "unit", "year", "first")),
    )
    assert {two.status, staggered.status} == {"estimated"}
    assert two.readiness.item("randomisation").colour == "amber"
    for one in (two.estimate(EFFECT), staggered.estimate("simple")):
        assert one.standard_error is None
        assert one.p < 0.01
        assert one.low < 2.0 < one.high
    assert two.estimate(EFFECT).point == pytest.approx(staggered.estimate("simple").point)


def test_randomisation_of_nothing_finds_nothing(pandas):
    found = two_period_did(made(treated=3, units=40, effect=0.0), REQUEST).estimate(EFFECT)
    assert found.p > 0.05
    assert found.low < 0 < found.high


def test_too_few_assignments_need_data(pandas):
    result = two_period_did(made(treated=1, units=8), REQUEST)
    assert result.status == "needs_data"


def test_a_policy_date_is_asked_for_since_a_label_is_no_date(pandas):
    result = two_period_did(made(), TwoPeriodDid("y", "treated", "year", 2021, 2022, unit="unit"))
    assert result.readiness.item("policy_date").colour == "amber"


def test_a_missing_year_needs_data_and_is_named(pandas):
    columns = {name: np.asarray(column)[made()["year"] != 2020] for name, column in made().items()}
    result = staggered_did(columns, FIRST)
    assert result.status == "needs_data"
    assert "2020" in result.readiness.item("calendar").reason.zh


def test_years_between_before_and_after_may_be_left_out(pandas):
    request = replace(REQUEST, before=2020)
    result = two_period_did(made(), request)
    assert result.status == "estimated"
    assert result.readiness.item("sensitivity_m1").value is not None


def test_a_panel_with_two_rows_or_two_dates_is_refused(pandas):
    columns = made()
    with pytest.raises(InputError, match="two rows"):
        staggered_did({**columns, "year": np.where(columns["year"] == 2019, 2018, columns["year"])}, FIRST)
    with pytest.raises(InputError, match="two dates"):
        staggered_did({**columns, "first": np.where(columns["year"] == 2019, 2021, columns["first"])}, FIRST)


FIRST = StaggeredDid("y", "unit", "year", "first")
