"""The value of a derivation: the formulas of `indicators`, on the rows that it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaozheng.county.figures.derivation import Derivation, Operation
from kaozheng.county.figures.fact_sheet import Fact, FactSheet
from kaozheng.indicators.growth import PERCENT, POINTS, average_rate, percent, points
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.observation import converted
from kaozheng.indicators.period import PeriodKind
from kaozheng.indicators.ranks import Rank, rank
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.undefined import Undefined, Why

TIMES, PLACE, PERMILLE_POINTS = "倍", "位", "个千分点"
_TWO: Final = frozenset({Operation.DIFFERENCE, Operation.GROWTH, Operation.SHARE, Operation.RATIO, Operation.CAGR})
_NOT_OF_RATES: Final = frozenset({Operation.GROWTH, Operation.CAGR, Operation.SUM, Operation.SHARE})
CHANGES: Final = frozenset({Operation.DIFFERENCE, Operation.GROWTH, Operation.CAGR})
"""Operations whose sign says a direction."""
_OF_ONE_INDICATOR: Final = CHANGES | {Operation.RANK, Operation.RANK_UP}


@dataclass(frozen=True, slots=True)
class DerivedValue:
    """What was worked out, in `unit`. `note` is what a reader should know: how many have a place, that two revisions
    were compared."""

    value: Decimal
    unit: str
    note: Reason | None = None


def derived_value(derivation: Derivation, sheet: FactSheet) -> DerivedValue | Reason:
    """The value of a derivation on the rows of a sheet, or why it has none: a row is unknown or has no value, the
    operation does not take these rows (the growth of a rate, the sum of rates, a year and a quarter), or the formula
    is undefined for their values."""
    facts = [fact for row in derivation.inputs if (fact := sheet.look_up(row))]
    if unknown := [str(row) for row in derivation.inputs if sheet.look_up(row) is None]:
        return Reason(f"没有这一行数据：{'、'.join(unknown)}", f"there is no row {', '.join(unknown)}")
    if wrong := _not_taken(derivation, facts):
        return wrong
    missing = [fact for fact in facts if fact.value is None]
    places = derivation.operation in (Operation.RANK, Operation.RANK_UP)
    if missing and not (places and facts[0].value is not None):
        return Undefined(Why.MISSING, ", ".join(str(fact.id) for fact in missing)).reason
    value = _place(derivation.operation, facts) if places else _computed(derivation.operation, facts)
    return value.reason if isinstance(value, Undefined) else value


def _not_taken(derivation: Derivation, facts: Sequence[Fact]) -> Reason | None:
    operation, count, first = derivation.operation, len(facts), facts[0]
    if count < 2 or (count > 2 and operation in _TWO):
        return Reason(f"{operation} 的输入行数不对：{count}", f"{operation} does not take {count} rows")
    if len(set(derivation.inputs)) < count:
        return Reason("同一行数据用了两次", "one row is named twice")
    if operation in _NOT_OF_RATES and any(fact.indicator.is_rate for fact in facts):
        return Reason(
            "比率不能再算增速、占比或合计，两个比率之差用个百分点表示",
            f"{operation} of rates has no meaning; the difference of two rates is in percentage points",
        )
    if operation is not Operation.RATIO and any(not _same_measure(first, fact) for fact in facts[1:]):
        return Reason("各行的量纲不同", "the rows measure different things")
    return _not_comparable(operation, facts) if operation in _OF_ONE_INDICATOR else None


def _not_comparable(operation: Operation, facts: Sequence[Fact]) -> Reason | None:
    """One indicator; of one region over time (a part of a year against the same part), or of regions at one time."""
    if len({fact.indicator.key for fact in facts}) > 1:
        return Reason("各行不是同一个指标", "the rows are of different indicators")
    periods, regions = {fact.id.period for fact in facts}, {fact.id.region for fact in facts}
    if len(periods) > 1 and (len(regions) > 1 or operation in (Operation.RANK, Operation.RANK_UP)):
        return Reason("各行的地区和时期都不同", "the rows are of different periods and not of one region")
    if len({period.kind for period in periods}) > 1:
        return Reason("年度与季度、月度不能相比", "a part of a year is not compared with a year")
    if operation is Operation.GROWTH and len({(period.quarter, period.month) for period in periods}) > 1:
        return Reason("增速须为不同年份的同一时段", "growth is over the same part of different years")
    if operation is Operation.CAGR and (len(periods) < 2 or PeriodKind.YEAR is not facts[0].id.period.kind):
        return Reason("年均增速须为两个年度", "an average rate is between two years")
    return None


def _same_measure(one: Fact, other: Fact) -> bool:
    mine, theirs = one.indicator.measure, other.indicator.measure
    return (mine.dimension, mine.canonical) == (theirs.dimension, theirs.canonical)


def _values(facts: Sequence[Fact]) -> list[Decimal]:
    """All values, in the unit of the first where they measure the same."""
    unit = facts[0].indicator.unit
    known = [(fact.value, fact.indicator.unit) for fact in facts if fact.value is not None]
    in_unit = [converted(value, given, unit) for value, given in known]
    return [value if value is not None else own for value, (own, _) in zip(in_unit, known, strict=True)]


def _computed(operation: Operation, facts: Sequence[Fact]) -> DerivedValue | Undefined:
    values = _values(facts)
    first, unit = facts[0], facts[0].indicator.unit
    same = len({fact.observation.vintage for fact in facts}) == 1
    note = None if same else Reason("各行来自不同修订版本", "the rows come from different revisions")
    match operation:
        case Operation.SUM:
            return DerivedValue(sum(values, Decimal(0)), unit, note)
        case Operation.DIFFERENCE:
            of_rates = PERMILLE_POINTS if first.indicator.measure.dimension == "permille" else POINTS
            return DerivedValue(points(*values), of_rates if first.indicator.is_rate else unit, note)
        case Operation.GROWTH:
            return _rate(percent(*values), note)
        case Operation.CAGR:
            return _rate(average_rate(values[0], first.id.period.year, values[1], facts[1].id.period.year), note)
    if values[1] <= 0:
        return Undefined(Why.SMALL_DIVISOR, str(facts[1].id))
    if operation is Operation.SHARE:
        return DerivedValue(values[0] / values[1] * 100, PERCENT, note)
    return DerivedValue(values[0] / values[1], _ratio_unit(facts), note)


def _ratio_unit(facts: Sequence[Fact]) -> str:
    """倍 of one measure; 亿元/万人 of two."""
    if _same_measure(*facts):
        return TIMES
    return f"{facts[0].indicator.unit}/{facts[1].indicator.unit}"


def _rate(rate: Decimal | Undefined, note: Reason | None) -> DerivedValue | Undefined:
    return rate if isinstance(rate, Undefined) else DerivedValue(rate, PERCENT, note)


def _place(operation: Operation, facts: Sequence[Fact]) -> DerivedValue | Undefined:
    values = {str(fact.id): fact.value for fact in facts}
    direction = Direction.LESS if operation is Operation.RANK_UP else Direction.MORE
    place = rank(values, str(facts[0].id), direction)
    if isinstance(place, Undefined):
        return place
    return DerivedValue(Decimal(place.place), PLACE, _of(place))


def _of(place: Rank) -> Reason:
    zh, en = f"共 {place.of} 个", f"of {place.of}"
    if place.tied:
        zh, en = f"{zh}，{place.tied} 个并列", f"{en}, {place.tied} tied"
    if place.missing:
        names = ", ".join(place.missing)
        zh, en = f"{zh}，缺 {names}", f"{en}, without {names}"
    return Reason(zh, en)
