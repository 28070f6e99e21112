"""The profile of an industry in five dimensions, each from the places of a region among its peers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.ranks import Values
from kaozheng.indicators.undefined import Undefined, Why

_ENOUGH: Final = Decimal("0.6")
_FEWEST: Final = 3


class Dimension(StrEnum):
    """What a profile looks at."""

    SCALE = "规模"
    GROWTH = "成长性"
    INNOVATION = "创新性"
    PULL = "带动性"
    GREEN = "绿色化"


@dataclass(frozen=True, slots=True)
class Feature:
    """One indicator of a dimension: its values by region, and whether more is better. Raises InputError for 中性."""

    indicator: str
    dimension: Dimension
    direction: Direction
    values: Values

    def __post_init__(self) -> None:
        if self.direction is Direction.NEUTRAL:
            raise InputError(f"{self.indicator}: whether more is better must be said")


def profile(features: list[Feature], region: str) -> Mapping[Dimension, Decimal | Undefined]:
    """Score 0-100 of each dimension: the mean over its indicators of the share of the other regions that are worse,
    equal ones counted half (percentile rank; a single extreme region does not move the others, as min-max would let
    it).

    Undefined when a dimension has no indicator, fewer than 60 % of them can be judged, or fewer than three other
    regions have a value. No sum over the dimensions is made: their weights are a decision of people.
    """
    return {
        dimension: _score([one for one in features if one.dimension is dimension], region) for dimension in Dimension
    }


def _score(features: list[Feature], region: str) -> Decimal | Undefined:
    scores = {one.indicator: _place(one, region) for one in features}
    known = [score for score in scores.values() if score is not None]
    if not known or len(known) < _ENOUGH * len(features):
        return Undefined(Why.MISSING, ", ".join(name for name, score in scores.items() if score is None))
    return sum(known, Decimal(0)) / len(known)


def _place(feature: Feature, region: str) -> Decimal | None:
    mine = feature.values.get(region)
    others = [value for name, value in feature.values.items() if name != region and value is not None]
    if mine is None or len(others) < _FEWEST:
        return None
    worse = sum(value < mine if feature.direction is Direction.MORE else value > mine for value in others)
    return (worse + Decimal(others.count(mine)) / 2) / len(others) * 100
