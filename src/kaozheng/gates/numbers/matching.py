"""Whether a row or derivation is what a number of a text says it is."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from kaozheng.county.figures.derivation import Operation
from kaozheng.evidence.numbers import Number
from kaozheng.gates.numbers import vocabulary as words
from kaozheng.gates.numbers.candidates import Candidate
from kaozheng.gates.numbers.claims import Claim
from kaozheng.indicators.indicator import Calibre, PeriodType

_ROUGHLY: Final = Decimal("0.01")
"""How far 约 may be off, as a share of the number."""
_BEYOND: Final = Decimal(10) ** 20
"""Last digits that a figure of statistics does not have."""
_NEARLY: Final = Decimal("0.05")
_NEAR: Final = re.compile(r"(?:将近|接近|近)\s?$")
PLACES: Final = (Operation.RANK, Operation.RANK_UP)


def agrees(number: Number, value: Decimal, near: bool = False) -> bool:
    """Whether a value (without its sign) is what the number writes: to half of its last digit, both roundings of a tie.

    超 takes what is above it, 不足 what is below, both by less than one of the last digit that is not a filling zero;
    近 takes what is below by five per cent at most, 约 one per cent on both sides.
    """
    written, step = abs(number.value), number.step
    off = value - written
    if abs(off) <= step / 2 and not number.about and not near:
        return True
    coarse = _coarse_step(number)
    if near:
        return -max(step, min(coarse, written * _NEARLY)) <= off <= step / 2
    if number.about == "<":
        return -coarse < off <= step / 2
    if number.about == ">":
        return -step / 2 <= off < coarse
    if number.about == "~":
        return abs(off) <= max(step / 2, min(coarse / 2, written * _ROUGHLY))
    return False


def is_near(clause: str, number: Number) -> bool:
    """Whether 近 stands before the number: it is a little less."""
    return _NEAR.search(clause[: len(clause) - len(number.text)]) is not None


def _coarse_step(number: Number) -> Decimal:
    """What one of the last digit that is no filling zero is worth: 10 for 380, 1 for 379, 0.1 for 2.0."""
    step = number.step or Decimal(1)
    units = abs(number.value) / step
    if units >= _BEYOND:
        return step
    while "." not in number.text and "．" not in number.text and units and units % 10 == 0:
        units, step = units / 10, step * 10
    return step


def same_amount(claim: Claim, candidate: Candidate) -> bool:
    """Whether value, unit and direction are the same."""
    if not same_unit(claim, candidate):
        return False
    if not agrees(claim.number, abs(candidate.value), is_near(claim.clause, claim.number)):
        return False
    return same_sign(claim, candidate)


def same_unit(claim: Claim, candidate: Candidate) -> bool:
    """Whether both measure the same; 个 counts anything, and per head may be said by a word."""
    unit = claim.number.unit
    if unit == candidate.unit:
        return True
    if claim.number.dimension == "count" and candidate.fact.indicator.measure.dimension == "count":
        return (unit == "个" or unit.isascii()) and candidate.operation not in PLACES
    return candidate.unit == f"{unit}/人" and words.PER_HEAD.search(claim.clause) is not None


def same_sign(claim: Claim, candidate: Candidate) -> bool:
    """Whether the direction that is said is that of the value. A gap has none; a change without a word has none."""
    if candidate.changes and words.GAP.search(claim.clause) and not claim.changes:
        return True
    return (claim.value < 0) == (candidate.value < 0) or claim.value == 0 == candidate.value


def same_form(claim: Claim, candidate: Candidate) -> bool:
    """Whether a change is said as a change, a level as a level, and growth at the prices that the text says."""
    if candidate.operation is None:
        return _row_form(claim, candidate)
    if candidate.operation is Operation.CAGR:
        return claim.changes and words.YEARLY.search(claim.clause) is not None and _prices(claim, candidate)
    if candidate.is_single_quarter and not claim.changes:
        return claim.single or words.GAP.search(claim.clause) is not None
    if candidate.changes:
        said = claim.changes or claim.rate or words.GAP.search(claim.clause) is not None
        return said and not words.YEARLY.search(claim.clause) and _prices(claim, candidate)
    return not claim.changes


def _row_form(claim: Claim, candidate: Candidate) -> bool:
    if candidate.is_growth_rate:
        own = candidate.fact.indicator.key in claim.levels
        said = claim.changes or claim.rate or own
        other = words.YEARLY.search(claim.clause) or words.OVER_YEARS.search(claim.clause)
        sequential = "环比" in claim.clause and "环比" not in candidate.fact.indicator.name
        return said and not other and not sequential and _prices(claim, candidate)
    cumulative = candidate.fact.indicator.period_type is PeriodType.CUMULATIVE
    return not claim.changes and not (claim.single and cumulative)


def _prices(claim: Claim, candidate: Candidate) -> bool:
    """名义 is at current prices, 可比价 is not. What is computed from current prices is not the growth of an indicator
    whose growth is published, unless the text says 名义."""
    if claim.prices == "nominal":
        return candidate.calibre is not Calibre.COMPARABLE
    if claim.prices == "real":
        return candidate.calibre is not Calibre.CURRENT
    over_time = candidate.base is not None and candidate.base.id.period != candidate.fact.id.period
    computed = candidate.operation in (Operation.GROWTH, Operation.CAGR) and candidate.calibre is Calibre.CURRENT
    return not (over_time and computed and claim.growths)


def same_indicator(claim: Claim, candidate: Candidate) -> bool:
    """Whether it is of the indicator that the sentence names, or the growth of it."""
    key = candidate.fact.indicator.key
    if candidate.operation in (Operation.SHARE, Operation.RATIO) and candidate.base:
        whole = candidate.base.indicator.key
        part = whole == key or whole in claim.wholes or candidate.unit.endswith("/人")
        return part and key in claim.levels
    if candidate.operation in PLACES:
        return key in (claim.growths if speaks_of_growth(claim) else claim.levels)
    if key in claim.levels:
        return True
    return key in claim.growths and (candidate.is_growth_rate or candidate.changes)


def speaks_of_growth(claim: Claim) -> bool:
    """Whether a place is said of the growth, and not of what grows: neither unit nor word of direction tells."""
    return bool(claim.levels & claim.growths) or words.RATE_SAID.search(claim.clause) is not None


def same_region(claim: Claim, candidate: Candidate) -> bool:
    """Whether it is of the region that the sentence speaks of, and compared with the one that it names beside it."""
    regions = frozenset(fact.id.region for fact in candidate.inputs) or frozenset({candidate.fact.id.region})
    if candidate.operation is Operation.SUM:
        return claim.regions == regions
    if candidate.operation in PLACES:
        return claim.regions == frozenset({candidate.fact.id.region}) and claim.among in (frozenset(), regions)
    if claim.regions != frozenset({candidate.fact.id.region}):
        return (
            candidate.operation is Operation.DIFFERENCE
            and bool(words.GAP.search(claim.clause))
            and (claim.regions | claim.against == regions)
        )
    base = candidate.base
    if base is None or base.id.region == candidate.fact.id.region:
        return not claim.against
    return base.id.region in claim.against


def same_period(claim: Claim, candidate: Candidate) -> bool:
    """Whether it is of the period that the sentence speaks of, and against the one that it is compared with."""
    if candidate.fact.id.period not in claim.periods:
        return False
    base = candidate.base
    if base is None or base.id.period == candidate.fact.id.period:
        return True
    return candidate.is_single_quarter or base.id.period in claim.bases


def matches(claim: Claim, candidate: Candidate) -> bool:
    """Whether the number is this row or derivation, in all that the text says of it."""
    return (
        not claim.unaligned
        and same_amount(claim, candidate)
        and same_indicator(claim, candidate)
        and same_region(claim, candidate)
        and same_period(claim, candidate)
        and same_form(claim, candidate)
    )
