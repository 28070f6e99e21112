"""The families of models by name: what each asks for, and how its request is made of a ModelRequest.

To add one, write a function here and a line of FAMILIES; its conditions stand in `indicators.econometrics`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from kaozheng.county.modelling.request import ModelRequest
from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.result import ModelResult
from kaozheng.indicators.econometrics.sample import Columns
from kaozheng.indicators.reason import Reason

Run = Callable[[Columns, ModelRequest], ModelResult]


@dataclass(frozen=True, slots=True)
class Family:
    """One family. `needs` are the fields of a request without which it says nothing, `of_one_period` whether a row of
    its sample is a region and not a region in a period."""

    name: Reason
    run: Run
    needs: tuple[str, ...]
    of_one_period: bool = False


def estimate(family: str, columns: Columns, request: ModelRequest) -> ModelResult:
    """The result of a family, or what it lacks. Raises InputError for a family that is not known, a request without
    what the family asks for, and columns that fit it in no way; MissingExtraError without its packages."""
    known = family_named(family)
    for need in known.needs:
        if not getattr(request, need):
            raise InputError(f"{family}: say {need.replace('_', ' ')}")
    return known.run(columns, request)


def family_named(family: str) -> Family:
    """The family of this name. Raises InputError with the nearest one."""
    if found := FAMILIES.get(family):
        return found
    near = difflib.get_close_matches(family, FAMILIES, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(FAMILIES)}"
    raise InputError(f"no family of models is named {family!r} ({hint})")


def _did(columns: Columns, request: ModelRequest) -> ModelResult:
    """Two periods where both are said, else the dates on which the regions were reached."""
    if request.before is None and request.after is None:
        return _staggered(columns, request)
    if request.before is None or request.after is None:
        raise InputError("did: say both periods, before and after, or neither")
    from kaozheng.indicators.econometrics.did_two_period import TwoPeriodDid, two_period_did

    asked = TwoPeriodDid(
        request.outcome,
        request.treated,
        request.period,
        request.before,
        request.after,
        unit=request.unit,
        controls=request.features,
        policy_date=request.policy_date,
        anticipation_stated=request.anticipation,
    )
    return two_period_did(columns, asked)


def _staggered(columns: Columns, request: ModelRequest) -> ModelResult:
    from kaozheng.indicators.econometrics.did_staggered import StaggeredDid, staggered_did

    if request.features:
        raise InputError("did with dates of adoption takes no features: leave them out, or say before and after")
    asked = StaggeredDid(
        request.outcome,
        request.unit,
        request.period,
        request.first_treated,
        policy_date=request.policy_date,
        anticipation_stated=request.anticipation,
    )
    return staggered_did(columns, asked)


def _matching(columns: Columns, request: ModelRequest) -> ModelResult:
    from kaozheng.indicators.econometrics.matching import Matching, matching

    return matching(columns, Matching(request.outcome, request.treated, request.features))


def _panel(columns: Columns, request: ModelRequest) -> ModelResult:
    from kaozheng.indicators.econometrics.panel import PanelRegression, panel_regression

    asked = PanelRegression(request.outcome, request.features, request.unit, request.period, time_effects=True)
    return panel_regression(columns, asked)


def _spatial(columns: Columns, request: ModelRequest) -> ModelResult:
    from kaozheng.indicators.econometrics.spatial import Neighbours, SpatialLag, spatial_lag

    neighbours = Neighbours(request.neighbours, request.neighbours_source)
    return spatial_lag(columns, SpatialLag(request.outcome, request.features, request.unit, neighbours))


def _composite(columns: Columns, request: ModelRequest) -> ModelResult:
    from kaozheng.county.modelling.evaluation import evaluate
    from kaozheng.indicators.econometrics.composite_score import Composite

    if unsaid := [name for name in request.features if name not in request.directions]:
        raise InputError(f"composite: is more of {', '.join(unsaid)} better? say its direction")
    directions = {name: request.directions[name] for name in request.features}
    return evaluate(columns, Composite(request.unit, directions, request.signed_off_by))


def _clustering(columns: Columns, request: ModelRequest) -> ModelResult:
    from kaozheng.indicators.econometrics.clustering import Clustering, clustering

    return clustering(columns, Clustering(request.unit, request.features, request.groups))


def _forecast(columns: Columns, request: ModelRequest) -> ModelResult:
    from kaozheng.indicators.econometrics.forecast import Forecast, forecast

    frequency: Literal["year", "month"] = "month" if request.monthly else "year"
    return forecast(columns, Forecast(request.outcome, request.period, request.horizon, frequency))


FAMILIES: Mapping[str, Family] = {
    "did": Family(Reason("双重差分", "difference-in-differences"), _did, ("outcome",)),
    "psm": Family(Reason("倾向得分匹配", "propensity score matching"), _matching, ("outcome", "features"), True),
    "panel": Family(Reason("面板固定效应", "panel fixed effects"), _panel, ("outcome", "features")),
    "spatial": Family(Reason("空间滞后", "spatial lag"), _spatial, ("outcome", "features", "neighbours"), True),
    "composite": Family(Reason("综合评价", "composite evaluation"), _composite, ("features",), True),
    "cluster": Family(Reason("聚类", "clustering"), _clustering, ("features",), True),
    "forecast": Family(Reason("预测", "forecast"), _forecast, ("outcome",)),
}
