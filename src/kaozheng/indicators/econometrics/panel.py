"""Panel regressions with fixed effects, by linearmodels, with one stated convention of clustered errors.

linearmodels counts absorbed effects as parameters by default (0.0148 instead of 0.0133 on the same data); here
clustered errors are those of fixest and reghdfe: effects nested in the clusters cost no degrees of freedom.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
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

FAMILY = "panel_fe"
CLUSTERED = "clustered, group debiased, effects nested in clusters not counted (as fixest, reghdfe)"
LIMITS = (
    Reason(
        "系数反映单元内部随时间的变化之间的关联，不随时间变化的差异已被吸收；没有识别设计时不是因果效应。",
        "Coefficients tell how changes within a unit go together; what does not change is absorbed. Without a design "
        "that identifies it this is no causal effect.",
    ),
    Reason(
        "与混合回归的系数符号可能相反，引用时须写明是固定效应估计。",
        "The sign may differ from a pooled regression's: say that it is the estimate with fixed effects.",
    ),
)


@dataclass(frozen=True, slots=True)
class PanelRegression:
    """Columns by name. Unit effects always, `time_effects` at will; `cluster` is a column ("" = the unit); `weights` a
    column of positive weights. `variance` classical is for comparison with published tables."""

    outcome: str
    regressors: tuple[str, ...]
    unit: str
    period: str
    time_effects: bool = False
    cluster: str = ""
    weights: str = ""
    variance: Literal["cluster", "classical"] = "cluster"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Fixed against random effects: the random effects' coefficients and their mean theta, and the Hausman test."""

    random: tuple[Estimate, ...]
    theta: float
    statistic: float
    p: float


def panel_regression(columns: Columns, request: PanelRegression) -> ModelResult:
    """The regression with fixed effects. Nothing is estimated where a condition is red.

    Raises InputError for columns that are no panel, MissingExtraError without the extra `county`.
    """
    sample = panel_sample(columns, request)
    specification = _specification(sample, request)
    enough = readiness(FAMILY, _countable(sample, request))
    if enough.standing != "ready":
        return refused(enough, specification)
    found = readiness(FAMILY, (*enough.items, _hausman(sample, request)))
    return concluded(found, specification, fixed_effects(sample, request), LIMITS)


def panel_sample(columns: Columns, request: PanelRegression) -> Sample:
    """The rows of the request. Raises InputError for two rows of a unit in one period."""
    numbers = [request.outcome, *request.regressors, request.period, *([request.weights] if request.weights else [])]
    sample = draw(columns, numbers, [request.unit, *([request.cluster] if request.cluster else [])])
    pairs = list(zip(sample.labels[request.unit], sample.numbers[request.period].tolist(), strict=True))
    if len(set(pairs)) < len(pairs):
        raise InputError(f"{request.unit} has two rows in one {request.period}")
    return sample


def fixed_effects(sample: Sample, request: PanelRegression) -> tuple[Estimate, ...]:
    """The coefficients of the regressors. No gate: `panel_regression` is the door.

    Raises InputError when the effects absorb a regressor wholly, or regressors are collinear."""
    frame = _frame(sample, request)
    model = library("linearmodels.panel").PanelOLS(
        frame[request.outcome],
        frame[list(request.regressors)],
        entity_effects=True,
        time_effects=request.time_effects,
        weights=frame[request.weights] if request.weights else None,
    )
    errors: dict[str, Any] = {"cov_type": "unadjusted"}
    if request.variance == "cluster":
        errors = {"cov_type": "clustered", "auto_df": False, "count_effects": False, "group_debias": True}
        errors |= {"clusters": _codes(sample, frame, request.cluster)} if request.cluster else {"cluster_entity": True}
    return _estimates(request.regressors, _fitted(model, errors))


def against_random(sample: Sample, request: PanelRegression) -> Comparison:
    """Random effects (Swamy-Arora) and the Hausman test that they estimate the same (classical variances)."""
    import numpy as np

    frame = _frame(sample, request)
    y, x = frame[request.outcome], frame[list(request.regressors)]
    panel = library("linearmodels.panel")
    fixed = _fitted(panel.PanelOLS(y, x, entity_effects=True), {"cov_type": "unadjusted"})
    random = _fitted(panel.RandomEffects(y, x.assign(const=1.0)), {"cov_type": "unadjusted"})
    names = list(request.regressors)
    apart = np.asarray(fixed.params[names] - random.params[names])
    # One residual variance for both, that of random effects: with two the difference need not be positive definite.
    spread = np.asarray(fixed.cov.loc[names, names] * (random.s2 / fixed.s2) - random.cov.loc[names, names])
    statistic = float(apart @ np.linalg.pinv(spread, hermitian=True) @ apart)
    p = float(library("scipy.stats").chi2.sf(max(statistic, 0.0), len(names)))
    return Comparison(_estimates((*names, "const"), random), float(random.theta.mean().iloc[0]), statistic, p)


def within_shares(sample: Sample, request: PanelRegression) -> dict[str, float]:
    """How much of the variance of each regressor is within units: what fixed effects leave to estimate from."""
    import numpy as np

    codes = np.unique(np.asarray(sample.labels[request.unit]), return_inverse=True)[1]
    counts = np.bincount(codes)
    shares = {}
    for name in request.regressors:
        column = sample.numbers[name]
        means = np.bincount(codes, weights=column) / counts
        total = float(((column - column.mean()) ** 2).sum())
        shares[name] = float(((column - means[codes]) ** 2).sum()) / total if total else 0.0
    return shares


def _countable(sample: Sample, request: PanelRegression) -> Iterator[Item]:
    units = set(sample.labels[request.unit])
    yield at_least("units", len(units), green=30, what=Reason("单元数", "units"), lack="data")
    periods = len(set(sample.numbers[request.period].tolist()))
    yield at_least("periods", periods, green=3, what=Reason("期数", "periods"), lack="data")
    if not sample.rows:
        return
    name, share = min(within_shares(sample, request).items(), key=lambda pair: pair[1])
    what = Reason(f"单元内部方差占比最小者（{name}）", f"smallest share of variance within units ({name})")
    yield at_least("within_share", share, green=0.05, what=what, lack="design")
    clusters = len(set(sample.labels[request.cluster])) if request.cluster else len(units)
    what = Reason("聚类数（少于30时聚类标准误偏小）", "clusters (errors are too small with fewer than 30)")
    yield at_least("clusters", clusters, green=30, amber=2, what=what, lack="data")


def _hausman(sample: Sample, request: PanelRegression) -> Item:
    compared = against_random(sample, request)
    colour: Colour = "amber" if compared.statistic < 0 else "green"
    if compared.statistic < 0:
        told = Reason("统计量为负，检验不可用", "the statistic is negative: the test does not apply")
    elif compared.p < 0.05:
        told = Reason("随机效应被拒绝，应使用固定效应", "random effects are rejected: fixed effects it must be")
    else:
        told = Reason(
            "未拒绝随机效应，固定效应仍一致", "random effects are not rejected: fixed effects are consistent still"
        )
    shown = f"chi2={compared.statistic:.3g}, p={compared.p:.3g}"
    return Item("hausman", compared.p, "reported", colour, Reason(f"{shown}：{told.zh}", f"{shown}: {told.en}"))


def _frame(sample: Sample, request: PanelRegression) -> Any:
    frames = library("pandas")
    names = [request.outcome, *request.regressors, *([request.weights] if request.weights else [])]
    index = frames.MultiIndex.from_arrays(
        [list(sample.labels[request.unit]), sample.numbers[request.period]], names=["unit", "period"]
    )
    return frames.DataFrame({name: sample.numbers[name] for name in names}, index=index)


def _codes(sample: Sample, frame: Any, cluster: str) -> Any:
    import numpy as np

    codes = np.unique(np.asarray(sample.labels[cluster]), return_inverse=True)[1]
    return library("pandas").DataFrame({"cluster": codes}, index=frame.index)


def _fitted(model: Any, errors: dict[str, Any]) -> Any:
    import numpy as np

    absorbed = library("linearmodels.shared.exceptions")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", absorbed.MissingValueWarning)
            return model.fit(**errors)
    except (library("linearmodels.panel.utility").AbsorbingEffectError, np.linalg.LinAlgError, ValueError) as error:
        raise InputError(f"the panel can't be estimated: {str(error).strip().splitlines()[0]}") from error


def _estimates(names: tuple[str, ...], fit: Any) -> tuple[Estimate, ...]:
    bounds = fit.conf_int(level=LEVEL)
    return tuple(
        Estimate(
            name,
            float(fit.params[name]),
            float(bounds.loc[name, "lower"]),
            float(bounds.loc[name, "upper"]),
            float(fit.std_errors[name]),
            float(fit.pvalues[name]),
        )
        for name in names
    )


def _specification(sample: Sample, request: PanelRegression) -> Specification:
    effects = f"{request.unit} + {request.period}" if request.time_effects else request.unit
    by = f" by {request.cluster or request.unit}"
    return Specification(
        method="panel least squares with fixed effects (linearmodels)",
        formula=f"{request.outcome} ~ {' + '.join(request.regressors)} | {effects}",
        sample=sample.told,
        data_hash=sample.data_hash,
        variance=CLUSTERED + by if request.variance == "cluster" else "classical",
        settings=(("weights", request.weights or "none"), ("effects", effects)),
    )
