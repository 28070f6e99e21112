import numpy as np
import pytest
from bench import econ_reference

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics import did_staggered
from kaozheng.indicators.econometrics.panel import PanelRegression, panel_regression


def made(units=40, periods=6, slope=1.5, moves=1.0):
    chance = np.random.default_rng(5)
    unit, year = np.repeat(np.arange(units), periods), np.tile(np.arange(2015, 2015 + periods), units)
    own = chance.normal(size=units)[unit]
    x = own * 3 + moves * chance.normal(size=len(unit))
    return {"y": slope * x - 10 * own + chance.normal(scale=0.5, size=len(unit)), "x": x, "unit": unit, "year": year}


REQUEST = PanelRegression("y", ("x",), "unit", "year")


def test_units_that_differ_do_not_disturb_the_slope(pandas):
    result = panel_regression(made(), REQUEST)
    slope = result.estimate("x")
    assert (result.status, result.readiness.colour) == ("estimated", "green")
    assert slope.low < 1.5 < slope.high
    assert "random effects are rejected" in result.readiness.item("hausman").reason.en


def test_ten_units_need_data(pandas):
    result = panel_regression(made(units=10), REQUEST)
    assert (result.status, result.estimates) == ("needs_data", ())
    assert result.readiness.item("units").value == 10


def test_a_regressor_that_hardly_moves_within_units_blocks(pandas):
    result = panel_regression(made(moves=0.05), REQUEST)
    assert result.status == "blocked"
    assert result.readiness.item("within_share").colour == "red"


def test_few_clusters_are_amber(pandas):
    columns = made()
    result = panel_regression(
        {**columns, "city": columns["unit"] % 8}, PanelRegression("y", ("x",), "unit", "year", cluster="city")
    )
    assert result.readiness.item("clusters").colour == "amber"
    assert "by city" in result.specification.variance


def test_clustered_errors_follow_the_stated_convention(mpdta):
    panel = did_staggered.coded(mpdta, econ_reference.MPDTA).panel
    columns = did_staggered.long_form(panel)
    columns["post"] = ((columns["first"] > 0) & (columns["period"] >= columns["first"])) * 1
    fit = econ_reference._fixed(columns, "outcome", ("post",), ("unit", "period"), True)["post"]
    assert fit.standard_error == pytest.approx(0.013252, abs=2e-6)  # 0.01482 where absorbed effects are counted


def test_a_regressor_that_effects_absorb_is_refused(pandas):
    columns = made()
    with pytest.raises(InputError, match="absorbed"):
        panel_regression(
            {**columns, "t": columns["year"]}, PanelRegression("y", ("t",), "unit", "year", time_effects=True)
        )
    with pytest.raises(InputError, match="two rows"):
        panel_regression({**columns, "year": columns["year"] // 2}, REQUEST)
