"""The tables of the demonstration as rows of cells: with the gaps and the fault that are in them on purpose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaozheng.county.catalogue import built_in
from kaozheng.county.demonstration.made_figures import COUNTIES, PLACES, YEARS, Key, made_figures
from kaozheng.county.demonstration.made_records import SYNTHETIC
from kaozheng.indicators.indicator import Indicator

Cell = str | Decimal
QUICK: Final = ("gdp", "indva", "investment", "retail", "revenue")
"""Indicators of the quick report; `indva` is published as a growth alone."""
GAPS: Final[Mapping[Key, str]] = {
    **{("rd", "511124", year): "…" for year in (2015, 2016, 2017)},
    **{("grain", "511002", year): "—" for year in YEARS},
    **{("power", "511025", year): "" for year in (2015, 2016)},
    ("patents", "511002", 2020): "",
    ("energy", "511102", 2023): "*",
    ("rural_income", "511025", 2019): "",
}
FAULT: Final = (("secondary", "511024", 2021), Decimal("9.00"))
"""The second industry of 威远县 is 9 亿元 too large in 2021, so that the three industries exceed the gross product."""
_EARLY: Final = Decimal("0.992")
_QUARTERS: Final = (("一季度", Decimal("0.21")), ("上半年", Decimal("0.46")), ("前三季度", Decimal("0.72")))


@dataclass(frozen=True, slots=True)
class MadeTable:
    """One sheet: what stands above the head, the head (one row or two), the rows."""

    name: str
    title: str
    unit: str
    head: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[Cell, ...], ...]


def with_faults(figures: Mapping[Key, Decimal]) -> dict[Key, Cell]:
    """The figures as they are published."""
    key, added = FAULT
    return {**figures, key: figures[key] + added, **GAPS}


def yearly_tables(seed: int) -> Iterator[MadeTable]:
    """One table an indicator: counties by years."""
    published = with_faults(made_figures(seed))
    for key in PLACES:
        indicator = _known(key)
        yield MadeTable(
            indicator.name,
            f"{YEARS[0]}—{YEARS[-1]}年各县（市、区）{indicator.name}（{SYNTHETIC}）",
            f"单位：{indicator.unit}",
            (("地区", *(f"{year}年" for year in YEARS)),),
            tuple((county.name, *(published[key, county.code, year] for year in YEARS)) for county in COUNTIES),
        )


def quick_table(seed: int) -> MadeTable:
    """The quick report of the last year, published before the yearbook: its levels are a little lower, growth stands
    beside them."""
    figures, year = made_figures(seed), YEARS[-1]
    columns = [(key, key) for key in QUICK if key in PLACES]
    columns += [(key, f"{key}_growth") for key in QUICK if f"{key}_growth" in PLACES]
    columns.sort(key=lambda column: QUICK.index(column[0]))
    above = ("地区", *(_known(key).name for key, _ in columns))
    below = ("地区", *("比上年增长（%）" if made != key else f"绝对额（{_known(key).unit}）" for key, made in columns))
    rows: list[tuple[Cell, ...]] = []
    for county in COUNTIES:
        values = {made: figures[made, county.code, year] for _, made in columns}
        levels: dict[str, Decimal] = {
            key: (values[key] * _EARLY).quantize(Decimal("0.1")) for key in QUICK if key in values
        }
        rows.append((county.name, *(levels.get(made, values[made]) for _, made in columns)))
    title = f"{year}年主要经济指标快报（{SYNTHETIC}）"
    return MadeTable("快报", title, "", (above, below), tuple(rows))


def quarterly_table(seed: int) -> MadeTable:
    """Gross product and revenue from the start of the year to the end of a quarter, one value a row."""
    figures = made_figures(seed)
    rows = tuple(
        (county.code, _known(key).name, f"{year}年{quarter}", _share(figures[key, county.code, year], share), "亿元")
        for county in COUNTIES
        for key in ("gdp", "revenue")
        for year in YEARS[-2:]
        for quarter, share in _QUARTERS
    )
    return MadeTable("季度累计", f"季度累计（{SYNTHETIC}）", "", (("区划代码", "指标", "时期", "数值", "单位"),), rows)


def _share(value: Decimal, share: Decimal) -> Decimal:
    return (value * share).quantize(Decimal("0.01"))


def _known(key: str) -> Indicator:
    return built_in().meant(key)
