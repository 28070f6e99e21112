"""Difference-in-differences of two periods and two groups, with the periods before them to test the trends on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics import group_time, trends
from kaozheng.indicators.econometrics.did_staggered import honest_interval
from kaozheng.indicators.econometrics.readiness import Item, at_most, readiness
from kaozheng.indicators.econometrics.regression import VARIANCES, Errors, Fit, Variance, least_squares
from kaozheng.indicators.econometrics.result import Estimate, ModelResult, Specification, concluded, refused
from kaozheng.indicators.econometrics.sample import Columns, Sample, draw, of_rows
from kaozheng.indicators.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FAMILY = "did"
EFFECT = "treated x after"


@dataclass(frozen=True, slots=True)
class TwoPeriodDid:
    """Columns by name; `treated` holds 1 for the group that the policy reached and 0 for the other, in every period.

    The effect is estimated on the periods `before` and `after`; what lies before `before` tests the trends. Without
    `unit` rows are a new draw in each period (no panel). Errors: clustered by `cluster`, else by `unit`, else HC1.
    """

    outcome: str
    treated: str
    period: str
    before: float
    after: float
    unit: str = ""
    cluster: str = ""
    controls: tuple[str, ...] = ()
    variance: Variance | None = None
    policy_date: str = ""
    anticipation_stated: str = ""

    @property
    def grouping(self) -> str:
        """The column by which rows belong together, "" for none."""
        return self.cluster or self.unit


def two_period_did(columns: Columns, request: TwoPeriodDid) -> ModelResult:
    """The effect of a policy by the change of the treated against that of the others. Nothing is estimated where a
    condition is red: with one period before the policy the trends can't be tested, and that is one.

    Raises InputError for columns that fit no such design, MissingExtraError without the extra `county`.
    """
    sample = two_period_sample(columns, request)
    specification = _specification(sample, request)
    enough = readiness(FAMILY, _countable(sample, request))
    if enough.standing != "ready":
        return refused(enough, specification)
    fit = two_period_effect(sample, request)
    effect = fit[EFFECT]
    panel = _panel(sample, request)
    few = any(enough.item(key).colour == "amber" for key in ("treated_units", "control_units"))
    chance = group_time.randomised(_ends(panel, request)) if few and panel is not None else None
    joint, strongest = _placebo(sample, request)
    if chance is not None and panel is not None:
        joint = group_time.randomised_pre_test(panel)
    interval = honest_interval(panel, 0) if panel is not None else None
    tested = (
        *trends.parallel_before(joint, strongest),
        trends.sensitivity(interval, (effect.low or 0.0, effect.high or 0.0)),
    )
    found = readiness(FAMILY, (*enough.items, *tested, *trends.randomisation(chance)))
    estimates = fit.estimates
    if chance is not None:
        estimates = (Estimate(EFFECT, chance.point, chance.low, chance.high, None, chance.p),)
    return concluded(found, specification, estimates, trends.LIMITS)


def two_period_sample(columns: Columns, request: TwoPeriodDid) -> Sample:
    """The rows up to `before` and those of `after`. A row with a gap goes alone, not its unit with it."""
    labels = [name for name in (request.unit, request.cluster) if name]
    whole = draw(columns, [request.outcome, request.treated, request.period, *request.controls], labels)
    period, treated = whole.numbers[request.period], whole.numbers[request.treated]
    if set(treated.tolist()) - {0.0, 1.0}:
        raise InputError(f"{request.treated} must be 0 or 1")
    if request.after <= request.before:
        raise InputError(f"after ({request.after:g}) must be later than before ({request.before:g})")
    return of_rows(whole, (period <= request.before) | (period == request.after))


def two_period_effect(sample: Sample, request: TwoPeriodDid) -> Fit:
    """y = a + b treated + c after + d treated x after + controls. No gate: `two_period_did` is the door."""
    import numpy as np

    period = sample.numbers[request.period]
    ends = of_rows(sample, (period == request.before) | (period == request.after))
    treated = ends.numbers[request.treated]
    after = (ends.numbers[request.period] == request.after).astype(np.float64)
    if len({(one, two) for one, two in zip(treated.tolist(), after.tolist(), strict=True)}) < 4:
        raise InputError("one of the four cells (treated or not, before and after) has no row")
    names = ("const", "treated", "after", EFFECT, *request.controls)
    base = np.column_stack([np.ones(ends.rows), treated, after, treated * after])
    x = np.hstack([base, ends.matrix(request.controls)])
    return least_squares(ends.numbers[request.outcome], x, names, _errors(ends, request))


def _errors(sample: Sample, request: TwoPeriodDid) -> Errors:
    kind = request.variance or ("cluster" if request.grouping else "HC1")
    return Errors(kind, sample.labels[request.grouping] if kind == "cluster" else ())


def _countable(sample: Sample, request: TwoPeriodDid) -> Iterator[Item]:
    period, treated = sample.numbers[request.period], sample.numbers[request.treated]
    before = sorted({float(one) for one in period if one <= request.before})
    yield trends.enough_periods(len(before))
    counts = [_units(sample, request, group) for group in (1.0, 0.0)]
    yield from trends.enough_units(counts[0], counts[1], can_randomise=bool(request.unit) and not request.cluster)
    at_ends = [
        int(((period == end) & (treated == group)).sum()) for end in (request.before, request.after) for group in (0, 1)
    ]
    if min(at_ends) == 0:
        reason = Reason("处理组或对照组在政策前后缺数据", "one group has no rows before or after the policy")
        yield Item("cells", 0, "> 0", "red", reason, "data")
    if request.unit:
        what = Reason("因缺期被剔除出面板的单元占比", "share of units that lack a period")
        panel = _panel(sample, request)
        names = len(set(sample.labels[request.unit]))
        lost = 1.0 if panel is None else panel.dropped / max(1, names)
        yield at_most("unbalanced", lost, green=0.10, amber=0.50, what=what, lack="data")
    yield from trends.dated(request.policy_date, request.anticipation_stated)


def _units(sample: Sample, request: TwoPeriodDid, group: float) -> int:
    """Clusters, else units, else rows of the period `after`: what errors are independent between."""
    chosen = sample.numbers[request.treated] == group
    if request.grouping:
        return len({name for name, mine in zip(sample.labels[request.grouping], chosen, strict=True) if mine})
    return int((chosen & (sample.numbers[request.period] == request.after)).sum())


def _placebo(sample: Sample, request: TwoPeriodDid) -> tuple[group_time.PreTest | None, tuple[str, float] | None]:
    """The same contrast between `before` and each earlier period, in one regression: all zero if trends agree."""
    import numpy as np

    early = of_rows(sample, sample.numbers[request.period] <= request.before)
    period, treated = early.numbers[request.period], early.numbers[request.treated]
    earlier = [one for one in sorted(set(period.tolist())) if one < request.before]
    if not earlier:
        return None, None
    dummies = [(period == one).astype(np.float64) for one in earlier]
    crossed = [f"{one:g}" for one in earlier]
    x = np.column_stack([np.ones(early.rows), treated, *dummies, *(treated * one for one in dummies)])
    names = ("const", "treated", *(f"period {one}" for one in crossed), *crossed, *request.controls)
    fit = least_squares(
        early.numbers[request.outcome], np.hstack([x, early.matrix(request.controls)]), names, _errors(early, request)
    )
    t = {one: fit[one].point / (fit[one].standard_error or float("nan")) for one in crossed}
    strongest = max(t.items(), key=lambda pair: abs(pair[1]))
    p = fit.jointly_zero(crossed)
    return group_time.PreTest(float("nan"), len(crossed), p), strongest


def _panel(sample: Sample, request: TwoPeriodDid) -> group_time.Panel | None:
    """The rows as a panel in which the treated are treated from `after` on; None without units that run through."""
    import numpy as np

    if not request.unit:
        return None
    first = np.where(sample.numbers[request.treated] == 1, request.after, 0.0)
    numbers = sample.numbers
    panel = group_time.balanced(numbers[request.outcome], first, numbers[request.period], sample.labels[request.unit])
    return panel if (panel.first == 0).any() and (panel.first > 0).any() else None


def _ends(panel: group_time.Panel, request: TwoPeriodDid) -> group_time.Panel:
    chosen = (panel.periods == request.before) | (panel.periods == request.after)
    return group_time.Panel(panel.outcome[:, chosen], panel.first, panel.periods[chosen], panel.units, panel.dropped)


def _specification(sample: Sample, request: TwoPeriodDid) -> Specification:
    controls = "".join(f" + {name}" for name in request.controls)
    kind = request.variance or ("cluster" if request.grouping else "HC1")
    by = f" by {request.grouping}" if kind == "cluster" else ""
    return Specification(
        method="difference in differences of two periods, least squares (statsmodels)",
        formula=f"{request.outcome} ~ treated + after + treated:after{controls}",
        sample=sample.told,
        data_hash=sample.data_hash,
        variance=VARIANCES[kind] + by,
        treatment_coding=f"treated: {request.treated} = 1; after: {request.period} = {request.after:g}, "
        f"before: {request.before:g}",
        settings=(("controls", ", ".join(request.controls) or "none"), ("unit", request.unit or "rows are drawn anew")),
    )
