"""Propensity score matching: the mean effect on the treated, by matching and by weighting, behind checks of overlap.

Thresholds: 10 events a covariate; no score of 0.95 or more; 90 % of the sample between the trimming bounds and 90 %
of the treated on the common support; standardised differences after matching below 0.1 (amber to 0.25); matching
and weighting, for the treated and for all, agree in sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics import propensity
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.readiness import Colour, Item, at_least, at_most, readiness
from kaozheng.indicators.econometrics.result import LEVEL, Estimate, ModelResult, Specification, concluded, refused
from kaozheng.indicators.econometrics.sample import Columns, Sample, draw, of_rows
from kaozheng.indicators.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FAMILY = "psm"
BOUND = 0.05  # scores below it and above 1 - it are outside of the overlap
LIMITS = (
    Reason(
        "仅当影响参与和结果的因素都已观测并纳入得分时，差异才可解释为对处理单元的平均净效应；未观测的差异仍可能造成偏差。",
        "A mean effect on the treated only if all that drives both treatment and outcome is observed and in the score; "
        "what is not observed may still bias it.",
    ),
    Reason(
        "只适用于有可比对照的样本（共同支撑域内），不能外推到域外的县或企业；标准误未计入得分本身的估计误差。",
        "It holds for the sample with comparable controls only, not beyond the common support; errors take the score "
        "as known.",
    ),
)


@dataclass(frozen=True, slots=True)
class Matching:
    """Columns by name; `treated` holds 1 and 0. `trim` leaves out rows with a score below it or above 1 - it (and
    estimates the score anew); 0 trims nothing. `neighbours` controls for each treated row, with replacement."""

    outcome: str
    treated: str
    covariates: tuple[str, ...]
    neighbours: int = 3
    trim: float = 0.0
    caliper: float | None = None


@dataclass(frozen=True, slots=True)
class _Scored:
    sample: Sample
    treated: Floats
    score: Floats
    given_treated: int


def matching(columns: Columns, request: Matching) -> ModelResult:
    """The mean effect on the treated. Nothing is estimated where a condition is red.

    Raises InputError for a treatment that is not 0 or 1, MissingExtraError without the extra `county`.
    """
    sample = draw(columns, [request.outcome, request.treated, *request.covariates])
    if set(sample.numbers[request.treated].tolist()) - {0.0, 1.0}:
        raise InputError(f"{request.treated} must be 0 or 1")
    if not request.covariates or request.neighbours < 1 or not 0 <= request.trim < 0.5:
        raise InputError("matching wants covariates, at least 1 neighbour, and 0 <= trim < 0.5")
    counted = readiness(FAMILY, _countable(sample, request))
    if counted.standing != "ready":
        return refused(counted, _specification(sample, request, sample.rows))
    try:
        scored = _scored(sample, request)
    except InputError as error:
        apart = Item(
            "score", None, "exists", "red", Reason(f"倾向得分无法估计：{error}", f"there is no score: {error}")
        )
        return refused(readiness(FAMILY, (*counted.items, apart)), _specification(sample, request, sample.rows))
    specification = _specification(scored.sample, request, sample.rows)
    overlapping = readiness(FAMILY, (*counted.items, *_overlapping(scored)))
    match = _match(scored, request)
    if match is None:
        return refused(overlapping, specification)
    estimates = _estimates(scored, request, match)
    found = readiness(FAMILY, (*overlapping.items, *_balanced(scored, request, match), _agreeing(estimates)))
    differences = zip(request.covariates, *_differences(scored, request, match), strict=True)
    return concluded(found, specification, estimates, LIMITS, {"standardised_differences": differences})


def _countable(sample: Sample, request: Matching) -> Iterator[Item]:
    treated = sample.numbers[request.treated]
    fewer = min(int((treated == 1).sum()), int((treated == 0).sum()))
    what = Reason("每个协变量对应的（较小组）样本数", "rows of the smaller group for each covariate")
    yield at_least("events_per_covariate", fewer / len(request.covariates), green=10, amber=5, what=what, lack="data")


def _scored(sample: Sample, request: Matching) -> _Scored:
    treated = sample.numbers[request.treated]
    score, _ = propensity.scores(treated, sample.matrix(request.covariates))
    given = int((treated == 1).sum())
    if request.trim:
        sample = of_rows(sample, (score >= request.trim) & (score <= 1 - request.trim))
        treated = sample.numbers[request.treated]
        if len(set(treated.tolist())) < 2:
            raise InputError("trimming leaves one group without rows")
        score, _ = propensity.scores(treated, sample.matrix(request.covariates))
    return _Scored(sample, treated, score, given)


def _overlapping(scored: _Scored) -> Iterator[Item]:
    score, treated = scored.score, scored.treated
    what = Reason("最大倾向得分", "largest score")
    yield at_most("largest_score", float(score.max()), green=0.95, amber=0.99, what=what, lack="design")
    what = Reason(
        f"得分在{BOUND}至{1 - BOUND}之间的样本占比", f"share of rows with a score from {BOUND} to {1 - BOUND}"
    )
    inside = float(((score >= BOUND) & (score <= 1 - BOUND)).mean())
    yield at_least("overlap", inside, green=0.90, amber=0.75, what=what, lack="design")
    ours, theirs = score[treated == 1], score[treated == 0]
    supported = int(((ours >= theirs.min()) & (ours <= theirs.max())).sum())
    what = Reason(
        "处理组落在共同支撑域内的占比（含修剪掉的）",
        "share of the treated on the common support (trimmed ones counted)",
    )
    yield at_least(
        "treated_on_support", supported / scored.given_treated, green=0.90, amber=0.75, what=what, lack="design"
    )


def _match(scored: _Scored, request: Matching) -> propensity.Matched | None:
    outcome = scored.sample.numbers[request.outcome]
    match = propensity.matched(outcome, scored.treated, scored.score, request.neighbours, request.caliper)
    return match if len(match.effects) else None


def _estimates(scored: _Scored, request: Matching, match: propensity.Matched) -> tuple[Estimate, ...]:
    outcome = scored.sample.numbers[request.outcome]
    error = propensity.matching_error(outcome, scored.treated, scored.score, match)
    point = float(match.effects.mean())
    half = float(library("scipy.stats").norm.ppf((1 + LEVEL) / 2)) * error
    p = float(2 * library("scipy.stats").norm.sf(abs(point) / error)) if error else None
    by_weight = [
        propensity.weighted_effect(outcome, scored.treated, scored.score, target)["treated"]
        for target in ("treated", "all")
    ]
    named = zip(("att_weighting", "ate_weighting"), by_weight, strict=True)
    weighed = (Estimate(name, one.point, one.low, one.high, one.standard_error, one.p) for name, one in named)
    return (Estimate("att_matching", point, point - half, point + half, error, p), *weighed)


def _differences(scored: _Scored, request: Matching, match: propensity.Matched) -> tuple[list[float], list[float]]:
    """Standardised differences of each covariate before and after matching."""
    import numpy as np

    covariates = scored.sample.matrix(request.covariates)
    treated = scored.treated
    spread = covariates[treated == 1].std(axis=0, ddof=1)
    weights = match.weights.copy()
    weights[match.treated] = 1
    before = propensity.standardised_differences(covariates, treated, np.ones(len(treated)), spread)
    after = propensity.standardised_differences(covariates, treated, weights, spread)
    return before.tolist(), after.tolist()


def _balanced(scored: _Scored, request: Matching, match: propensity.Matched) -> Iterator[Item]:
    after = _differences(scored, request, match)[1]
    worst = max(range(len(after)), key=lambda place: abs(after[place]))
    name = request.covariates[worst]
    what = Reason(f"匹配后最大标准化差异（{name}）", f"largest standardised difference after matching ({name})")
    yield at_most("balance", abs(after[worst]), green=0.10, amber=0.25, what=what, lack="design")
    if match.unmatched:
        what = Reason("无匹配对照的处理单元占比", "share of the treated without a match")
        share = match.unmatched / (match.unmatched + len(match.effects))
        yield at_most("unmatched", share, green=0.10, amber=0.25, what=what, lack="design")


def _agreeing(estimates: tuple[Estimate, ...]) -> Item:
    signs = {one.point > 0 for one in estimates}
    shown = ", ".join(f"{one.name} {one.point:.4g}" for one in estimates)
    colour: Colour = "green" if len(signs) == 1 else "red"
    tail = (
        Reason("方向一致", "same sign")
        if len(signs) == 1
        else Reason("方向不一致，结论取决于方法", "signs differ: the method decides")
    )
    return Item("methods_agree", shown, "same sign", colour, Reason(f"{shown}：{tail.zh}", f"{shown}: {tail.en}"))


def _specification(sample: Sample, request: Matching, given: int) -> Specification:
    told = sample.told
    cut = (
        Reason(f"；修剪后{sample.rows}行", f"; {sample.rows} rows after trimming")
        if sample.rows < given
        else Reason("", "")
    )
    return Specification(
        method=f"{request.neighbours} nearest neighbours with replacement and ties; weighting by the odds of the score",
        formula=f"logit({request.treated}) ~ {' + '.join(request.covariates)}; outcome {request.outcome}",
        sample=Reason(told.zh + cut.zh, told.en + cut.en),
        data_hash=sample.data_hash,
        variance="matching: Abadie & Imbens 2006; weighting: robust HC3; the score taken as known",
        treatment_coding=f"{request.treated} = 1",
        settings=(
            ("trim", f"{request.trim:g}"),
            ("caliper", "none" if request.caliper is None else f"{request.caliper:g}"),
        ),
    )
