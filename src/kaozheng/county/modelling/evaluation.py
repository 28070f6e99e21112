"""Composite evaluation with the weights and scores of `indicators.composite`: entropy weights, TOPSIS scores."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from kaozheng.errors import InputError
from kaozheng.indicators.composite import entropy_weights, scaled, topsis
from kaozheng.indicators.econometrics.composite_score import Composite, Score, Table, Weigh, Weights, composite
from kaozheng.indicators.econometrics.result import ModelResult
from kaozheng.indicators.econometrics.sample import Columns
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.undefined import Undefined

METHOD = "entropy weights after min-max scaling by direction; TOPSIS scores (Hwang & Yoon 1981)"
Directions = Mapping[str, Direction]


def evaluate(columns: Columns, request: Composite) -> ModelResult:
    """The score of each unit, 0 to 1, behind the conditions of composite evaluation."""
    directions = {name: Direction.MORE if more else Direction.LESS for name, more in request.directions.items()}
    return composite(columns, request, _weigher(directions), _scorer(directions), METHOD)


def _weigher(directions: Directions) -> Weigh:
    def weigh(table: Table) -> Weights:
        found = entropy_weights(scaled(_exact(table), directions))
        if isinstance(found, Undefined):
            raise InputError(found.reason.en)
        return {name: float(weight) for name, weight in found.items()}

    return weigh


def _scorer(directions: Directions) -> Score:
    def score(table: Table, weights: Weights) -> Mapping[str, float]:
        found = topsis(_exact(table), {name: Decimal(repr(one)) for name, one in weights.items()}, directions)
        if isinstance(found, Undefined):
            raise InputError(found.reason.en)
        return {unit: float(one) for unit, one in found.scores.items()}

    return score


def _exact(table: Table) -> dict[str, dict[str, Decimal]]:
    return {unit: {name: Decimal(repr(value)) for name, value in row.items()} for unit, row in table.items()}
