"""The conditions that every difference-in-differences shares: enough units, trends that were parallel before, a date.

Thresholds: at least 2 periods before the policy; 10 treated and 20 control units, below which randomisation
inference takes the place of asymptotic errors; joint p of the pre-trends from 0.10 green, from 0.05 amber; a single
|t| beyond 1.96 before the policy is amber even where the joint test is content.
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.indicators.econometrics.group_time import PreTest, Randomised, assignments
from kaozheng.indicators.econometrics.readiness import Colour, Item, at_least, documented
from kaozheng.indicators.reason import Reason

PRE_PERIODS, TREATED, CONTROLS = 2, 10, 20
_REJECTABLE = 60  # assignments from which a two-sided randomisation test reaches p < 0.05 with room


def enough_periods(count: int) -> Item:
    """At least two periods before the policy: with one, nothing can be said about trends."""
    what = Reason("政策前的期数", "periods before the policy")
    return at_least("pre_periods", count, green=PRE_PERIODS, what=what, lack="data")


def enough_units(treated: int, controls: int, can_randomise: bool) -> Iterator[Item]:
    """Treated and control units. Fewer than asked for is amber where randomisation inference can be run."""
    spare = can_randomise and treated > 0 and controls > 0 and assignments(treated, treated + controls) >= _REJECTABLE
    for key, value, bound, what in (
        ("treated_units", treated, TREATED, Reason("处理组单元数", "treated units")),
        ("control_units", controls, CONTROLS, Reason("对照组单元数", "control units")),
    ):
        yield at_least(key, value, green=bound, amber=1 if spare else None, what=what, lack="data")


def parallel_before(test: PreTest | None, strongest: tuple[str, float] | None) -> Iterator[Item]:
    """The joint pre-trend test and the strongest single effect before the policy (its name and t). Yields nothing where
    there is nothing to test: `enough_periods` has said so."""
    if test is not None:
        what = Reason(
            f"政策前趋势联合检验的p值（自由度{test.degrees}）", f"joint p of the pre-trends ({test.degrees} df)"
        )
        yield at_least("pre_trend_joint", test.p, green=0.10, amber=0.05, what=what, lack="design")
    if strongest is not None:
        name, t = strongest
        amber = not abs(t) <= 1.96
        reason = Reason(
            f"政策前单期效应最大为{name}，|t|={abs(t):.2f}" + ("：单独显著，平行趋势存疑" if amber else "：均不显著"),
            f"strongest effect before the policy is {name}, |t| = {abs(t):.2f}"
            + (": significant alone, parallel trends are in doubt" if amber else ": none is significant"),
        )
        yield Item("pre_trend_single", abs(t), "|t| <= 1.96", "amber" if amber else "green", reason)


def sensitivity(interval: tuple[float, float] | None, main: tuple[float, float]) -> Item:
    """The interval under violations as large as those seen before the policy (relative magnitude M = 1)."""
    if interval is None:
        reason = Reason("敏感性区间（M=1）无法计算", "the sensitivity interval (M = 1) could not be computed")
        return Item("sensitivity_m1", None, "reported", "amber", reason)
    low, high = interval
    lost = (low <= 0 <= high) and not (main[0] <= 0 <= main[1])
    colour: Colour = "amber" if lost else "green"
    tail = (
        Reason("：在此假设下结论不再显著", ": under it the effect is no longer significant") if lost else Reason("", "")
    )
    reason = Reason(
        f"平行趋势偏离不超过政策前最大偏离（M=1）时区间为[{low:.4g}, {high:.4g}]{tail.zh}",
        f"with violations up to the largest before the policy (M = 1): [{low:.4g}, {high:.4g}]{tail.en}",
    )
    return Item("sensitivity_m1", f"[{low:.4g}, {high:.4g}]", "reported", colour, reason)


def dated(policy_date: str, anticipation: str) -> Iterator[Item]:
    """The date of the policy and what is known of anticipation, as a person stated them: a label is no date."""
    date = Reason("政策实施日期", "the date of the policy")
    yield documented("policy_date", policy_date, what=date, otherwise="amber")
    before = Reason(
        "预期效应（政策公布到实施之间的提前反应）", "anticipation (reactions before the policy took effect)"
    )
    yield documented("anticipation", anticipation, what=before, otherwise="amber")


def randomisation(found: Randomised | None) -> Iterator[Item]:
    """Where units are few: what the randomisation test says."""
    if found is not None:
        reason = Reason(
            f"处理或对照单元较少，改用随机化推断：p={found.p:.3f}（{found.draws}次重排）",
            f"few units: randomisation inference instead of asymptotic errors, p = {found.p:.3f} ({found.draws} draws)",
        )
        yield Item("randomisation", found.p, "reported", "amber", reason)


LIMITS = (
    Reason(
        "估计的是样本内处理单元在样本期内的平均净效应，依赖平行趋势假设；不能外推到其他县、其他时期。",
        "This is the mean effect on the treated units of this sample in these periods, if trends would have stayed "
        "parallel; it does not carry over to other counties or times.",
    ),
    Reason(
        "未拒绝平行趋势不等于证明平行趋势；同期其他政策的影响无法与本政策分离。",
        "Not rejecting parallel trends does not prove them; other policies of the same time cannot be told apart.",
    ),
)
