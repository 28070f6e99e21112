"""The figures of the demonstration: made from a seed, in the shape that a county's figures have."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

YEARS: Final = tuple(range(2015, 2025))


@dataclass(frozen=True, slots=True)
class DemoCounty:
    """A county with its size at the start: gross product in 亿元, residents in 万人, shares of the industries in %."""

    code: str
    name: str
    prefecture: str
    product: float
    residents: float
    primary: float
    secondary: float


COUNTIES: Final = (
    DemoCounty("511002", "内江市市中区", "内江市", 152, 51, 8, 44),
    DemoCounty("511024", "威远县", "内江市", 236, 56, 16, 48),
    DemoCounty("511025", "资中县", "内江市", 201, 98, 27, 36),
    DemoCounty("511083", "隆昌市", "内江市", 205, 60, 15, 47),
    DemoCounty("511102", "乐山市市中区", "乐山市", 289, 68, 9, 38),
    DemoCounty("511124", "井研县", "乐山市", 84, 32, 28, 33),
)
_REAL_GROWTH: Final = dict(zip(YEARS, (8.6, 8.1, 8.2, 8.4, 7.5, 3.9, 8.1, 3.2, 6.1, 5.8), strict=True))
_DEFLATOR: Final = dict(zip(YEARS, (0.4, 1.2, 3.1, 2.4, 1.6, 1.4, 3.3, 1.8, -0.4, -0.3), strict=True))
PLACES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("gdp", "primary", "secondary", "tertiary", "investment", "retail", "deposits", "loans"), "0.01"),
    **dict.fromkeys(("revenue", "tax", "expenditure", "rd", "power", "grain", "pop", "pop_registered"), "0.01"),
    **dict.fromkeys(("gdp_growth", "indva_growth", "investment_growth", "retail_growth", "urban_rate"), "0.1"),
    **dict.fromkeys(("urban_income", "rural_income", "firms", "patents"), "1"),
    "energy": "0.001",
}
"""What is made, with the place that it is rounded to."""
Key = tuple[str, str, int]
"""Indicator, code of the county, year."""


def made_figures(seed: int) -> dict[Key, Decimal]:
    """All figures of a seed, without faults: the parts add up, nothing is missing."""
    chance = random.Random(seed)
    return {
        (key, county.code, year): value.quantize(Decimal(PLACES[key]))
        for county in COUNTIES
        for year, values in zip(YEARS, _years(county, chance), strict=True)
        for key, value in values.items()
    }


def _years(county: DemoCounty, chance: random.Random) -> Iterator[dict[str, Decimal]]:
    """Year by year; what is a part of a total is made after it, so that the parts add up to the last digit."""
    product, residents, urban, energy = county.product, county.residents, 43.0 + 8 * chance.random(), 0.92
    primary, secondary = county.primary, county.secondary
    investment, retail, firms = product * 0.7, product * 0.42, float(round(product * 0.45))
    for year in YEARS:
        real = _REAL_GROWTH[year] + chance.gauss(0, 0.7)
        price = _DEFLATOR[year] + chance.gauss(0, 0.4)
        product *= (1 + real / 100) * (1 + price / 100)
        residents *= 1 + chance.gauss(-0.6, 0.25) / 100
        urban += 0.9 + 0.3 * chance.random()
        energy *= 1 - (2.4 + chance.gauss(0, 0.5)) / 100
        primary -= 0.15 + 0.1 * chance.random()
        secondary -= 0.35 + 0.4 * chance.random()
        industry = real + 0.8 + chance.gauss(0, 0.8)
        invested, sold = real + 2.1 + chance.gauss(0, 1.5), real + 1.3 + chance.gauss(0, 1.0)
        investment *= 1 + invested / 100
        retail *= 1 + (sold + price / 2) / 100
        firms = max(12.0, firms * (1 + chance.gauss(1.5, 2.5) / 100))
        total, first = _two(product), _two(product * primary / 100)
        second = _two(product * secondary / 100)
        revenue = product * (0.041 + 0.004 * chance.random())
        values: dict[str, Decimal | float] = {
            "gdp": total,
            "primary": first,
            "secondary": second,
            "tertiary": total - first - second,
            "gdp_growth": real,
            "indva_growth": industry,
            "investment": investment,
            "investment_growth": invested,
            "retail": retail,
            "retail_growth": sold,
            "revenue": revenue,
            "tax": revenue * (0.56 + 0.05 * chance.random()),
            "expenditure": revenue * (3.1 + 0.4 * chance.random()),
            "deposits": product * (1.15 + 0.02 * (year - YEARS[0])),
            "loans": product * (0.55 + 0.035 * (year - YEARS[0])),
            "pop": residents,
            "pop_registered": county.residents * (1.17 - 0.004 * (year - YEARS[0])),
            "urban_rate": urban,
            "urban_income": 25500 * 1.072 ** (year - YEARS[0]) * (0.97 + 0.06 * chance.random()),
            "rural_income": 11900 * 1.085 ** (year - YEARS[0]) * (0.97 + 0.06 * chance.random()),
            "power": product * (0.052 + 0.002 * chance.random()),
            "energy": energy,
            "firms": firms,
            "rd": product * (0.006 + 0.0008 * (year - YEARS[0])),
            "patents": product * (0.8 + 0.1 * (year - YEARS[0])) * (0.9 + 0.2 * chance.random()),
            "grain": county.residents * 0.45 * (1 + chance.gauss(0.5, 1.0) / 100),
        }
        yield {key: Decimal(repr(value)) if isinstance(value, float) else value for key, value in values.items()}


def _two(value: float) -> Decimal:
    return Decimal(repr(value)).quantize(Decimal("0.01"))
