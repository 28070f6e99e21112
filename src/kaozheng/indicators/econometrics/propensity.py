"""Propensity scores: the logit, weights made of it, and matching with ties, each as a plain function of arrays.

scikit-learn's logit penalises by default and stops early; statsmodels' is the maximum likelihood one, on float64.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.regression import Errors, Fit, Variance, least_squares

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

TIES = 1e-5  # on the squared distance of scores over their standard deviation, as R's Matching


@dataclass(frozen=True, slots=True)
class Matched:
    """Pairs of a match with replacement: for each treated row in order, its controls and how much each counts.

    `weights` holds the weight of every control row (0 for those never used); `effects` the effect of each treated row.
    """

    treated: NDArray[np.intp]
    effects: Floats
    weights: Floats
    squares: Floats  # sum of squared weights a control gets within single matches: the variance formula wants it
    pairs: int
    unmatched: int


def scores(treated: Floats, covariates: Floats) -> tuple[Floats, float]:
    """The probability of treatment of each row, and the log likelihood.

    Raises InputError when a covariate tells the groups apart perfectly, or the columns are collinear: no score exists.
    """
    import numpy as np

    x = np.column_stack([np.ones(len(treated)), covariates])
    spread = x.std(axis=0)
    if (spread[1:] == 0).any():
        raise InputError("a covariate of the score is constant")
    # A column of squares beside a dummy makes the Hessian ill-conditioned: scores do not change with the scale.
    scaled = np.column_stack([x[:, 0], (x[:, 1:] - x[:, 1:].mean(axis=0)) / spread[1:]])
    if np.linalg.matrix_rank(scaled) < scaled.shape[1]:
        raise InputError("the covariates of the score are collinear")
    tools = library("statsmodels.tools.sm_exceptions")
    apart = "the covariates tell treated and controls apart perfectly: no overlap"
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", tools.PerfectSeparationWarning)  # seen below by its scores
            fit = (
                library("statsmodels.api")
                .Logit(treated, scaled)
                .fit(disp=0, maxiter=100, tol=1e-12, warn_convergence=False)
            )
            score = np.asarray(fit.predict(scaled), dtype=np.float64)
    except (tools.PerfectSeparationError, np.linalg.LinAlgError) as error:
        raise InputError(apart) from error
    if np.abs(score - treated).max() < 1e-6:
        raise InputError(apart)
    return score, float(fit.llf)


def weighted_effect(outcome: Floats, treated: Floats, score: Floats, target: str, kind: Variance = "HC3") -> Fit:
    """The difference of weighted means. `target` all: 1/p and 1/(1-p), the effect on everybody; treated: 1, p/(1-p)."""
    import numpy as np

    score = np.clip(score, 1e-12, 1 - 1e-12)
    odds = score / (1 - score)
    weights = (
        np.where(treated == 1, 1 / score, 1 / (1 - score)) if target == "all" else np.where(treated == 1, 1.0, odds)
    )
    x = np.column_stack([np.ones(len(outcome)), treated])
    return least_squares(outcome, x, ("const", "treated"), Errors(kind), weights)


def matched(outcome: Floats, treated: Floats, score: Floats, neighbours: int, caliper: float | None = None) -> Matched:
    """Each treated row with its nearest controls by score, with replacement; controls as near as the last count too.

    `caliper` is in standard deviations of the score; a treated row with no control within it stays unmatched.
    """
    import numpy as np

    ours, theirs = np.flatnonzero(treated == 1), np.flatnonzero(treated == 0)
    spread = score.std(ddof=1)
    order = theirs[np.argsort(score[theirs], kind="stable")]
    sorted_scores = score[order] / spread
    weights, squares = np.zeros(len(outcome)), np.zeros(len(outcome))
    used, effects, pairs = [], [], 0
    for row in ours:
        near = _near(sorted_scores, score[row] / spread, neighbours, caliper)
        if not len(near):
            continue
        chosen = order[near]
        weights[chosen] += 1 / len(chosen)
        squares[chosen] += 1 / len(chosen) ** 2
        used.append(row)
        effects.append(outcome[row] - outcome[chosen].mean())
        pairs += len(chosen)
    return Matched(np.array(used, dtype=np.intp), np.array(effects), weights, squares, pairs, len(ours) - len(used))


def _near(scores_in_order: Floats, score: float, neighbours: int, caliper: float | None) -> NDArray[np.intp]:
    import numpy as np

    place = int(np.searchsorted(scores_in_order, score))
    window = scores_in_order[max(0, place - neighbours) : place + neighbours]
    last = np.sort((window - score) ** 2)[:neighbours][-1] + TIES
    reach = float(np.sqrt(last)) if caliper is None else min(float(np.sqrt(last)), caliper)
    low = int(np.searchsorted(scores_in_order, score - reach, side="left"))
    high = int(np.searchsorted(scores_in_order, score + reach, side="right"))
    return np.arange(low, high)


def matching_error(outcome: Floats, treated: Floats, score: Floats, match: Matched) -> float:
    """The standard error of the mean effect on the treated (Abadie & Imbens 2006), the score taken as known.

    Outcomes' variance given the score is estimated from the nearest other control; a bootstrap would be wrong here.
    """
    import numpy as np

    count = len(match.effects)
    mean = match.effects.mean()
    theirs = np.flatnonzero(treated == 0)
    order = theirs[np.argsort(score[theirs], kind="stable")]
    gaps = np.diff(score[order])
    left, right = np.r_[np.inf, gaps], np.r_[gaps, np.inf]
    twin = np.where(left <= right, np.arange(len(order)) - 1, np.arange(len(order)) + 1)
    variance = np.zeros(len(outcome))
    variance[order] = (outcome[order] - outcome[order][twin]) ** 2 / 2
    within = float(((match.effects - mean) ** 2).sum())
    reused = float(((match.weights**2 - match.squares) * variance).sum())
    return float(np.sqrt(within + reused) / count)


def standardised_differences(covariates: Floats, treated: Floats, weights: Floats, spread: Floats) -> Floats:
    """Difference of means, treated against weighted controls, over the standard deviation `spread` of the treated."""
    import numpy as np

    ours = covariates[(treated == 1) & (weights > 0)].mean(axis=0)
    controls = treated == 0
    theirs = np.average(covariates[controls], axis=0, weights=weights[controls])
    difference = np.asarray(ours - theirs, dtype=np.float64)
    return np.divide(difference, spread, out=np.where(np.abs(difference) < 1e-12, 0.0, np.inf), where=spread > 0)
