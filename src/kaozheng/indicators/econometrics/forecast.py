"""Forecasts of short series by a local level or local trend (statsmodels), shown only where they beat doing nothing.

The series is scaled and started with an exact diffuse prior: with the defaults the optimiser stops early
(Nile: 15078 / 1478.8 instead of 15098.5 / 1469.2).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.readiness import Colour, Item, at_least, readiness
from kaozheng.indicators.econometrics.result import LEVEL, Estimate, ModelResult, Specification, concluded, refused
from kaozheng.indicators.econometrics.sample import Columns, Sample, draw
from kaozheng.indicators.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FAMILY = "forecast"
Method = Literal["local_level", "local_trend"]
_KINDS = {"local_level": "local level", "local_trend": "local linear trend"}
_LEAST = {"year": 8, "month": 24}
_SEASON = {"year": 1, "month": 12}
_HARDLY = 0.95  # a gain of less than this may be chance
_ORIGINS = 12  # the last so many points are forecast from what lay before them
LIMITS = (
    Reason(
        "外推只依据序列自身的历史，不含政策、项目和外部冲击；区间为95%预测区间，期数越远越宽。",
        "An extrapolation of the series' own past; it knows no policies, projects or shocks. The intervals are 95 % "
        "prediction intervals and widen with the horizon.",
    ),
    Reason(
        "不是计划目标，也不替代统计部门公布的数据。",
        "It is no target, and no substitute for what the statistical office publishes.",
    ),
)


@dataclass(frozen=True, slots=True)
class Forecast:
    """One series: `value` by `period`. Periods are whole years, or months counted as year * 12 + month.

    `horizon` is in periods of that kind. A gap in the calendar is refused: it would shift every later point."""

    value: str
    period: str
    horizon: int
    frequency: Literal["year", "month"] = "year"
    method: Method = "local_trend"


@dataclass(frozen=True, slots=True)
class Fitted:
    """The fitted model: variances in the unit of the series squared, and whether the optimiser converged."""

    variances: tuple[tuple[str, float], ...]
    converged: bool
    raw: Any
    scale: float


def fitted(series: Floats, method: Method, season: int = 1) -> Fitted:
    """The structural model by maximum likelihood. No gate: `forecast` is the door. InputError for a constant series."""
    import numpy as np

    scale = float(np.std(series))
    if not scale:
        raise InputError("the series is constant: there is nothing to forecast")
    tsa = library("statsmodels.api").tsa  # its import sets filters of its own
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whether it converged is read from the result
        seasonal = {"seasonal": season} if season > 1 else {}
        model = tsa.UnobservedComponents(series / scale, _KINDS[method], use_exact_diffuse=True, **seasonal)
        found = model.fit(disp=0, maxiter=2000, method="lbfgs", pgtol=1e-10, factr=10)
    pairs = zip(model.param_names, found.params, strict=True)
    variances = tuple((name, float(value) * scale**2) for name, value in pairs)
    return Fitted(variances, bool(found.mle_retvals["converged"]), found, scale)


def forecast(columns: Columns, request: Forecast) -> ModelResult:
    """The next `horizon` periods with prediction intervals. Refused when a naive forecast does as well in a rolling
    backtest. Raises InputError for periods given twice, MissingExtraError without the extra `county`."""
    if request.horizon < 1 or request.method not in _KINDS or request.frequency not in _LEAST:
        raise InputError("a forecast wants horizon >= 1, method local_level or local_trend, frequency year or month")
    sample, periods, series = _series(columns, request)
    specification = _specification(sample, periods, request)
    enough = readiness(FAMILY, _countable(periods, request))
    if enough.standing != "ready":
        return refused(enough, specification)
    season = _SEASON[request.frequency]
    model = fitted(series, request.method, season)
    found = readiness(FAMILY, (*enough.items, _converged(model), _beats(series, request.method, season)))
    ahead = model.raw.get_forecast(request.horizon)
    bounds = ahead.conf_int(alpha=1 - LEVEL) * model.scale
    points = ahead.predicted_mean * model.scale
    estimates = [
        Estimate(
            _named(periods[-1] + step, request),
            float(points[step - 1]),
            float(bounds[step - 1][0]),
            float(bounds[step - 1][1]),
        )
        for step in range(1, request.horizon + 1)
    ]
    return concluded(found, specification, estimates, LIMITS, {"variances": model.variances})


def relative_error(series: Floats, method: Method, season: int = 1) -> tuple[float, int]:
    """Mean absolute error of one-step forecasts over that of the best naive one (last value, drift, last season), on
    the same rolling origins; and how many origins. Below 1 the model is worth something."""
    import numpy as np

    least = max(5, 2 * season + 1, len(series) - _ORIGINS)
    ours, last, drift, seasonal = [], [], [], []
    for end in range(min(least, len(series) - 2), len(series)):
        past, truth = series[:end], series[end]
        guess = (
            float(fitted(past, method, season).raw.forecast(1)[0]) * float(np.std(past)) if np.std(past) else past[-1]
        )
        ours.append(abs(guess - truth))
        last.append(abs(past[-1] - truth))
        drift.append(abs(past[-1] + (past[-1] - past[0]) / (end - 1) - truth))
        seasonal.append(abs(past[-season] - truth))
    best = min(float(np.mean(errors)) for errors in (last, drift, seasonal))
    return float(np.mean(ours)) / best if best else float("inf"), len(ours)


def _series(columns: Columns, request: Forecast) -> tuple[Sample, list[int], Floats]:
    import numpy as np

    sample = draw(columns, [request.value, request.period])
    order = np.argsort(sample.numbers[request.period], kind="stable")
    period, series = sample.numbers[request.period][order], sample.numbers[request.value][order]
    if (period != np.round(period)).any():
        raise InputError(f"{request.period} must be whole: years, or year * 12 + month")
    if (np.diff(period) == 0).any():
        raise InputError(f"{request.period} has a period twice")
    return sample, [int(one) for one in period], series


def _countable(periods: list[int], request: Forecast) -> Iterator[Item]:
    what = Reason("观测期数", "observations")
    yield at_least("observations", len(periods), green=_LEAST[request.frequency], what=what, lack="data")
    spanned = set(range(periods[0], periods[-1] + 1)) if periods else set()
    lacking = sorted(spanned - set(periods))
    colour: Colour = "red" if lacking else "green"
    shown = ", ".join(_named(one, request) for one in lacking[:12])
    reason = (
        Reason(f"缺少时期：{shown}", f"missing periods: {shown}")
        if lacking
        else Reason("时期连续", "no period is missing")
    )
    yield Item("gaps", len(lacking), "0", colour, reason, "data")


def _converged(model: Fitted) -> Item:
    colour: Colour = "green" if model.converged else "red"
    reason = (
        Reason("优化已收敛", "the optimiser converged")
        if model.converged
        else Reason("优化未收敛", "the optimiser did not converge")
    )
    return Item("converged", str(model.converged).lower(), "true", colour, reason)


def _beats(series: Floats, method: Method, season: int) -> Item:
    error, origins = relative_error(series, method, season)
    colour: Colour = "green" if error < _HARDLY else "amber" if error < 1 else "red"
    told = {
        "green": Reason("优于最佳朴素预测", "better than the best naive one"),
        "amber": Reason("仅略优于朴素预测", "hardly better than a naive one"),
        "red": Reason("不优于朴素预测，不予展示", "no better than a naive one: not shown"),
    }[colour]
    reason = Reason(
        f"滚动回测（{origins}个起点）误差为最佳朴素预测（上期、漂移、上年同期）的{error:.2f}倍：{told.zh}",
        f"rolling backtest ({origins} origins): error is {error:.2f} times that of the best naive forecast: {told.en}",
    )
    return Item("backtest", error if isfinite(error) else None, f"< {_HARDLY}; amber < 1", colour, reason)


def _named(period: int, request: Forecast) -> str:
    if request.frequency == "year":
        return str(period)
    year, month = divmod(period - 1, 12)
    return f"{year}-{month + 1:02d}"


def _specification(sample: Sample, periods: list[int], request: Forecast) -> Specification:
    span = f"{_named(periods[0], request)}-{_named(periods[-1], request)}" if periods else "no period"
    told = sample.told
    return Specification(
        method=f"{_KINDS[request.method]}, maximum likelihood, exact diffuse start (statsmodels)",
        formula=f"{request.value} over {request.period}",
        sample=Reason(f"{told.zh}；{span}", f"{told.en}; {span}"),
        data_hash=sample.data_hash,
        variance="prediction intervals of the state space model",
        settings=(("frequency", request.frequency), ("horizon", str(request.horizon))),
    )
