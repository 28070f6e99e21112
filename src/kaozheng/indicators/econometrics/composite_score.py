"""Composite evaluation: the conditions and the report around a way of weighing and scoring that the caller brings.

Thresholds: no constant column; a direction for each indicator and a name under the table of directions; missing at most
10 %; the ranks under weights 20 % up or down correlate with the ranks shown by 0.9 (amber to 0.8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.readiness import (
    Colour,
    Item,
    at_least,
    at_most,
    documented,
    readiness,
)
from kaozheng.indicators.econometrics.result import Estimate, ModelResult, Specification, concluded, refused
from kaozheng.indicators.econometrics.sample import Columns, Sample, draw
from kaozheng.indicators.reason import Reason

FAMILY = "composite"
SHIFT = 0.20
Table = Mapping[str, Mapping[str, float]]
Weights = Mapping[str, float]
Weigh = Callable[[Table], Weights]
Score = Callable[[Table, Weights], Mapping[str, float]]
LIMITS = (
    Reason(
        "得分只在本样本、本指标体系内可比，增减一个县名次就可能变化；不是行政考核排名，也不代表发展好坏。",
        "Scores compare within this sample and these indicators only; a county more or less may change ranks. It is no "
        "ranking for appraisal and no verdict.",
    ),
    Reason(
        "区间是各权重上下浮动20%时得分的范围，不是抽样误差。",
        "Intervals are what weights 20 % up or down do, not sampling error.",
    ),
)


@dataclass(frozen=True, slots=True)
class Composite:
    """Columns by name; `unit` names the rows. `directions` says of each indicator whether more is better (True);
    `signed_off_by` who stands for that table."""

    unit: str
    directions: Mapping[str, bool]
    signed_off_by: str = ""


def composite(columns: Columns, request: Composite, weigh: Weigh, score: Score, method: str) -> ModelResult:
    """The score of each unit with its range under other weights. Nothing is shown where a condition is red.

    `weigh` and `score` are given a table of units by indicators and know the directions; `method` names them.
    Raises InputError for a unit with two rows."""
    features = tuple(request.directions)
    sample = draw(columns, features, [request.unit])
    names = sample.labels[request.unit]
    if len(set(names)) < len(names):
        raise InputError(f"{request.unit} has a name twice")
    ways = ", ".join(f"{name} {'+' if more else '-'}" for name, more in request.directions.items())
    specification = Specification(
        method, ways, sample.told, sample.data_hash, "weights 20 % up or down", settings=(("directions", ways),)
    )
    enough = readiness(FAMILY, _countable(sample, request))
    if enough.standing != "ready":
        return refused(enough, specification)
    table = {unit: {name: float(sample.numbers[name][row]) for name in features} for row, unit in enumerate(names)}
    weights = weigh(table)
    own = score(table, weights)
    others = [score(table, one) for one in _shifted(weights)]
    found = readiness(FAMILY, (*enough.items, _steady(own, others)))
    estimates = [
        Estimate(unit, own[unit], min(one[unit] for one in (own, *others)), max(one[unit] for one in (own, *others)))
        for unit in names
    ]
    return concluded(found, specification, estimates, LIMITS, {"weights": sorted(weights.items())})


def _countable(sample: Sample, request: Composite) -> Iterator[Item]:
    import numpy as np

    if not request.directions:
        reason = Reason("没有指标", "there is no indicator")
        yield Item("indicators", 0, "> 0", "red", reason, "data")
    yield at_least("units", sample.rows, green=3, what=Reason("单元数", "units"), lack="data")
    lost = 1 - sample.rows / max(1, sample.rows_given)
    yield at_most("missing", lost, green=0.10, what=Reason("缺失行占比", "share of rows with a gap"), lack="data")
    constant = [name for name in request.directions if sample.rows and np.ptp(sample.numbers[name]) == 0]
    colour: Colour = "red" if constant else "green"
    shown = ", ".join(constant)
    reason = (
        Reason(f"指标无变化：{shown}", f"columns without variation: {shown}")
        if constant
        else Reason("各指标均有变化", "every column varies")
    )
    yield Item("constant", len(constant), "0", colour, reason)
    what = Reason("指标方向表的确认人", "who signed off the table of directions")
    yield documented("directions", request.signed_off_by, what=what, otherwise="red")


def _shifted(weights: Weights) -> Iterator[Weights]:
    """Each weight alone 20 % up and down, all of them to the old sum again."""
    total = sum(weights.values())
    for name in weights:
        for factor in (1 + SHIFT, 1 - SHIFT):
            moved = {**weights, name: weights[name] * factor}
            yield {key: value * total / sum(moved.values()) for key, value in moved.items()}


def _steady(own: Mapping[str, float], others: list[Mapping[str, float]]) -> Item:
    import numpy as np

    def ranks(scores: Mapping[str, float]) -> list[int]:
        values = np.array([scores[unit] for unit in own])
        return [int((values > value).sum()) for value in values]

    shown = ranks(own)
    moved = [ranks(one) for one in others]
    worst = min((_correlation(shown, one) for one in moved), default=1.0)
    most = max((abs(a - b) for one in moved for a, b in zip(shown, one, strict=True)), default=0)
    what = Reason(
        f"权重浮动20%时位次相关系数的最小值（单个单元最多移动{most}位）",
        f"smallest correlation of ranks under weights 20 % up or down (a unit moves by {most} at most)",
    )
    return at_least("rank_stability", worst, green=0.9, amber=0.8, what=what, lack="design")


def _correlation(one: list[int], other: list[int]) -> float:
    """Spearman's, NaN (and so red) where all share a rank."""
    import numpy as np

    if len(set(one)) < 2 or len(set(other)) < 2:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])
