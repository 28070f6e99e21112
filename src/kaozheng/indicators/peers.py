"""Which regions are most like one, by several indicators at once. To be alike is no merit and no fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from statistics import variance
from typing import Final

from kaozheng.indicators.ranks import Values
from kaozheng.indicators.undefined import Undefined, Why

_FEWEST: Final = 3


@dataclass(frozen=True, slots=True)
class Peer:
    """Another region and its distance, a pure number: 0 has the same values."""

    region: str
    distance: Decimal


@dataclass(frozen=True, slots=True)
class Peers:
    """The nearest regions, the nearest first. `compared` regions were looked at; `left_out` had no value of some
    indicator, `constant` indicators are the same everywhere and tell nobody apart."""

    nearest: tuple[Peer, ...]
    compared: int
    left_out: tuple[str, ...]
    constant: tuple[str, ...]


def nearest_peers(values: Mapping[str, Values], region: str, count: int) -> Peers | Undefined:
    """The `count` regions nearest to one, of values by indicator and region.

    d(a, b) = sqrt(sum_k (a_k - b_k)^2 / s_k^2), with the sample variance s_k^2 over all regions that have every value:
    the standardised Euclidean distance (Everitt et al., Cluster Analysis, 5th ed., 2011, section 3.3; `seuclidean` of
    SciPy). Equal distances are in the order of the names. Values of very different sizes (population) are best given as
    logarithms by the caller. Undefined when the region itself lacks a value, under three regions have all, or no
    indicator differs.
    """
    names = sorted({name for one in values.values() for name in one})
    complete = [name for name in names if all(one.get(name) is not None for one in values.values())]
    if region not in complete:
        lacking = sorted(key for key, one in values.items() if one.get(region) is None)
        return Undefined(Why.MISSING, ", ".join((region, *lacking)))
    if len(complete) < _FEWEST:
        return Undefined(Why.TOO_FEW, str(len(complete)))
    columns = {key: {name: Decimal(one[name] or 0) for name in complete} for key, one in values.items()}
    spread = {key: variance(column.values()) for key, column in columns.items()}
    if not any(spread.values()):
        return Undefined(Why.CONSTANT)
    squares = {
        name: sum(
            ((column[name] - column[region]) ** 2 / spread[key] for key, column in columns.items() if spread[key]),
            Decimal(0),
        )
        for name in complete
        if name != region
    }
    nearest = sorted(squares, key=lambda name: (squares[name], name))[: max(count, 0)]
    return Peers(
        tuple(Peer(name, squares[name].sqrt()) for name in nearest),
        len(squares),
        tuple(name for name in names if name not in complete),
        tuple(sorted(key for key, value in spread.items() if not value)),
    )
