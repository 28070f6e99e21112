"""Composite evaluation: values brought to one scale, weights by entropy, ranks by the distance to the ideal (TOPSIS).

A table is {region: {indicator: value}} without gaps; the readiness of the data is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.undefined import Undefined, Why

Table = Mapping[str, Mapping[str, Decimal]]
Weights = Mapping[str, Decimal]


def scaled(table: Table, directions: Mapping[str, Direction]) -> dict[str, dict[str, Decimal]]:
    """Each indicator from 0 (the worst of the regions) to 1 (the best): min-max by direction.

    A constant indicator is 0 for all. Raises InputError for gaps, and for an indicator whose direction is 中性 or not
    given.
    """
    columns = _columns(table)
    _directed(columns, directions)
    made: dict[str, dict[str, Decimal]] = {region: {} for region in table}
    for name, column in columns.items():
        low, high = min(column.values()), max(column.values())
        for region, value in column.items():
            distance = value - low if directions[name] is Direction.MORE else high - value
            made[region][name] = distance / (high - low) if high > low else Decimal(0)
    return made


def entropy_weights(table: Table) -> dict[str, Decimal] | Undefined:
    """熵权: p = x / sum x, E = - sum p ln p / ln m (0 ln 0 = 0), w = (1 - E) / sum (1 - E) over m regions; sum w = 1.

    Values must not be negative: bring them to one scale first (`scaled`), no small number is added to any. A constant
    indicator, or one that is zero everywhere, gets the weight 0. Undefined for negative values, for fewer than two
    regions, and when all indicators are constant. Hwang & Yoon (1981), Multiple Attribute Decision Making, 3.2.
    """
    columns = _columns(table)
    if any(value < 0 for column in columns.values() for value in column.values()):
        return Undefined(Why.NEGATIVE_PART)
    if len(table) < 2:
        return Undefined(Why.TOO_FEW, f"n = {len(table)}")
    spread = {name: 1 - _entropy(list(column.values())) for name, column in columns.items()}
    whole = sum(spread.values(), Decimal(0))
    if not whole:
        return Undefined(Why.CONSTANT)
    return {name: share / whole for name, share in spread.items()}


def _entropy(values: list[Decimal]) -> Decimal:
    """E of one column; exactly 1 where nothing tells its regions apart."""
    total = sum(values, Decimal(0))
    if min(values) == max(values):
        return Decimal(1)
    parts = [value / total for value in values if value]
    return -sum((part * part.ln() for part in parts), Decimal(0)) / Decimal(len(values)).ln()


@dataclass(frozen=True, slots=True)
class Ideal:
    """What scores are measured by: the norm of each indicator, and its best and worst weighted value. Kept from one
    year and given to the next, it makes the scores of both comparable."""

    norms: Mapping[str, Decimal]
    best: Mapping[str, Decimal]
    worst: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class Topsis:
    """`scores` by region: 0 (the worst in everything) to 1 (the best in everything); a pure number."""

    scores: Mapping[str, Decimal]
    ideal: Ideal


def topsis(
    table: Table, weights: Weights, directions: Mapping[str, Direction], ideal: Ideal | None = None
) -> Topsis | Undefined:
    """C = d- / (d+ + d-), Euclidean distances of the weighted values x / sqrt(sum x^2) to the worst and the best.

    Weights are divided by their sum. With `ideal`, norms and ideal points are those, so that a region more does not
    change the scores (and may not reverse the ranks) of the others; scores outside of its range are possible then.
    Undefined when all regions are the same. Raises InputError for gaps, weights that are missing or negative, and
    directions that are 中性 or missing. Hwang & Yoon (1981), 3.7.
    """
    columns = _columns(table)
    _directed(columns, directions)
    shared = _divided(columns, weights)
    norms = ideal.norms if ideal else {name: _norm(column.values()) for name, column in columns.items()}
    if ideal and (lacking := sorted(set(columns) - set(norms))):
        raise InputError(f"the ideal has no {', '.join(lacking)}")
    placed = {
        name: {
            region: shared[name] * value / norms[name] if norms[name] else Decimal(0)
            for region, value in column.items()
        }
        for name, column in columns.items()
    }
    used = ideal or _ideal(norms, placed, directions)
    scores = {}
    for region in table:
        to_best, to_worst = (
            _norm(placed[name][region] - edge[name] for name in columns) for edge in (used.best, used.worst)
        )
        if not to_best + to_worst:
            return Undefined(Why.CONSTANT)
        scores[region] = to_worst / (to_best + to_worst)
    return Topsis(scores, used)


def _ideal(
    norms: Mapping[str, Decimal], placed: Mapping[str, Mapping[str, Decimal]], directions: Mapping[str, Direction]
) -> Ideal:
    ends = {name: sorted((min(column.values()), max(column.values()))) for name, column in placed.items()}
    best = {name: pair[directions[name] is Direction.MORE] for name, pair in ends.items()}
    worst = {name: pair[directions[name] is not Direction.MORE] for name, pair in ends.items()}
    return Ideal(norms, best, worst)


def _norm(values: Iterable[Decimal]) -> Decimal:
    return sum((value**2 for value in values), Decimal(0)).sqrt()


def _columns(table: Table) -> dict[str, dict[str, Decimal]]:
    """The table by indicator. Raises InputError when it is empty or has gaps."""
    names = list(next(iter(table.values()), ()))
    if not names:
        raise InputError("there are no values to evaluate")
    for region, row in table.items():
        if odd := sorted(set(names) ^ set(row)):
            raise InputError(f"{region}: {', '.join(odd)} is not there for all regions")
    return {name: {region: row[name] for region, row in table.items()} for name in names}


def _directed(columns: Mapping[str, object], directions: Mapping[str, Direction]) -> None:
    odd = [name for name in columns if directions.get(name) not in (Direction.MORE, Direction.LESS)]
    if odd:
        raise InputError(f"{', '.join(odd)}: whether more is better must be said")


def _divided(columns: Mapping[str, object], weights: Weights) -> dict[str, Decimal]:
    chosen = {name: weights[name] for name in columns if name in weights}
    whole = sum(chosen.values(), Decimal(0))
    if len(chosen) < len(columns) or min(chosen.values()) < 0 or not whole:
        raise InputError("each indicator needs a weight of zero or more, and one more than zero")
    return {name: weight / whole for name, weight in chosen.items()}
