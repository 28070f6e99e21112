"""The rows that a text may speak of, and the numbers that may be worked out from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import groupby
from typing import Self

from kaozheng.county.figures.derivation import Derivation, Operation
from kaozheng.county.row_id import RowId
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region
from kaozheng.indicators.series import series_of


@dataclass(frozen=True, slots=True)
class Fact:
    """One row with all that a sentence may say of it. `value` is in the indicator's unit, None when there is none."""

    id: RowId
    indicator: Indicator
    region: Region
    value: Decimal | None
    observation: Observation


@dataclass(frozen=True, slots=True)
class FactSheet:
    """Rows by their names, and the derivations that are registered: nothing else is a number of this text. `synthetic`
    says that a row of it is made up for a demonstration."""

    facts: Mapping[RowId, Fact]
    derivations: tuple[Derivation, ...] = ()
    synthetic: bool = field(default=False)

    @classmethod
    def of(
        cls,
        observations: Iterable[Observation],
        indicators: Iterable[Indicator],
        regions: Iterable[Region] = (),
        derivations: tuple[Derivation, ...] = (),
        synthetic: bool = False,
    ) -> Self:
        """The sheet of these observations, of each row the one published last. `regions` give names to codes whose
        observations have none. Raises InputError for a value whose unit measures something else than its indicator."""
        names = {region.code: region.name for region in regions}
        known = {indicator.key: indicator for indicator in indicators}
        facts: dict[RowId, Fact] = {}
        rows = sorted((row for row in observations if row.indicator in known), key=_series)
        for (key, _), series in groupby(rows, key=_series):
            for point in series_of(known[key], series).points.values():
                name = point.region.name or names.get(point.region.code, "")
                fact = Fact(RowId.of(point), known[key], replace(point.region, name=name), point.value, point)
                facts[fact.id] = fact
        return cls(facts, derivations, synthetic)

    def look_up(self, row: RowId) -> Fact | None:
        """The row of this name; of one that names its vintage only when that is the vintage that is held."""
        fact = self.facts.get(replace(row, vintage=""))
        return fact if fact and row.vintage in ("", fact.observation.vintage) else None

    def find(self, region: str, indicator: str, period: Period) -> Fact | None:
        """The row of a region (code), indicator (key) and period."""
        return self.facts.get(RowId(indicator, region, period))

    @property
    def indicators(self) -> tuple[Indicator, ...]:
        """The indicators of which there are rows, by key."""
        known = {fact.indicator.key: fact.indicator for fact in self.facts.values()}
        return tuple(known[key] for key in sorted(known))

    def registering(self, derivations: Iterable[Derivation]) -> Self:
        """The sheet with these derivations besides those that it has."""
        return replace(self, derivations=tuple(dict.fromkeys((*self.derivations, *derivations))))

    def with_yearly_changes(self) -> Self:
        """The sheet with what each row changed against the same period of the year before: the difference, and of
        amounts the growth."""
        changes = []
        for row, fact in self.facts.items():
            base = replace(row, period=row.period.year_ago)
            if base in self.facts:
                changes.append(Derivation(Operation.DIFFERENCE, (row, base)))
                if not fact.indicator.is_rate:
                    changes.append(Derivation(Operation.GROWTH, (row, base)))
        return self.registering(changes)


def _series(row: Observation) -> tuple[str, str]:
    return row.indicator, row.region.code
