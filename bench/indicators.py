"""Indicators: published figures beside ours, and the time that coverage and growth of a whole province take."""

from __future__ import annotations

import csv
import json
import random
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from bench.row import Row
from kaozheng.indicators.composite import entropy_weights, topsis
from kaozheng.indicators.coverage import coverage
from kaozheng.indicators.indicator import Direction, Indicator
from kaozheng.indicators.location import location_quotient
from kaozheng.indicators.panel import panel_of, rates
from kaozheng.indicators.period import Period, calendar
from kaozheng.indicators.shift_share import shift_share
from kaozheng.indicators.structure import concentration, krugman

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
REGIONS, INDICATORS, YEARS = 183, 200, 20
# Farhauer & Kroell (2013), as in the documentation of REAT::shift
_WHOLE = ((400, 150, 150, 400), (440, 210, 135, 480))
_PARTS = {
    "A": ((90, 20, 10, 60), (100, 40, 10, 55)),
    "B": ((60, 30, 30, 40), (85, 55, 40, 35)),
    "C": ((250, 100, 110, 300), (255, 115, 85, 390)),
}
# Hwang & Yoon (1981); the fourth criterion is the price
_FIGHTERS = {
    "A1": ("2.0", 1500, 20000, "5.5", 5, 9),
    "A2": ("2.5", 2700, 18000, "6.5", 3, 5),
    "A3": ("1.8", 2000, 21000, "4.5", 7, 7),
    "A4": ("2.2", 1800, 20000, "5.0", 5, 5),
}


def measure() -> Iterator[Row]:
    if SHARED.is_dir():
        yield from _published()
    else:
        yield Row("published figures", "not measured", f"{SHARED} is not here")
    yield from _province()


def _published() -> Iterator[Row]:
    lines = (SHARED / "econ_reference.jsonl").read_text(encoding="utf-8").splitlines()
    entries = {row["id"]: row for row in map(json.loads, lines)}
    for name, got in _ours():
        entry = entries[name]
        for key, value in entry["published"].items():
            ours = float(got[key])
            held = "holds" if abs(ours - value) <= entry["tol"] else "OFF"
            yield Row(f"{name}: {key}", f"{ours:.7g}", f"{value:.7g}", held, f"within {entry['tol']:g}")


def _ours() -> Iterator[tuple[str, dict[str, Any]]]:
    quotient = location_quotient(*map(Decimal, (1714, 79006, 879213, 15593224)))
    yield "lq_farhauer_kroell", {"lq": quotient}
    table = [row for row in _rows("goettingen_industry_emp_2008_2017.csv") if row["WZ2008_Code"] != "A-R"]
    here, there = ({row["WZ2008_Code"]: Decimal(row[f"{area}2017"]) for row in table} for area in ("Goettingen", "BRD"))
    yield "krugman_goettingen", {"K": krugman(here, there)}
    for region, pair in _PARTS.items():
        yield f"ssa_farhauer_kroell_{region}", _shifts(*pair, *_WHOLE)
    table = _rows("freiburg_industry_emp.csv")
    columns = [[row[f"e_{area}{year}"] for row in table] for area in ("Freiburg", "Germany") for year in (2008, 2014)]
    yield "ssa_freiburg", _shifts(*columns)
    found: Any = concentration(_column((20, 50, 20, 10)))
    yield "herf_doersam", {"hhi": found.hhi, "norm": found.normalised, "eq": found.equivalent}
    fighters = {name: {f"w{i}": Decimal(value) for i, value in enumerate(row, 1)} for name, row in _FIGHTERS.items()}
    weights = {f"w{i}": Decimal(weight) for i, weight in enumerate((2, 1, 1, 1, 2, 3), 1)}
    directions = {name: Direction.LESS if name == "w4" else Direction.MORE for name in weights}
    scored: Any = topsis(fighters, weights, directions)
    yield "topsis_hwang_yoon", scored.scores
    weighed: Any = entropy_weights(fighters)
    yield "entropy_weight_hwang_yoon", weighed


def _shifts(*columns: Any) -> dict[str, Any]:
    found = shift_share(*map(_column, columns))
    return {name: getattr(found, name) for name in ("national", "mix", "competitive", "total")}


def _column(values: Any) -> dict[str, Decimal]:
    return {str(place): Decimal(value) for place, value in enumerate(values)}


def _rows(name: str) -> list[dict[str, str]]:
    with (SHARED / "data" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _province() -> Iterator[Row]:
    chance = random.Random(7)
    regions = [f"51{place:04d}" for place in range(REGIONS)]
    indicators = [Indicator(f"i{place}", f"指标{place}", "亿元") for place in range(INDICATORS)]
    years = calendar(Period(2005), Period(2004 + YEARS))
    rows = [
        (
            region,
            indicator.key,
            year,
            Decimal(chance.randrange(1, 10**6)).scaleb(-2) if chance.random() < 0.95 else None,
        )
        for region in regions
        for indicator in indicators
        for year in years
    ]
    began = time.perf_counter()
    panel = panel_of(rows, regions, indicators, years[0], years[-1])
    filled = time.perf_counter()
    gaps = sum(1 for _ in coverage(panel).gaps())
    covered = time.perf_counter()
    rates(panel)
    grown = time.perf_counter()
    size = f"{len(rows):,} values"
    yield Row("province: rows into one array", f"{filled - began:.2f} s", size)
    yield Row(
        "province: coverage and its gaps", f"{covered - filled:.2f} s", f"{gaps:,} gaps", bound="< 3 s with filling"
    )
    yield Row("province: growth of all", f"{grown - covered:.2f} s", size, bound="< 5 s with filling")
