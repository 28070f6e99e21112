"""Whether figures fit each other: parts and totals, jumps of a unit, nominal and real growth, cumulative and single.

Totals that are not the sum of their parts within the rounding are no fault: 不等于各产业之和是由于数值修约误差所致
(National Bureau of Statistics). Each written value is right within half of its last digit, so k parts and their total
may differ by the sum of these halves (0.5 x 10^-d x (k + 1) when all have d decimals).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from kaozheng.indicators.growth import implied_deflator
from kaozheng.indicators.observation import Missing, Observation, converted, step_of
from kaozheng.indicators.period import Period, PeriodKind
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.series import Series
from kaozheng.indicators.undefined import Undefined

_JUMP: Final = (Decimal(10) ** Decimal("3.8"), Decimal(10) ** Decimal("4.2"))
_DEFLATOR: Final = (Decimal(-8), Decimal(12))
_HALF: Final = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """Figures that do not fit. `check` is the slug of what was looked at; `where` names region, indicator, periods or
    parts. It is a question to the department in charge: which figure is wrong is not said."""

    check: str
    where: tuple[str, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a total. `within` names the part that it is a part of (其中): it is never added to the total."""

    name: str
    value: Decimal | Missing
    within: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """A total held against its parts: `rest` is what no part explains, `tolerance` what rounding may do (both in the
    unit of the values), `unknown` the parts without a value. `fits` is None when those leave it open."""

    total: Decimal
    rest: Decimal
    tolerance: Decimal
    unknown: tuple[str, ...]
    fits: bool | None


def add_up(total: Decimal, parts: Sequence[Part]) -> Sum:
    """Hold a total against its parts, which must be in one unit.

    — (`NOTHING`) adds nothing and … (`TOO_SMALL`) at most half of the smallest step that is written; other parts
    without a value leave it open, but known parts that alone exceed the total do not fit. Parts of parts (其中) are
    left out.
    """
    first = [part for part in parts if not part.within]
    values = [part.value for part in first if isinstance(part.value, Decimal)]
    small = sum(part.value is Missing.TOO_SMALL for part in first)
    steps = [step_of(value) for value in (total, *values)]
    tolerance = _HALF * (sum(steps) + small * min(steps))
    rest = total - sum(values)
    known = (Missing.NOTHING, Missing.TOO_SMALL)
    unknown = tuple(part.name for part in first if not isinstance(part.value, Decimal) and part.value not in known)
    if not unknown:
        return Sum(total, rest, tolerance, unknown, abs(rest) <= tolerance)
    too_much = rest < -tolerance and all(value >= 0 for value in values)
    return Sum(total, rest, tolerance, unknown, False if too_much else None)


def parts_and_total(where: Sequence[str], total: Decimal, parts: Sequence[Part]) -> list[Inconsistency]:
    """What does not fit in a total and its parts: the sum, and parts of parts that exceed what they are part of."""
    found = []
    whole = add_up(total, parts)
    if whole.fits is False:
        found.append(
            Inconsistency(
                "parts-and-total",
                tuple(where),
                Reason(
                    f"各分项合计与总计相差 {whole.rest:f}，超出修约误差 {whole.tolerance:f}",
                    f"the parts differ from the total by {whole.rest:f}, rounding explains {whole.tolerance:f}",
                ),
            )
        )
    outer = {part.name: part.value for part in parts}
    for name in dict.fromkeys(part.within for part in parts if part.within):
        of = outer.get(name)
        inner = [part.value for part in parts if part.within == name and isinstance(part.value, Decimal)]
        if isinstance(of, Decimal) and of >= 0 and any(value > of + step_of(of) for value in inner):
            said = Reason(f"“其中”项大于所属项“{name}”", f"a part of “{name}” is more than all of it")
            found.append(Inconsistency("part-of-part", (*where, name), said))
    return found


def unit_jumps(series: Series) -> list[Inconsistency]:
    """Neighbouring values about 10^4 apart (10^3.8 to 10^4.2), as when 万元 stand for 亿元. Zeros are passed over."""
    found = []
    known = [(period, value) for period in series.periods() if (value := series.value(period))]
    for (before, old), (after, new) in pairwise(known):
        low, high = sorted((abs(old), abs(new)))
        if _JUMP[0] <= high / low <= _JUMP[1]:
            said = Reason(
                f"{before.zh} {old:f}，{after.zh} {new:f}：相差约一万倍，疑为单位错误",
                f"{before}: {old:f}, {after}: {new:f}: about 10,000 apart, as by a wrong unit",
            )
            found.append(Inconsistency("unit-jump", (series.indicator.key, str(before), str(after)), said))
    return found


def nominal_and_real(
    where: Sequence[str], nominal: Decimal, real: Decimal, bounds: tuple[Decimal, Decimal] = _DEFLATOR
) -> list[Inconsistency]:
    """A nominal rate (现价) beside a published real one (可比价), both in %. They differ by the rise of prices; that
    is a fault only where the rise would be outside of `bounds`. The published rate stands: it is never computed
    again."""
    implied = implied_deflator(nominal, real)
    if isinstance(implied, Undefined):
        return [Inconsistency("nominal-and-real", tuple(where), implied.reason)]
    if bounds[0] <= implied <= bounds[1]:
        return []
    said = Reason(
        f"现价增长 {nominal:f}% 与可比价增长 {real:f}% 隐含价格变动 {implied:.1f}%，超出合理范围",
        f"nominal {nominal:f} % and real {real:f} % would mean prices changed by {implied:.1f} %",
    )
    return [Inconsistency("nominal-and-real", tuple(where), said)]


def cumulative_and_single(cumulative: Series, single: Series) -> list[Inconsistency]:
    """Values that count from the start of the year against those of their periods, year by year as far as no period is
    missing: the sum of the single ones within the rounding, and no fall of values that cannot be negative."""
    found = []
    key = cumulative.indicator.key
    for period in (one for one in cumulative.periods() if one.kind is not PeriodKind.YEAR):
        value = cumulative.points[period].value
        before = cumulative.value(period.previous) if period.previous.year == period.year else None
        if value is None:
            continue
        if before is not None and 0 <= value < before:
            said = Reason(f"{period.zh}累计值小于上期累计值", f"{period}: less than up to the period before")
            found.append(Inconsistency("cumulative-falls", (key, str(period)), said))
        parts = _since_new_year(single, period)
        whole = add_up(value, parts)
        if whole.fits is False and not whole.unknown:
            said = Reason(
                f"{period.zh}累计值与各期当期值之和相差 {whole.rest:f}",
                f"{period}: the single periods differ from the cumulative value by {whole.rest:f}",
            )
            found.append(Inconsistency("cumulative-and-single", (key, str(period)), said))
    return found


def _since_new_year(series: Series, period: Period) -> list[Part]:
    """The periods of a year up to `period`; one that is nowhere is a part without data."""
    parts = []
    for step in range(period.place - period.year * period.kind.in_a_year, -1, -1):
        one = period.shifted(-step)
        point = series.points.get(one)
        value = (point.value if point.value is not None else point.missing) if point else None
        parts.append(Part(str(one), Missing.NO_DATA if value is None else value))
    return parts


def contradictions(observations: Iterable[Observation]) -> list[Inconsistency]:
    """Values of one region, indicator, period and revision that differ, units taken into account."""
    same: Mapping[tuple[str, ...], list[Observation]] = defaultdict(list)
    for one in observations:
        if one.value is not None:
            same[one.region.code, one.indicator, str(one.period), one.vintage].append(one)
    found = []
    for where, group in same.items():
        odd = next((one for one in group[1:] if not _equal(group[0], one)), None)
        if odd:
            first = group[0]
            values = f"{first.raw} {first.unit} / {odd.raw} {odd.unit}"
            said = Reason(f"同一口径有两个数值：{values}", f"two values for the same thing: {values}")
            found.append(Inconsistency("contradiction", (*where, first.source, odd.source), said))
    return found


def _equal(first: Observation, second: Observation) -> bool:
    """Whether two values are one, as far as the coarser of them is written."""
    if first.value is None or second.value is None:
        return True
    value = converted(second.value, second.unit, first.unit)
    return value is not None and abs(value - first.value) <= _HALF * max(step_of(value), step_of(first.value))
