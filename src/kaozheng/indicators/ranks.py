"""Places among regions, and which regions are like each other. A place is a fact about figures, never a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.undefined import Undefined, Why

Values = Mapping[str, Decimal | None]


@dataclass(frozen=True, slots=True)
class Rank:
    """`place` 1 is the best by the direction (the highest when 中性) of `of` regions that have a value; `tied` others
    share it, the next place is then skipped. `missing` regions have no value and no place."""

    place: int
    of: int
    tied: int
    missing: tuple[str, ...]


def rank(values: Values, region: str, direction: Direction) -> Rank | Undefined:
    """The place of one region. Undefined when it has no value."""
    mine = values.get(region)
    if mine is None:
        return Undefined(Why.MISSING, region)
    known = [value for value in values.values() if value is not None]
    better = sum(value < mine if direction is Direction.LESS else value > mine for value in known)
    missing = tuple(name for name, value in values.items() if value is None)
    return Rank(better + 1, len(known), known.count(mine) - 1, missing)


@dataclass(frozen=True, slots=True)
class Against:
    """A value beside the median of `peers` that have one, in the unit of the values."""

    value: Decimal
    median: Decimal
    peers: tuple[str, ...]

    @property
    def difference(self) -> Decimal:
        """How far it is above the median."""
        return self.value - self.median


def against_peers(values: Values, region: str, peers: Iterable[str]) -> Against | Undefined:
    """A region beside its peers, itself not among them. Undefined without its value or with under three of theirs."""
    mine = values.get(region)
    if mine is None:
        return Undefined(Why.MISSING, region)
    known = {peer: value for peer in peers if peer != region and (value := values.get(peer)) is not None}
    if len(known) < 3:
        return Undefined(Why.TOO_FEW, f"n = {len(known)}")
    return Against(mine, median(known.values()), tuple(known))
