"""Difference-in-differences with staggered adoption: group-time effects (Callaway & Sant'Anna 2021), by diff-diff."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics import group_time, trends
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.readiness import Colour, Item, Readiness, at_most, readiness
from kaozheng.indicators.econometrics.result import Estimate, ModelResult, Specification, concluded, refused
from kaozheng.indicators.econometrics.sample import Columns, Sample, draw
from kaozheng.indicators.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAMILY = "did_staggered"


@dataclass(frozen=True, slots=True)
class StaggeredDid:
    """Columns by name. `first_treated` holds the period in which a unit is first treated; 0, a gap, or a period after
    the last one of the sample mean never. Periods are consecutive whole numbers. `controls` not_yet_treated adds later
    cohorts to the never treated, of whom there must be some all the same. Units treated in the first period have no
    "before" and are left out.

    `anticipation` is in periods; `policy_date` and `anticipation_stated` are what a person knows of them.
    """

    outcome: str
    unit: str
    period: str
    first_treated: str
    controls: str = "never_treated"
    anticipation: int = 0
    policy_date: str = ""
    anticipation_stated: str = ""


@dataclass(frozen=True, slots=True)
class Coded:
    """A panel whose dates of treatment are coded, and the rule in words."""

    panel: group_time.Panel
    rule: str
    sample: Sample
    always: int


@dataclass(frozen=True, slots=True)
class GroupTime:
    """What diff-diff found: overall effects by way of aggregation, effects by event time, cells, covariance."""

    overall: tuple[Estimate, ...]
    by_event: tuple[Estimate, ...]
    by_cohort: tuple[Estimate, ...]
    cells: tuple[tuple[float, float, float, float], ...]
    raw: Any


def coded(columns: Columns, request: StaggeredDid) -> Coded:
    """The panel with the coding of treatment that all libraries read alike: 0 is never, not the year 0."""
    import numpy as np

    dates = draw({"d": [0 if _is_gap(cell) else cell for cell in columns.get(request.first_treated, ())]}, ["d"])
    if not dates.rows:
        raise InputError(f"no column {request.first_treated}")
    filled: Columns = {name: columns[name] for name in columns} | {request.first_treated: dates.numbers["d"].tolist()}
    sample = draw(filled, [request.outcome, request.period, request.first_treated], [request.unit])
    if not sample.rows:
        raise InputError("no row is without a gap")
    period, first = sample.numbers[request.period], sample.numbers[request.first_treated].copy()
    later = first > period.max() if sample.rows else first > 0
    beyond = len({unit for unit, late in zip(sample.labels[request.unit], later, strict=True) if late})
    first[later] = 0
    panel = group_time.balanced(sample.numbers[request.outcome], first, period, sample.labels[request.unit])
    always = (panel.first > 0) & (panel.first - request.anticipation <= panel.periods[0])
    kept = replace(
        panel,
        outcome=panel.outcome[~always],
        first=panel.first[~always],
        units=tuple(np.asarray(panel.units)[~always].tolist()),
    )
    rule = (
        f"treated from {request.first_treated} on; 0, gaps and later than {period.max():g} are never treated "
        f"({beyond} units later); treated from the start left out ({int(always.sum())} units)"
    )
    return Coded(kept, rule, sample, int(always.sum()))


def group_time_effects(
    panel: group_time.Panel, controls: str, anticipation: int, base: Literal["varying", "universal"] = "varying"
) -> GroupTime:
    """All effects with analytic errors. No gate: `staggered_did` is the door."""
    import numpy as np

    frame = long_form(panel)
    model = library("diff_diff").CallawaySantAnna(
        control_group=controls, anticipation=anticipation, base_period=base, alpha=0.05
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small cohorts: the gate counts units itself
        found = model.fit(frame, outcome="outcome", unit="unit", time="period", first_treat="first")
        events, groups = found.aggregate("event_study"), found.aggregate("group")
    after = events.event_time >= 0
    weights = np.where(after, 1 / after.sum(), 0.0)
    cells = tuple(
        (float(g), float(t), float(cell["effect"]), float(cell["se"]))
        for (g, t), cell in found.group_time_effects.items()
    )
    by_event = tuple(
        _estimate(f"e={time:g}", att, se)
        for time, att, se in zip(events.event_time, events.att, events.se, strict=True)
        if time >= 0 or not math.isnan(se)
    )
    sizes = np.array([(panel.first == date).sum() for date in groups.label], dtype=np.float64)
    group = float(sizes @ groups.att / sizes.sum())
    overall = (
        _estimate("simple", found.overall_att, found.overall_se),
        _estimate("dynamic", float(weights @ events.att), _spread(weights, events)),
        _estimate("group", group, group_time.cohort_error(panel, anticipation))
        if controls == "never_treated"
        else Estimate("group", group),
    )
    by_cohort = tuple(
        _estimate(f"g={date:g}", att, se) for date, att, se in zip(groups.label, groups.att, groups.se, strict=True)
    )
    return GroupTime(overall, by_event, by_cohort, cells, events)


def _spread(weights: NDArray[np.float64], events: Any) -> float:
    places = [events.event_time.tolist().index(time) for time in events.vcov_index]
    inner = weights[places]
    return float(math.sqrt(inner @ events.vcov @ inner))


def _estimate(name: str, point: float, error: float) -> Estimate:
    z = point / error if error > 0 else math.nan
    p = math.erfc(abs(z) / math.sqrt(2))
    return Estimate(
        name, float(point), float(point - 1.959964 * error), float(point + 1.959964 * error), float(error), p
    )


def honest_interval(panel: group_time.Panel, anticipation: int) -> tuple[float, float] | None:
    """The interval of the mean effect if trends broke by at most as much as they did before (Rambachan & Roth 2023,
    relative magnitude 1). It needs one common base period. None where diff-diff can't compute it."""
    import numpy as np

    # By place in the calendar: "one period before" is then there even where years were left out on purpose.
    places = np.arange(len(panel.periods), dtype=np.float64) + 1
    first = np.where(panel.first > 0, np.searchsorted(panel.periods, panel.first) + 1.0, 0.0)
    numbered = replace(panel, periods=places, first=first)
    try:
        effects = group_time_effects(numbered, "never_treated", anticipation, base="universal")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = library("diff_diff").compute_honest_did(effects.raw, method="relative_magnitude", M=1.0)
    except (ValueError, ArithmeticError):
        return None
    low, high = float(found.ci_lb), float(found.ci_ub)
    return None if math.isnan(low) or math.isnan(high) else (low, high)


def bacon(panel: group_time.Panel) -> Any:
    """The decomposition of Goodman-Bacon (2021) of the two-way fixed effects estimate."""
    model = library("diff_diff").BaconDecomposition()
    return model.fit(long_form(panel), outcome="outcome", unit="unit", time="period", first_treat="first")


def long_form(panel: group_time.Panel) -> Any:
    """The panel as the table that diff-diff reads: unit, period, first, outcome, all float64."""
    import numpy as np

    units, periods = panel.outcome.shape
    return library("pandas").DataFrame(
        {
            "unit": np.repeat(np.arange(units, dtype=np.float64), periods),
            "period": np.tile(panel.periods, units),
            "first": np.repeat(panel.first, periods),
            "outcome": panel.outcome.ravel(),
        }
    )


def staggered_did(columns: Columns, request: StaggeredDid) -> ModelResult:
    """The effect of a policy that reached units at different times. Nothing is estimated where a condition is red.

    Raises InputError for columns that are no panel, MissingExtraError without the extra `county`.
    """
    if request.controls not in ("never_treated", "not_yet_treated"):
        raise InputError(f"controls are never_treated or not_yet_treated, not {request.controls!r}")
    data = coded(columns, request)
    specification = _specification(data, request)
    enough = readiness(FAMILY, _countable(data, request))
    if enough.standing != "ready":
        return refused(enough, specification)
    effects = group_time_effects(data.panel, request.controls, request.anticipation)
    chance = group_time.randomised(data.panel, request.anticipation) if _few(enough) else None
    split = bacon(data.panel)
    found = readiness(
        FAMILY,
        (*enough.items, *_testable(data, request, effects, chance), *_weighed(split), *trends.randomisation(chance)),
    )
    estimates = (*effects.overall, *effects.by_event, *effects.by_cohort)
    if chance is not None:
        estimates = (
            Estimate("simple", chance.point, chance.low, chance.high, None, chance.p),
            *(Estimate(one.name, one.point) for one in estimates[1:]),
        )
    tables = {
        "group_time": effects.cells,
        "bacon": [(str(kind), weight, effect) for kind, weight, effect in _comparisons(split)],
    }
    return concluded(found, specification, estimates, trends.LIMITS, tables)


def _countable(data: Coded, request: StaggeredDid) -> Iterator[Item]:
    """What can be counted before anything is fitted."""
    panel = data.panel
    treated, controls = int((panel.first > 0).sum()), int((panel.first == 0).sum())
    earliest = min(group_time.cohorts(panel), default=0.0)
    dates = group_time.cohorts(panel)
    most = max((int((panel.periods < date - request.anticipation).sum()) for date in dates), default=0)
    fewest = int((panel.periods < earliest - request.anticipation).sum())
    yield trends.enough_periods(most)
    yield from _calendar(panel)
    if most >= trends.PRE_PERIODS and fewest < trends.PRE_PERIODS:
        reason = Reason(
            f"最早一批（{earliest:g}）政策前只有{fewest}期，其平行趋势无法检验",
            f"the first cohort ({earliest:g}) has {fewest} period before it: its trend cannot be tested",
        )
        yield Item("pre_periods_first", fewest, f">= {trends.PRE_PERIODS}", "amber", reason, "data")
    yield from trends.enough_units(treated, controls, can_randomise=True)
    yield from _small_cohorts(panel)
    whole = len(panel.units) + data.always + panel.dropped
    what = Reason("因缺期被剔除的单元占比", "share of units left out for a missing period")
    yield at_most("unbalanced", panel.dropped / max(1, whole), green=0.10, amber=0.50, what=what, lack="data")
    yield from trends.dated(request.policy_date, request.anticipation_stated)


def _calendar(panel: group_time.Panel) -> Iterator[Item]:
    present = panel.periods.tolist()
    lacking = [one for one in range(int(present[0]), int(present[-1])) if one not in present]
    fractions = [one for one in present if one != int(one)]
    if lacking or fractions:
        shown = ", ".join(f"{one:g}" for one in (*lacking[:10], *fractions[:10]))
        reason = Reason(f"时期不连续：{shown}", f"periods are not consecutive whole numbers: {shown}")
        yield Item("calendar", len(lacking) + len(fractions), "0", "red", reason, "data")


def _small_cohorts(panel: group_time.Panel) -> Iterator[Item]:
    small = [f"{date:g}" for date in group_time.cohorts(panel) if (panel.first == date).sum() < group_time.COHORT]
    if small:
        named = ", ".join(small)
        reason = Reason(
            f"{named}年批次不足{group_time.COHORT}个单元：其单独效应的标准误不可靠，不进入趋势联合检验（除非各批次都小）",
            f"cohorts {named} have fewer than {group_time.COHORT} units: errors of their own effects are unreliable, "
            "and the joint test of trends leaves them out (unless all are small)",
        )
        yield Item("small_cohorts", len(small), f"cohorts >= {group_time.COHORT} units", "amber", reason, "data")


def _few(found: Readiness) -> bool:
    return any(found.item(key).colour == "amber" for key in ("treated_units", "control_units"))


def _testable(
    data: Coded, request: StaggeredDid, effects: GroupTime, chance: group_time.Randomised | None
) -> Iterator[Item]:
    tested = group_time.pre_test if chance is None else group_time.randomised_pre_test
    test = tested(data.panel, request.anticipation)
    before = [
        (one.name, one.point / one.standard_error)
        for one in effects.by_event
        if _event(one) < -request.anticipation and one.standard_error
    ]
    yield from trends.parallel_before(test, max(before, key=lambda pair: abs(pair[1]), default=None))
    dynamic = effects.overall[1]
    main = (dynamic.low or 0.0, dynamic.high or 0.0)
    yield trends.sensitivity(honest_interval(data.panel, request.anticipation), main)


def _event(one: Estimate) -> float:
    return float(one.name.removeprefix("e="))


def _weighed(split: Any) -> Iterator[Item]:
    """How much of a two-way fixed effects estimate would compare with units that are treated already."""
    weight = float(split.total_weight_later_vs_earlier)
    colour: Colour = "green" if weight <= 0.10 else "amber"
    reason = Reason(
        f"双向固定效应中{weight:.1%}的权重来自“已处理作对照”的比较；此处报告的是分组分期效应，不用该估计",
        f"{weight:.1%} of the weight of a two-way fixed effects estimate would come from comparisons with units "
        "already treated; what is reported here are group-time effects instead",
    )
    yield Item("bacon_already_treated", weight, "<= 0.1", colour, reason)


def _comparisons(split: Any) -> Iterator[tuple[str, float, float | None]]:
    for kind in ("treated_vs_never", "earlier_vs_later", "later_vs_earlier"):
        effect = getattr(split, f"weighted_avg_{kind}")
        yield (
            kind,
            float(getattr(split, f"total_weight_{kind}")),
            None if effect is None or math.isnan(effect) else float(effect),
        )


def _specification(data: Coded, request: StaggeredDid) -> Specification:
    panel = data.panel
    told = data.sample.told
    span = f"{panel.periods[0]:g}-{panel.periods[-1]:g}"
    return Specification(
        method="group-time ATT, doubly robust without covariates (Callaway & Sant'Anna 2021; diff-diff)",
        formula=f"ATT(g,t) of {request.outcome}, base period g-1-{request.anticipation}",
        sample=Reason(
            f"{told.zh}；{len(panel.units)}个单元，{span}",
            f"{told.en}; {len(panel.units)} units, {span}",
        ),
        data_hash=data.sample.data_hash,
        variance="analytic, from influence functions, by unit",
        treatment_coding=data.rule,
        settings=(("controls", request.controls), ("anticipation", str(request.anticipation))),
    )


def _is_gap(cell: Any) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))
