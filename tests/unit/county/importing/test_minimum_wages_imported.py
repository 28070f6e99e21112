"""A table of other hands through the importer: its counties come in, its placeholders are refused with their cells."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.mapping import read_mapping
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.sources.grid import Workbook

TABLE = Path(__file__).parents[5] / "shared" / "bench" / "data" / "china_county_minimum_wage_2018.csv"
TOML = """
[source]
id = "minimum-wages"
title = "各县最低工资"
vintage = "2018"

[[indicators]]
key = "minimum_wage"
name = "月最低工资标准"
unit = "元"

[[tables]]
layout = "regions-indicators"
region = "column C"
within = "column B"
indicator = "minimum_wage"
period = "{year}"
unit = "indicator"
values = ["E"]
"""


@pytest.mark.parametrize(("year", "renamed"), [(2018, set()), (2024, {"会理县", "新津县", "射洪县"})])
def test_minimum_wages_of_sichuan(sheet, catalogue, year, renamed):
    if not TABLE.exists():
        pytest.skip(f"no shared data at {TABLE}")
    with TABLE.open(encoding="utf-8-sig", newline="") as file:
        head, *lines = csv.reader(file)
    lines = [line for line in lines if line[0] == "四川省"]
    assert len(lines) == 206
    grid = sheet(head, *lines)
    plan = extract(Workbook("最低工资.csv", "0", [grid]), read_mapping(TOML.format(year=year)), sichuan(), catalogue)
    codes = Counter(one.code for one in plan.findings)
    assert len(plan.observations) == len({one.region.code for one in plan.observations}) == 183
    assert {one.raw for one in plan.findings if one.code is Code.RENAMED_REGION} == renamed
    refused = [one for one in plan.findings if one.code in (Code.UNKNOWN_REGION, Code.NOT_A_COUNTY)]
    assert codes[Code.MISSING_MARK] == sum(one.missing is not None for one in plan.observations) == 2
    assert len(refused) + 183 == 204  # two of the 23 placeholders have no value that could be refused
