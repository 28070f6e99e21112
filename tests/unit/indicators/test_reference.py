"""Published figures of regional economics, and the traps that were met when they were reproduced."""

import csv
import json
from decimal import Decimal
from pathlib import Path

import pytest

from kaozheng.indicators.composite import entropy_weights, topsis
from kaozheng.indicators.consistency import Part, add_up
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.location import location_quotient
from kaozheng.indicators.shift_share import shift_share
from kaozheng.indicators.structure import concentration, krugman, shares

BENCH = Path(__file__).parents[4] / "shared" / "bench"
D = Decimal
# Farhauer & Kroell (2013), as in the documentation of REAT::shift: base year, last year
WHOLE = ((400, 150, 150, 400), (440, 210, 135, 480))
REGIONS = {
    "A": ((90, 20, 10, 60), (100, 40, 10, 55)),
    "B": ((60, 30, 30, 40), (85, 55, 40, 35)),
    "C": ((250, 100, 110, 300), (255, 115, 85, 390)),
}
# Hwang & Yoon (1981): speed, range, payload, cost, reliability, manoeuvrability
FIGHTERS = {
    "A1": ("2.0", 1500, 20000, "5.5", 5, 9),
    "A2": ("2.5", 2700, 18000, "6.5", 3, 5),
    "A3": ("1.8", 2000, 21000, "4.5", 7, 7),
    "A4": ("2.2", 1800, 20000, "5.0", 5, 5),
}
TABLE = {name: {f"w{i}": D(value) for i, value in enumerate(row, 1)} for name, row in FIGHTERS.items()}


def entry(name):
    path = BENCH / "econ_reference.jsonl"
    if not path.exists():
        pytest.skip(f"no published figures at {path}")
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return next(row for row in rows if row["id"] == name)


def rows(name):
    with (BENCH / "data" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def holds(got, name):
    row = entry(name)
    assert {key: value for key, value in row["published"].items() if abs(float(got[key]) - value) > row["tol"]} == {}


def column(values):
    return {str(place): D(value) for place, value in enumerate(values)}


def split(before, after, whole=WHOLE):
    return shift_share(*map(column, (before, after, *whole)))


def of(result):
    return {name: getattr(result, name) for name in ("national", "mix", "competitive", "total")}


def test_location_quotient():
    holds({"lq": location_quotient(D(1714), D(79006), D(879213), D(15593224))}, "lq_farhauer_kroell")


def test_krugman_of_goettingen_uses_the_sum_of_the_sectors():
    entry("krugman_goettingen")
    table = rows("goettingen_industry_emp_2008_2017.csv")
    here, there = ({row["WZ2008_Code"]: D(row[f"{area}2017"]) for row in table} for area in ("Goettingen", "BRD"))
    total, whole = here.pop("A-R"), there.pop("A-R")
    holds({"K": krugman(here, there)}, "krugman_goettingen")
    mine, theirs = shares(here, total), shares(there, whole)
    assert round(sum(abs(mine[name] - theirs[name]) for name in mine), 6) == D("0.447676")
    assert add_up(total, [Part(*pair) for pair in here.items()]).fits is False  # suppressed cells: 69,403 and 67,283


@pytest.mark.parametrize("region", REGIONS)
def test_shift_share_of_three_regions(region):
    holds(of(split(*REGIONS[region])), f"ssa_farhauer_kroell_{region}")


def test_mix_and_competitive_sum_to_zero_over_all_regions():
    parts = [of(split(*region)) for region in REGIONS.values()]
    assert [round(sum(part[name] for part in parts), 20) for name in ("mix", "competitive")] == [0, 0]


def test_shift_share_of_freiburg():
    row = entry("ssa_freiburg")
    table = rows("freiburg_industry_emp.csv")
    columns = [[line[f"e_{area}{year}"] for line in table] for area in ("Freiburg", "Germany") for year in (2008, 2014)]
    got = of(split(*columns[:2], columns[2:]))
    holds(got, "ssa_freiburg")
    assert all(abs(float(got[name]) - value) < 1e-6 for name, value in row["got"].items())


def test_concentration():
    got = concentration(column((20, 50, 20, 10)))
    holds({"hhi": got.hhi, "norm": got.normalised, "eq": got.equivalent}, "herf_doersam")
    assert got.points == 3400


def test_topsis_with_the_price_as_cost():
    weights = dict(zip((f"w{i}" for i in range(1, 7)), map(D, ("0.2", "0.1", "0.1", "0.1", "0.2", "0.3")), strict=True))
    directions = {name: Direction.LESS if name == "w4" else Direction.MORE for name in weights}
    holds(topsis(TABLE, weights, directions).scores, "topsis_hwang_yoon")


def test_entropy_weights():
    holds(entropy_weights(TABLE), "entropy_weight_hwang_yoon")


def test_an_industry_inside_of_another_is_not_added_twice():
    """B-E and C (which is inside of B-E) stand in one list: added, the parts are 30 % more than all."""
    of_state = {
        row["industry"]: D(row["emp"]).to_integral_value()
        for row in rows("de_regions_industry_emp.csv")
        if row["region"] == "Baden-Wuerttemberg" and row["year"].startswith("2014")
    }
    total = of_state.pop("Insgesamt").scaleb(-3).to_integral_value().scaleb(3)  # given in whole thousands
    flat = [Part(name, value) for name, value in of_state.items()]
    outer = "Produzierendes Gewerbe ohne Baugewerbe (B-E)"
    nested = [Part(p.name, p.value, outer if p.name == "Verarbeitendes Gewerbe (C)" else "") for p in flat]
    assert add_up(total, flat).fits is False
    assert add_up(total, nested).fits is True
