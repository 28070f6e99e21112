"""Group-time effects by means alone: what pre-trends are tested with, and what randomisation inference turns over.

ATT(g,t) = mean change of cohort g from its base period to t, minus that of the never treated (Callaway & Sant'Anna
2021, without covariates). The estimate that is shown comes from diff-diff; this can be run thousands of times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.libraries import library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COHORT = 5  # units of a cohort below which the variance of its own effects means little
DRAWS = 1_999  # p of randomisation inference then has steps of 0.0005
_SEED = 20_240_101


@dataclass(frozen=True, slots=True)
class Panel:
    """A balanced panel: outcome[unit, period], the period in which each unit is first treated (0: never), by time."""

    outcome: Floats
    first: Floats
    periods: Floats
    units: tuple[str, ...]
    dropped: int = 0  # units with a gap in some period


@dataclass(frozen=True, slots=True)
class PreTest:
    """The joint Wald test that all effects before treatment are 0."""

    statistic: float
    degrees: int
    p: float


def balanced(outcome: Floats, first: Floats, period: Floats, unit: tuple[str, ...]) -> Panel:
    """Rows as a panel; units that lack a period are dropped and counted. Raises InputError for a unit with two rows in
    a period or two dates of treatment."""
    import numpy as np

    names, row = np.unique(np.asarray(unit), return_inverse=True)
    periods, place = np.unique(period, return_inverse=True)
    cells = row * len(periods) + place
    if len(np.unique(cells)) < len(cells):
        raise InputError("a unit has two rows in one period")
    wide = np.full((len(names), len(periods)), np.nan)
    wide[row, place] = outcome
    dates = np.full(len(names), np.nan)
    dates[row] = first
    if (dates[row] != first).any():
        bad = names[row[np.argmax(dates[row] != first)]]
        raise InputError(f"unit {bad} has two dates of treatment")
    whole = ~np.isnan(wide).any(axis=1)
    return Panel(wide[whole], dates[whole], periods, tuple(names[whole].tolist()), int((~whole).sum()))


def cohorts(panel: Panel) -> tuple[float, ...]:
    """The dates of treatment, without the never treated."""
    return tuple(sorted({float(date) for date in panel.first if date > 0}))


def simple_effect(outcome: Floats, first: Floats, periods: Floats, anticipation: int = 0) -> float:
    """The mean of all ATT(g,t) with t >= g, weighted by the size of the cohort."""
    total = weight = 0.0
    control = outcome[first == 0].mean(axis=0)
    for date in {float(one) for one in first if one > 0}:
        members = first == date
        if (before := _last_before(periods, date - anticipation)) is None:
            continue
        change = (outcome[members].mean(axis=0) - control) - (outcome[members, before].mean() - control[before])
        after = periods >= date
        total += float(members.sum() * change[after].sum())
        weight += float(members.sum() * after.sum())
    return total / weight if weight else float("nan")


def pre_test(panel: Panel, anticipation: int = 0) -> PreTest | None:
    """The joint test over all effects before treatment, each from one period to the next; None without any.

    The covariance is that of the influence functions, so that cells which share units are not taken for independent.
    """
    import numpy as np

    cells = list(_pre_cells(panel, anticipation))
    if not cells:
        return None
    effects = np.array([effect for effect, _ in cells])
    influence = np.column_stack([one for _, one in cells])
    covariance = influence.T @ influence / len(panel.units) ** 2
    statistic = float(effects @ np.linalg.pinv(covariance, hermitian=True) @ effects)
    degrees = int(np.linalg.matrix_rank(covariance, hermitian=True))
    return PreTest(statistic, degrees, float(library("scipy.stats").chi2.sf(statistic, degrees)))


def _pre_cells(panel: Panel, anticipation: int) -> Iterator[tuple[float, Floats]]:
    dates = cohorts(panel)
    tested = [date for date in dates if (panel.first == date).sum() >= COHORT] or dates
    for date in tested:
        for place in range(1, len(panel.periods)):
            if panel.periods[place] >= date - anticipation:
                break
            yield _contrast(panel, date, panel.outcome[:, place] - panel.outcome[:, place - 1])


def _contrast(panel: Panel, date: float, change: Floats) -> tuple[float, Floats]:
    """The change of a cohort against that of the never treated, and the influence of each unit on it."""
    import numpy as np

    members, control = panel.first == date, panel.first == 0
    ours, theirs = change[members].mean(), change[control].mean()
    influence = np.zeros(len(change))
    influence[members] = (change[members] - ours) * len(change) / members.sum()
    influence[control] = -(change[control] - theirs) * len(change) / control.sum()
    return float(ours - theirs), influence


def cohort_error(panel: Panel, anticipation: int = 0) -> float:
    """The standard error of the mean of cohort effects weighted by cohort size; the weights are estimated too."""
    import numpy as np

    shares, effects, influences = [], [], []
    for date in cohorts(panel):
        if (before := _last_before(panel.periods, date - anticipation)) is None:
            continue
        after = panel.periods >= date
        change = panel.outcome[:, after].mean(axis=1) - panel.outcome[:, before]
        effect, influence = _contrast(panel, date, change)
        effects.append(effect)
        influences.append(influence)
        shares.append((panel.first == date).astype(np.float64))
    member = np.column_stack(shares)
    weight = member.mean(axis=0)
    found = np.array(effects)
    mean = float(weight @ found / weight.sum())
    whole = np.column_stack(influences) @ weight + (member - weight) @ (found - mean)
    return float(np.sqrt(np.mean((whole / weight.sum()) ** 2) / len(whole)))


@dataclass(frozen=True, slots=True)
class Randomised:
    """Randomisation inference: how often a random choice of treated units shows as much; effects not rejected."""

    point: float
    p: float
    low: float
    high: float
    draws: int


def randomised(panel: Panel, anticipation: int = 0, level: float = 0.95) -> Randomised:
    """Turns the dates of treatment over among the units (Fisher). The interval holds all constant effects that the test
    does not reject; it is as wide as +-inf where so few assignments exist that nothing can be rejected."""
    import numpy as np

    chance = np.random.default_rng(_SEED)
    exposure = ((panel.first[:, None] > 0) & (panel.periods[None, :] >= panel.first[:, None])).astype(np.float64)
    own = simple_effect(panel.outcome, panel.first, panel.periods, anticipation)
    found = []
    for _ in range(DRAWS):
        first = chance.permutation(panel.first)
        found.append([simple_effect(one, first, panel.periods, anticipation) for one in (panel.outcome, exposure)])
    shown, exposed = np.array(found).T

    def p_of(effect: float) -> float:
        at_least = np.abs(shown - effect * exposed) >= abs(own - effect) - 1e-12
        return float((1 + at_least.sum()) / (1 + DRAWS))

    spread = float(np.std(shown)) or 1.0
    low, high = (_edge(p_of, own, side * spread, 1 - level) for side in (-1, 1))
    return Randomised(own, p_of(0.0), low, high, DRAWS)


def randomised_pre_test(panel: Panel, anticipation: int = 0) -> PreTest | None:
    """The pre-trend test for few units: how often random dates of treatment show effects before treatment as large."""
    import numpy as np

    chance = np.random.default_rng(_SEED)
    steps = np.diff(panel.outcome, axis=1)

    def size(first: Floats) -> tuple[float, int]:
        total, cells = 0.0, 0
        still = steps[first == 0].mean(axis=0)
        for date in {float(one) for one in first if one > 0}:
            early = panel.periods[1:] < date - anticipation
            members = first == date
            total += float(members.sum() * ((steps[members].mean(axis=0) - still)[early] ** 2).sum())
            cells += int(early.sum())
        return total, cells

    own, cells = size(panel.first)
    if not cells:
        return None
    as_large = sum(size(chance.permutation(panel.first))[0] >= own - 1e-12 for _ in range(DRAWS))
    return PreTest(own, cells, (1 + as_large) / (1 + DRAWS))


def assignments(treated: int, units: int) -> int:
    """In how many ways the treated could have been chosen."""
    return comb(units, treated)


def _edge(p_of: Callable[[float], float], own: float, step: float, alpha: float) -> float:
    """The effect on this side of `own` at which the test begins to reject."""
    inside, outside = own, own + step
    for _ in range(40):
        if p_of(outside) <= alpha:
            break
        inside, outside = outside, own + 2 * (outside - own)
    else:
        return float("inf") if step > 0 else float("-inf")
    for _ in range(40):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if p_of(middle) <= alpha else (middle, outside)
    return outside


def _last_before(periods: Floats, date: float) -> int | None:
    import numpy as np

    earlier = np.flatnonzero(periods < date)
    return int(earlier[-1]) if len(earlier) else None
