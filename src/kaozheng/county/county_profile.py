"""Which indicators of a county speak for which dimension of its profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kaozheng.indicators.indicator import Direction, Indicator
from kaozheng.indicators.profile import Dimension, Feature
from kaozheng.indicators.ranks import Values

DIMENSIONS: Final[Mapping[Dimension, tuple[str, ...]]] = {
    Dimension.SCALE: ("gdp", "industry", "indva", "ind_revenue", "firms", "retail"),
    Dimension.GROWTH: ("gdp_growth", "indva_growth", "investment_growth", "retail_growth", "revenue_growth"),
    Dimension.INNOVATION: ("rd_share", "hitech_firms", "sme_special", "patents", "invention_patents", "tech_contracts"),
    Dimension.PULL: ("employed", "tax", "income", "exports", "loans"),
    Dimension.GREEN: ("energy", "air_good_share"),
}
"""Keys of the catalogue. A choice of this software, which the department in charge confirms or changes."""


def features(values: Mapping[str, Values], indicators: Mapping[str, Indicator]) -> list[Feature]:
    """The features of which there are values; an indicator of no direction (中性) speaks for nothing."""
    return [
        Feature(indicators[key].name, dimension, indicators[key].direction, values[key])
        for dimension, keys in DIMENSIONS.items()
        for key in keys
        if key in values and key in indicators and indicators[key].direction is not Direction.NEUTRAL
    ]
