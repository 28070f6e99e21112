import numpy as np
import pytest

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.forecast import Forecast, fitted, forecast

REQUEST = Forecast("v", "year", 2, method="local_level")


@pytest.fixture(scope="module")
def nile(pandas):
    return pytest.importorskip("statsmodels.datasets").nile.load_pandas().data


def test_the_nile_beats_the_naive_forecast_and_has_intervals(nile):
    result = forecast({"v": nile["volume"], "year": nile["year"]}, REQUEST)
    first, second = result.estimates
    assert (result.status, first.name) == ("estimated", "1971")
    assert second.high - second.low > first.high - first.low > 0
    assert result.readiness.item("backtest").value < 1


def test_variances_are_those_of_the_exact_start(nile):
    variances = dict(fitted(nile["volume"].to_numpy(dtype=float), "local_level").variances)
    assert variances["sigma2.irregular"] == pytest.approx(15098.5, abs=1)  # defaults stop at 15078
    assert variances["sigma2.level"] == pytest.approx(1469.2, abs=1)


def test_a_level_that_a_straight_line_beats_is_refused(pandas):
    line = 3 * np.arange(30) + np.random.default_rng(8).normal(size=30)
    result = forecast({"v": line, "year": np.arange(1990, 2020)}, REQUEST)
    assert (result.status, result.estimates) == ("blocked", ())
    assert result.readiness.item("backtest").value > 1


def test_seven_years_need_data(pandas):
    result = forecast({"v": np.arange(7.0) ** 2, "year": np.arange(2014, 2021)}, REQUEST)
    assert result.status == "needs_data"
    assert result.readiness.item("observations").value == 7


def test_a_gap_in_the_calendar_needs_data_and_is_named(pandas):
    years = [year for year in range(2005, 2020) if year != 2011]
    result = forecast({"v": np.arange(14.0) ** 2, "year": years}, REQUEST)
    assert result.status == "needs_data"
    assert "2011" in result.readiness.item("gaps").reason.zh
    months = [2020 * 12 + month for month in range(1, 31) if month != 14]
    result = forecast({"v": np.arange(29.0) ** 2, "year": months}, Forecast("v", "year", 1, "month"))
    assert "2021-02" in result.readiness.item("gaps").reason.en


def test_a_period_twice_is_refused(pandas):
    with pytest.raises(InputError, match="twice"):
        forecast({"v": [1.0, 2.0], "year": [2019, 2019]}, REQUEST)
    with pytest.raises(InputError, match="constant"):
        forecast({"v": [1.0] * 9, "year": range(2010, 2019)}, REQUEST)
