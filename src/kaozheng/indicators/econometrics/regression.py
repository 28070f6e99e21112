"""Least squares with the standard errors that were asked for, by statsmodels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.result import LEVEL, Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Variance = Literal["classical", "HC1", "HC3", "cluster"]
VARIANCES = {
    "classical": "classical (one variance for all rows), t distribution",
    "HC1": "robust HC1, t distribution",
    "HC3": "robust HC3, t distribution",
    "cluster": "clustered, (G/(G-1))((n-1)/(n-k)), t distribution with G-1 degrees of freedom",
}


@dataclass(frozen=True, slots=True)
class Errors:
    """How standard errors are made: the kind, and the cluster of each row where the kind is `cluster`."""

    kind: Variance = "HC1"
    clusters: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Fit:
    """Coefficients in the order of their names, with the covariance matrix that the errors ask for."""

    estimates: tuple[Estimate, ...]
    covariance: Floats
    residuals: Floats

    def __getitem__(self, name: str) -> Estimate:
        return next(one for one in self.estimates if one.name == name)

    def jointly_zero(self, names: Sequence[str]) -> float:
        """p of the Wald test (chi square) that all these coefficients are 0."""
        import numpy as np

        places = [place for place, one in enumerate(self.estimates) if one.name in names]
        values = np.array([self.estimates[place].point for place in places])
        inner = self.covariance[np.ix_(places, places)]
        return float(library("scipy.stats").chi2.sf(values @ np.linalg.pinv(inner) @ values, len(places)))


def least_squares(
    outcome: Floats, regressors: Floats, names: Sequence[str], errors: Errors, weights: Floats | None = None
) -> Fit:
    """The coefficients of `names`, the columns of `regressors` (a constant is a column as any other).

    Raises InputError when columns are linear combinations of each other: no coefficient would mean anything.
    """
    import numpy as np

    models = library("statsmodels.api")
    scaled = regressors / np.maximum(np.abs(regressors).max(axis=0), np.finfo(float).tiny)
    if np.linalg.matrix_rank(scaled) < regressors.shape[1]:
        raise InputError(f"the regressors are collinear: {', '.join(names)}")
    model = models.OLS(outcome, regressors) if weights is None else models.WLS(outcome, regressors, weights=weights)
    if errors.kind == "cluster":
        groups = np.unique(np.asarray(errors.clusters), return_inverse=True)[1]
        fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    else:
        kind = "nonrobust" if errors.kind == "classical" else errors.kind
        fit = model.fit(cov_type=kind, use_t=True)
    bounds = fit.conf_int(alpha=1 - LEVEL)
    rows = zip(names, fit.params, bounds, fit.bse, fit.pvalues, strict=True)
    estimates = (Estimate(name, float(b), float(lh[0]), float(lh[1]), float(s), float(p)) for name, b, lh, s, p in rows)
    return Fit(tuple(estimates), np.asarray(fit.cov_params()), np.asarray(fit.resid))
