"""A table of other hands against the list of regions: what matches, what is renamed, what is no county."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from kaozheng.county.importing.finding import Code, ImportFinding, Kind
from kaozheng.county.regions.gazetteer import NamedBy, Resolved
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.indicators.observation import Missing, missing_mark

TABLE = Path(__file__).parents[4] / "shared" / "bench" / "data" / "china_county_minimum_wage_2018.csv"


def rows_of_sichuan() -> list[tuple[str, dict[str, str]]]:
    """Each row with the cell of its county in the file."""
    if not TABLE.exists():
        pytest.skip(f"no shared data at {TABLE}")
    with TABLE.open(encoding="utf-8-sig", newline="") as file:
        rows = [(f"C{line}", row) for line, row in enumerate(csv.DictReader(file), start=2)]
    return [(cell, row) for cell, row in rows if row["province_cn"] == "四川省"]


def finding_of(cell: str, row: dict[str, str], year: int) -> ImportFinding | None:
    found = sichuan().resolve(row["county_cn"], year, within=row["city_cn"])
    if not isinstance(found, Resolved):
        return ImportFinding(Kind.REFUSED, Code.UNKNOWN_REGION, cell, row["county_cn"], found.reason)
    if found.note is None:
        return None
    assert found.by is NamedBy.FORMER
    return ImportFinding(Kind.NOTED, Code.RENAMED_REGION, cell, row["county_cn"], found.note)


def test_minimum_wages_of_2018_against_the_regions_of_today() -> None:
    rows = rows_of_sichuan()
    findings = [finding_of(cell, row, 2024) for cell, row in rows]
    codes = Counter(finding.code if finding else "match" for finding in findings)

    assert len(rows) == 206
    assert codes == {"match": 180, Code.UNKNOWN_REGION: 23, Code.RENAMED_REGION: 3}
    assert {finding.raw for finding in findings if finding and finding.kind is Kind.NOTED} == {
        "会理县",
        "新津县",
        "射洪县",
    }
    refused = {finding.raw for finding in findings if finding and finding.kind is Kind.REFUSED}
    assert all(name == "市辖区" or name.endswith(("经济开发区", "景区管理局")) for name in refused)
    assert sum(missing_mark(row["monthly_mw_yuan"]) is Missing.NO_DATA for _, row in rows) == 4


def test_minimum_wages_of_2018_cover_every_county_of_their_own_year() -> None:
    found = [sichuan().resolve(row["county_cn"], 2018, within=row["city_cn"]) for _, row in rows_of_sichuan()]
    codes = [one.region.code for one in found if isinstance(one, Resolved)]

    assert len(codes) == len(set(codes)) == 183
    assert all(one.note is None for one in found if isinstance(one, Resolved))
