"""What there is of the data: the matrix of regions, indicators and years, its completeness, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.panel import Panel
from kaozheng.indicators.undefined import Undefined, Why

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Completeness:
    """How many of the expected values there are."""

    present: int
    expected: int

    @property
    def share(self) -> Decimal | Undefined:
        """In %. Undefined when nothing was expected."""
        if not self.expected:
            return Undefined(Why.TOO_FEW)
        return Decimal(self.present) / self.expected * 100


@dataclass(frozen=True, slots=True)
class Gap:
    """A region's year without all values of an indicator, whose owner is asked for them. `explained` of the missing
    ones are rows that say why (—, …), so only the others were never delivered."""

    region: str
    indicator: Indicator
    year: int
    missing: int
    explained: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """Values (`present`) and rows that say why there is none (`explained`), counted by region, indicator and year; each
    cell expects `expected` of a year (1, 4 quarters, 12 months; fewer where the first or last year is a part)."""

    regions: tuple[str, ...]
    indicators: tuple[Indicator, ...]
    years: tuple[int, ...]
    present: Counts
    explained: Counts
    expected: tuple[int, ...]

    def total(self) -> Completeness:
        """Of everything."""
        return Completeness(int(self.present.sum()), sum(self.expected) * len(self.regions) * len(self.indicators))

    def by_region(self) -> dict[str, Completeness]:
        """Of each region."""
        expected = sum(self.expected) * len(self.indicators)
        counts = self.present.sum(axis=(1, 2))
        return {one: Completeness(int(count), expected) for one, count in zip(self.regions, counts, strict=True)}

    def by_indicator(self) -> dict[str, Completeness]:
        """Of each indicator, by its key."""
        expected = sum(self.expected) * len(self.regions)
        counts = self.present.sum(axis=(0, 2))
        return {one.key: Completeness(int(count), expected) for one, count in zip(self.indicators, counts, strict=True)}

    def by_year(self) -> dict[int, Completeness]:
        """Of each year."""
        cells = len(self.regions) * len(self.indicators)
        found = zip(self.years, self.present.sum(axis=(0, 1)), self.expected, strict=True)
        return {year: Completeness(int(count), expected * cells) for year, count, expected in found}

    def gaps(self) -> Iterator[Gap]:
        """Every cell that has not all its values, by region, indicator and year."""
        for place in zip(*(self.present < self.expected).nonzero(), strict=True):
            region, indicator, year = (int(index) for index in place)
            missing = self.expected[year] - int(self.present[place])
            explained = int(self.explained[place])
            yield Gap(self.regions[region], self.indicators[indicator], self.years[year], missing, explained)


def coverage(panel: Panel) -> Coverage:
    """The coverage matrix of a panel."""
    import numpy as np

    years = tuple(dict.fromkeys(period.year for period in panel.periods))
    of_year = np.array([[period.year == year for year in years] for period in panel.periods], dtype=np.int64)
    present = (~np.isnan(panel.values)).astype(np.int64) @ of_year
    explained = panel.explained.astype(np.int64) @ of_year
    expected = tuple(int(count) for count in of_year.sum(axis=0))
    return Coverage(panel.regions, panel.indicators, years, present, explained, expected)
