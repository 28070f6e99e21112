"""What a number of a text may be: a row, or a registered derivation."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaozheng.county.figures.derivation import Derivation, Operation
from kaozheng.county.figures.derived_value import CHANGES, PLACE, derived_value
from kaozheng.county.figures.fact_sheet import Fact, FactSheet
from kaozheng.county.figures.growth_rates import grown
from kaozheng.documents.units import unit_named
from kaozheng.indicators.indicator import Calibre, PeriodType
from kaozheng.indicators.period import Period
from kaozheng.indicators.reason import Reason

_SHOWN: Final = Decimal("0.01")
_NAMES: Final = {
    Operation.DIFFERENCE: "差额",
    Operation.GROWTH: "增速",
    Operation.SHARE: "占比",
    Operation.RATIO: "倍数",
    Operation.RANK: "位次",
    Operation.RANK_UP: "位次",
    Operation.SUM: "合计",
    Operation.CAGR: "年均增速",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """`value` in `unit`, the canonical one. `changes`: the sign is a direction, and a text needs its word. `base` is
    the row that is compared with."""

    value: Decimal
    unit: str
    fact: Fact
    operation: Operation | None = None
    base: Fact | None = None
    inputs: tuple[Fact, ...] = ()
    written: str = ""
    """The value as a reader knows it, in the unit of the row."""

    @property
    def changes(self) -> bool:
        return self.operation in CHANGES

    @property
    def is_growth_rate(self) -> bool:
        """Whether it is a row that is itself a rate of growth."""
        return self.operation is None and bool(grown(self.fact.indicator))

    @property
    def is_single_quarter(self) -> bool:
        """Whether it is what one quarter added to a cumulative row."""
        if self.operation is not Operation.DIFFERENCE or self.base is None:
            return False
        mine, before = self.fact.id, self.base.id
        cumulative = self.fact.indicator.period_type is PeriodType.CUMULATIVE
        return cumulative and mine.region == before.region and follows(mine.period, before.period)

    @property
    def calibre(self) -> Calibre:
        return self.fact.indicator.calibre

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of its rows."""
        return tuple(str(fact.id) for fact in (self.inputs or (self.fact,)))

    @property
    def said(self) -> str:
        """As a reader is told of it."""
        row = f"{self.fact.region.name}{_told(self.fact)}{self.fact.indicator.name}"
        if self.operation is None:
            return f"{row} {self.written}"
        return f"{row}的{_NAMES[self.operation]} {self.written}"


def _told(fact: Fact) -> str:
    """The period as a value of it is meant: what counts from the start of the year is 1—9月 and not 三季度."""
    period = fact.id.period
    months = period.month or period.quarter * 3
    if months > 1 and fact.indicator.period_type is PeriodType.CUMULATIVE:
        return f"{period.year}年1—{months}月"
    return period.zh


def follows(period: Period, before: Period) -> bool:
    """Whether two parts of one year touch."""
    return period.year == before.year and period.kind is before.kind and period.place == before.place + 1


def of_sheet(sheet: FactSheet) -> list[Candidate]:
    """All rows that have a value, and all registered derivations that do."""
    rows = [_row(fact) for fact in sheet.facts.values() if fact.value is not None]
    derived = [made for one in sheet.derivations if (made := derived_candidate(one, sheet))]
    return rows + derived


def _row(fact: Fact) -> Candidate:
    measure = fact.indicator.measure
    value = fact.value or Decimal(0)
    return Candidate(value * measure.factor, measure.canonical, fact, written=f"{value:f}{fact.indicator.unit}")


def derived_candidate(derivation: Derivation, sheet: FactSheet) -> Candidate | None:
    """A derivation as a candidate, None when it has no value."""
    made = derived_value(derivation, sheet)
    facts = tuple(fact for row in derivation.inputs if (fact := sheet.look_up(row)))
    if isinstance(made, Reason):
        return None
    measure = unit_named(made.unit)
    base = facts[1] if len(facts) == 2 else None
    written = f"{made.value.quantize(_SHOWN):f}{made.unit}"
    if made.unit == PLACE:
        written = f"第{made.value:f}{PLACE}" + (f"（{made.note.zh}）" if made.note else "")
    value = made.value * measure.factor
    return Candidate(value, measure.canonical, facts[0], derivation.operation, base, facts, written)
