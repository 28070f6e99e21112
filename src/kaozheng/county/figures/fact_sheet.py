"""The rows that a text may speak of, and the numbers that may be worked out from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from kaozheng.county.figures.derivation import Derivation
from kaozheng.county.row_id import RowId
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.region import Region


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
