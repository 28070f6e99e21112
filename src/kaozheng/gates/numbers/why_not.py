"""Why a number is none of the rows: what it comes nearest to, and what is different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from kaozheng.county.figures.derivation import Derivation, Operation
from kaozheng.county.figures.fact_sheet import Fact, FactSheet
from kaozheng.county.row_id import RowId
from kaozheng.gates.numbers.candidates import Candidate, derived_candidate
from kaozheng.gates.numbers.claims import Claim
from kaozheng.gates.numbers.matching import (
    PLACES,
    agrees,
    matches,
    same_form,
    same_indicator,
    same_period,
    same_region,
    same_sign,
    same_unit,
)
from kaozheng.gates.numbers.scopes import is_place
from kaozheng.indicators.reason import Reason

_POWERS: Final = tuple(power for power in range(-8, 9) if power)
_TELLING: Final = 3
"""Digits from which on a number that is a rounded row times a power of ten is no accident."""
_RATES: Final = frozenset({"%", "个百分点"})


_NOTHING: Final = Reason("没有任何数据行或登记的推算支持这个数", "no row or registered derivation says this number")

_NO_PLACE: Final = Reason(
    "没有登记这个位次：所在市（州）的县（市、区）并不都有数值，或没有这个指标、地区和时期的数据",
    "no such place is registered: not every county of the prefecture has a value, or there is no such row",
)


@dataclass(frozen=True, slots=True)
class WhyNot:
    """`code` is the slug of what is wrong, `rows` what the number comes nearest to."""

    code: str
    reason: Reason
    rows: tuple[str, ...] = ()


def why_not(claim: Claim, candidates: Sequence[Candidate], sheet: FactSheet) -> WhyNot:
    """The first of these that holds: another direction, region, period or indicator has this value; it is a power of
    ten off, or % for 个百分点; the row has no value; the row says something else; nothing is known of it."""
    if claim.foreign:
        noun = claim.foreign
        return WhyNot("number-unknown-indicator", Reason(f"数据库中没有“{noun}”", f"no row is of {noun!r}"))
    if claim.unaligned:
        reason = Reason("“分别”前后的项数不一致", "the list before 分别 is not as long as its numbers")
        return WhyNot("number-unaligned", reason)
    if is_place(claim.number):
        return _other_place(claim, candidates)
    changes = _yearly_changes(claim, sheet) if claim.changes else []
    meant = [one for one in (*candidates, *changes) if _meant(claim, one)]
    return (
        _not_registered(claim, changes)
        or _of_another(claim, (*candidates, *changes))
        or _slipped(claim, meant)
        or _without_value(claim, sheet)
        or _other_value(claim, meant)
        or WhyNot("number-unmatched", _NOTHING)
    )


def _other_place(claim: Claim, candidates: Sequence[Candidate]) -> WhyNot:
    """The true place, or that none is known among the regions that are said."""
    anywhere = replace(claim, among=frozenset())
    known = [one for one in candidates if one.operation in PLACES and _meant(anywhere, one)]
    if not known:
        return WhyNot("number-unmatched", _NO_PLACE)
    fitting = [one for one in known if same_region(claim, one)]
    told, rows = "，".join(one.said for one in fitting or known), (fitting or known)[0].rows
    if fitting:
        return WhyNot("number-differs", Reason(f"与数据不符：{told}", f"it is not the place of {rows[0]}"), rows)
    return WhyNot("number-wrong-region", _not_among(claim, known, told), rows)


def _not_among(claim: Claim, known: Sequence[Candidate], told: str) -> Reason:
    """Why there is no place among the counties that are said."""
    if not claim.regions <= claim.among:
        return Reason(f"这个地区不在所说的范围内：{told}", f"the region is none of those; known is {known[0].rows[0]}")
    count = len(claim.among)
    valued = len(claim.among & {fact.id.region for one in known for fact in one.inputs})
    return Reason(
        f"所说的范围有 {count} 个县（市、区），只有 {valued} 个有数值，位次不成立；已知的是{told}",
        f"of the {count} counties of what is named {valued} have a value, so there is no place among them",
    )


def _meant(claim: Claim, candidate: Candidate) -> bool:
    return same_indicator(claim, candidate) and same_region(claim, candidate) and same_period(claim, candidate)


def _of_another(claim: Claim, candidates: Sequence[Candidate]) -> WhyNot | None:
    """A candidate with this value of which one thing is not as the text says."""
    equal = [one for one in candidates if same_unit(claim, one) and agrees(claim.number, abs(one.value))]
    tests = (
        ("number-direction", "方向与数据不符", "the direction is not that of", same_sign),
        (
            "number-wrong-form",
            "增减量、水平或价格口径不符",
            "it is no change, or no level, or at other prices:",
            same_form,
        ),
        ("number-wrong-period", "时期不符", "the period is not that of", same_period),
        ("number-wrong-region", "地区不符", "the region is not that of", same_region),
    )
    for code, zh, en, test in tests:
        others = [other for other_code, _, _, other in tests if other_code != code]
        for one in equal:
            if same_indicator(claim, one) and not test(claim, one) and all(other(claim, one) for other in others):
                return WhyNot(code, Reason(f"{zh}：这是{one.said}", f"{en} {', '.join(one.rows)}"), one.rows)
    for one in equal:
        if same_sign(claim, one) and same_region(claim, one) and same_period(claim, one):
            reason = Reason(f"指标不符：这是{one.said}", f"it is of another indicator: {', '.join(one.rows)}")
            return WhyNot("number-wrong-indicator", reason, one.rows)
    return None


def _slipped(claim: Claim, meant: Sequence[Candidate]) -> WhyNot | None:
    """A power of ten, or % for 个百分点."""
    for one in meant:
        if {claim.number.unit, one.unit} == _RATES and agrees(claim.number, abs(one.value)):
            reason = Reason(f"单位不符：{one.said}，单位应为 {one.unit}", f"the unit should be {one.unit}")
            return WhyNot("number-points", reason, one.rows)
    for one in meant:
        for power in _POWERS:
            scaled = abs(one.value).scaleb(power)
            alike = scaled == abs(claim.number.value) or claim.number.digits >= _TELLING
            if same_unit(claim, one) and alike and agrees(claim.number, scaled) and one.value:
                reason = Reason(
                    f"数量级不符：{one.said}，相差 10 的 {abs(power)} 次方",
                    f"it is {abs(power)} powers of ten off {', '.join(one.rows)}",
                )
                return WhyNot("number-scale", reason, one.rows)
    return None


def _not_registered(claim: Claim, changes: Sequence[Candidate]) -> WhyNot | None:
    """A change that follows from rows and that nobody registered."""
    for one in changes:
        if matches(claim, one):
            name = f"{one.operation}({', '.join(one.rows)})"
            reason = Reason(
                f"可由数据行推算，但没有登记：{name}", f"it follows from rows, but is not registered: {name}"
            )
            return WhyNot("number-not-registered", reason, one.rows)
    return None


def _yearly_changes(claim: Claim, sheet: FactSheet) -> list[Candidate]:
    """What the rows that the sentence speaks of changed in a year, and since the periods that it names."""
    made = []
    for fact in _facts(claim, sheet):
        for period in sorted({fact.id.period.year_ago, *claim.bases} - {fact.id.period}):
            base = replace(fact.id, period=period)
            for operation in (Operation.DIFFERENCE, Operation.GROWTH):
                made.append(derived_candidate(Derivation(operation, (fact.id, base)), sheet))
    return [one for one in made if one]


def _without_value(claim: Claim, sheet: FactSheet) -> WhyNot | None:
    for fact in _facts(claim, sheet):
        if fact.value is None:
            reason = Reason(f"{fact.id} 没有数值（{fact.observation.missing}）", f"{fact.id} has no value")
            return WhyNot("number-missing-row", reason, (str(fact.id),))
    return None


def _other_value(claim: Claim, meant: Sequence[Candidate]) -> WhyNot | None:
    fitting = [one for one in meant if same_unit(claim, one)] or meant
    if not fitting:
        return None
    one = min(fitting, key=lambda one: (not same_form(claim, one), abs(abs(one.value) - abs(claim.value))))
    return WhyNot("number-differs", Reason(f"与数据不符：{one.said}", f"it is not {', '.join(one.rows)}"), one.rows)


def _facts(claim: Claim, sheet: FactSheet) -> list[Fact]:
    """The rows that the sentence speaks of."""
    names = (
        RowId(key, region, period)
        for key in sorted(claim.levels | claim.growths)
        for region in sorted(claim.regions)
        for period in sorted(claim.periods)
    )
    return [fact for name in names if (fact := sheet.look_up(name))]


def wrong_turn(claim: Claim, matched: Candidate, sheet: FactSheet) -> WhyNot | None:
    """A level that is said to be reached from the wrong side: 8.2% cannot 回升至 7.5%."""
    if not claim.towards:
        return None
    before: Decimal | None
    if claim.origin:
        before = claim.origin.value
    else:
        base = sheet.look_up(replace(matched.fact.id, period=matched.fact.id.period.year_ago))
        before = None if base is None or base.value is None else base.value * base.indicator.measure.factor
    if before is None or (claim.value - before) * claim.towards >= 0:
        return None
    reason = Reason(
        f"方向与数据不符：前值更{'高' if claim.towards > 0 else '低'}，这是{matched.said}",
        f"the value before was {'higher' if claim.towards > 0 else 'lower'}",
    )
    return WhyNot("number-direction", reason, matched.rows)
