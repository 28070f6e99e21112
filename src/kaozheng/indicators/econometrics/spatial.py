"""The spatial lag model by maximum likelihood (spreg), with the weights matrix joined to the rows by their ids.

Rows in another order than the matrix give another rho and no error (Columbus: 0.315 instead of 0.431), so a matrix
without ids is not taken.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.readiness import Colour, Item, at_least, documented, readiness
from kaozheng.indicators.econometrics.result import LEVEL, Estimate, ModelResult, Specification, concluded, refused
from kaozheng.indicators.econometrics.sample import Columns, Sample, as_label, draw
from kaozheng.indicators.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FAMILY = "spatial_lag"
LIMITS = (
    Reason(
        "空间滞后系数反映相邻单元之间的关联，取决于权重矩阵；回归系数不是边际效应，须换算直接与间接效应。",
        "The lag coefficient tells how neighbours go together and depends on the weights matrix; coefficients are not "
        "marginal effects, which have a direct and an indirect part.",
    ),
    Reason(
        "不是因果效应；边界调整后须重建权重矩阵。",
        "No causal effect; after a change of boundaries the matrix must be made anew.",
    ),
)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The weights matrix: for each region id its neighbours' ids and their weights, and where it comes from."""

    weights: Mapping[str, Mapping[str, float]]
    source: str = ""

    @property
    def links(self) -> int:
        """How many ordered pairs are neighbours."""
        return sum(len(one) for one in self.weights.values())

    @property
    def digest(self) -> str:
        """SHA-256 of the links with their weights, whatever their order."""
        rows = sorted(f"{i}\x1f{j}\x1f{w!r}" for i, row in self.weights.items() for j, w in row.items())
        return sha256("\x1e".join(rows).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SpatialLag:
    """Columns by name; `unit` holds the ids that `neighbours` knows."""

    outcome: str
    regressors: tuple[str, ...]
    unit: str
    neighbours: Neighbours


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """Of the regression without space: Lagrange multiplier tests (statistic, p) and Moran's I of its residuals."""

    lm_lag: tuple[float, float]
    lm_error: tuple[float, float]
    robust_lag: tuple[float, float]
    robust_error: tuple[float, float]
    moran: float
    moran_p: float


def spatial_lag(columns: Columns, request: SpatialLag) -> ModelResult:
    """y = rho W y + X b + e. Nothing is estimated where a condition is red.

    Raises InputError for a unit with two rows, MissingExtraError without the extra `spatial`."""
    sample = draw(columns, [request.outcome, *request.regressors], [request.unit])
    names = sample.labels[request.unit]
    if len(set(names)) < len(names):
        raise InputError(f"{request.unit} has a name twice")
    specification = _specification(sample, request)
    enough = readiness(FAMILY, _countable(sample, request))
    if enough.standing != "ready":
        return refused(enough, specification)
    found = readiness(FAMILY, (*enough.items, *_called_for(diagnostics(sample, request))))
    estimates, _ = lag_model(sample, request)
    return concluded(found, specification, estimates, LIMITS)


def joined(sample: Sample, request: SpatialLag) -> Any:
    """The matrix for exactly these rows in their order, row-standardised, as libpysal's W. Neighbours outside of the
    sample fall away. Raises InputError for a row that the matrix does not know."""
    names = sample.labels[request.unit]
    known = {as_label(name): row for name, row in request.neighbours.weights.items()}
    if strange := [name for name in names if name not in known]:
        raise InputError(f"the weights matrix does not know {', '.join(strange[:5])}")
    inside = set(names)
    kept = {name: {as_label(j): w for j, w in known[name].items() if as_label(j) in inside} for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of islands and parts: the gate counts them
        matrix = library("libpysal.weights").W(
            {name: list(row) for name, row in kept.items()},
            {name: list(row.values()) for name, row in kept.items()},
            id_order=list(names),
            silence_warnings=True,
        )
    matrix.transform = "r"
    return matrix


def lag_model(sample: Sample, request: SpatialLag) -> tuple[tuple[Estimate, ...], float]:
    """The coefficients with `rho` last, and the log likelihood. No gate: `spatial_lag` is the door."""
    return _likelihood(sample, request, library("spreg.ml_lag").BaseML_Lag, "rho")


def error_model(sample: Sample, request: SpatialLag) -> tuple[tuple[Estimate, ...], float]:
    """The spatial error model of the same rows, with `lambda` last: what the lag model is held against."""
    return _likelihood(sample, request, library("spreg.ml_error").BaseML_Error, "lambda")


def _likelihood(sample: Sample, request: SpatialLag, model: Any, last: str) -> tuple[tuple[Estimate, ...], float]:
    """By spreg's base classes: those with a summary print their name to the terminal."""
    import numpy as np

    normal = library("scipy.stats").norm
    x = np.column_stack([np.ones(sample.rows), sample.matrix(request.regressors)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = model(
            sample.numbers[request.outcome][:, None], x, joined(sample, request), method="full", epsilon=1e-10
        )
    names = ("const", *request.regressors, last)
    errors = np.sqrt(np.diag(found.vm))[: len(names)]  # the error model's matrix has the variance behind them
    reach = float(normal.ppf((1 + LEVEL) / 2))
    estimates = tuple(
        Estimate(name, float(b), float(b - reach * s), float(b + reach * s), float(s), float(2 * normal.sf(abs(b / s))))
        for name, b, s in zip(names, found.betas.ravel(), errors, strict=True)
    )
    return estimates, float(found.logll)


def diagnostics(sample: Sample, request: SpatialLag) -> Diagnostics:
    """What a regression without space leaves in its residuals."""
    y, x = sample.numbers[request.outcome][:, None], sample.matrix(request.regressors)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = library("spreg").OLS(y, x, joined(sample, request), spat_diag=True, moran=True, nonspat_diag=False)
    lag, error, robust_lag, robust_error = (
        (float(one[0]), float(one[1])) for one in (found.lm_lag, found.lm_error, found.rlm_lag, found.rlm_error)
    )
    moran = found.moran_res
    return Diagnostics(lag, error, robust_lag, robust_error, float(moran[0]), float(moran[2]))


def _countable(sample: Sample, request: SpatialLag) -> Iterator[Item]:
    yield at_least("units", sample.rows, green=30, what=Reason("单元数", "units"), lack="data")
    what = Reason("权重矩阵的来源", "the source of the weights matrix")
    yield documented("matrix_source", request.neighbours.source, what=what, otherwise="red")
    known = {as_label(name) for name in request.neighbours.weights}
    strange = sorted(set(sample.labels[request.unit]) - known)
    yield _none(
        "matched", strange, Reason("权重矩阵中没有的单元", "units that the weights matrix does not know"), "data"
    )
    if not strange and sample.rows:
        islands = list(joined(sample, request).islands)
        yield _none(
            "islands", islands, Reason("没有相邻单元的孤岛", "islands without a neighbour in the sample"), "design"
        )
    reason = Reason("权重已按行标准化", "weights are row-standardised")
    yield Item("row_standardised", "true", "true", "green", reason)


def _none(key: str, found: list[Any], what: Reason, lack: str) -> Item:
    colour: Colour = "red" if found else "green"
    shown = ", ".join(map(str, found[:10]))
    reason = Reason(f"{what.zh}：{shown or '无'}", f"{what.en}: {shown or 'none'}")
    return Item(key, len(found), "0", colour, reason, "data" if lack == "data" else "design")


def _called_for(tests: Diagnostics) -> Iterator[Item]:
    spatial = tests.moran_p <= 0.05
    tail = (
        Reason("残差存在空间相关", "residuals are spatially correlated")
        if spatial
        else Reason("残差无显著空间相关，未必需要空间模型", "no spatial correlation: space may not be needed")
    )
    shown = f"Moran I={tests.moran:.3f}, p={tests.moran_p:.3g}"
    yield Item(
        "residual_moran",
        tests.moran_p,
        "<= 0.05",
        "green" if spatial else "amber",
        Reason(f"{shown}：{tail.zh}", f"{shown}: {tail.en}"),
    )
    favoured = tests.robust_lag[1] <= tests.robust_error[1]
    tail = (
        Reason("支持滞后模型", "the lag model is favoured")
        if favoured
        else Reason("更支持误差模型", "the error model is favoured")
    )
    pairs = (("LM lag", tests.lm_lag), ("LM error", tests.lm_error))
    shown = ", ".join(f"{name} {value:.3f} (p={p:.3g})" for name, (value, p) in pairs)
    colour: Colour = "green" if favoured else "amber"
    yield Item(
        "lm_pair",
        tests.robust_lag[1],
        "robust LM lag ahead of robust LM error",
        colour,
        Reason(f"{shown}：{tail.zh}", f"{shown}: {tail.en}"),
    )


def _specification(sample: Sample, request: SpatialLag) -> Specification:
    matrix = request.neighbours
    return Specification(
        method="spatial lag, full maximum likelihood (spreg)",
        formula=f"{request.outcome} ~ W {request.outcome} + {' + '.join(request.regressors)}",
        sample=sample.told,
        data_hash=sample.data_hash,
        variance="asymptotic, normal distribution",
        weights_matrix=f"{matrix.source or 'source not stated'}; {matrix.links} links, row-standardised, "
        f"joined by {request.unit}; {matrix.digest}",
    )
