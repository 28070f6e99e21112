"""Which regions touch, from a table of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.sample import as_label

_PAIR = ("unit", "neighbour")
_WEIGHT = "weight"


def neighbours_of(columns: Mapping[str, Sequence[Any]]) -> dict[str, dict[str, float]]:
    """For each unit its neighbours with their weights, from the columns `unit`, `neighbour` and, at will, `weight` (1
    where it is not given). Raises InputError for other columns, a pair that is there twice and a weight that is none.
    """
    if lacking := [name for name in _PAIR if name not in columns]:
        raise InputError(f"neighbours: the column {lacking[0]} is needed (and {_WEIGHT}, where pairs differ)")
    weights = columns.get(_WEIGHT) or [1] * len(columns[_PAIR[0]])
    made: dict[str, dict[str, float]] = {}
    for unit, neighbour, weight in zip(columns[_PAIR[0]], columns[_PAIR[1]], weights, strict=True):
        of_unit = made.setdefault(as_label(unit), {})
        name = as_label(neighbour)
        if name in of_unit:
            raise InputError(f"neighbours: {as_label(unit)} and {name} are there twice")
        try:
            of_unit[name] = float(weight)
        except (TypeError, ValueError):
            raise InputError(f"neighbours: {weight!r} is no weight of {as_label(unit)} and {name}") from None
    return made
