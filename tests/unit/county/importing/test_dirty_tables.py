"""Forty dirty tables, written by somebody who never saw this code: what is imported, and what is told of which cell."""

from dataclasses import replace

import pytest
from tests.county.dirty_workbooks import CASES, Finding, Row, content, faults, file_name, source_of

from kaozheng.county.catalogue import built_in
from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.guess import guess
from kaozheng.county.importing.mapping import Layout, Mapping, SourceEntry, TableEntry
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.indicators.indicator import PeriodType
from kaozheng.sources.grid import Workbook
from kaozheng.wiring.files import grid_reader

LAYOUTS = {
    "regions_by_years": Layout.REGIONS_YEARS,
    "regions_by_indicators": Layout.REGIONS_INDICATORS,
    "regions_by_indicator_years": Layout.REGIONS_INDICATORS,
    "indicators_by_years": Layout.INDICATORS_YEARS,
    "long": Layout.LONG,
}
CUMULATIVE = {one.key for one in built_in().indicators if one.period_type is PeriodType.CUMULATIVE}


def table_of(entry, guessed, sheet):
    """The guessed table with what the case says is known from outside."""
    facts = dict(entry)
    made = guessed.model_dump() if guessed else {"head": (1,)}
    made |= {"sheet": sheet, "layout": LAYOUTS[facts["layout"]]}
    if facts["layout"] == "regions_by_indicator_years":
        made["period"] = "head"
    for fact in ("indicator", "period", "unit", "region"):
        if fact in facts:
            said = str(facts[fact])
            made[fact] = f"column {said}" if len(said) == 1 else said
    if facts["layout"] == "regions_by_indicators":
        made["indicator"] = "head"
    if facts["layout"] == "regions_by_years":
        made["period"] = "head"
    if "value" in facts:
        made["values"] = (facts["value"],)
    if "prefecture" in facts:
        made["within"] = f"column {facts['prefecture']}"
    if "code" in facts:
        made["region_code"] = f"column {facts['code']}"
    return TableEntry.model_validate(made)


def as_row(one):
    cell = one.source.partition("!")[2]
    value = f"{one.value:f}" if one.value is not None else f"!{one.missing}"
    from_january = one.period.month and one.indicator in CUMULATIVE
    period = f"{one.period.year}-01..{one.period.month:02}" if from_january else str(one.period)
    return cell, one.region.code, one.indicator, period, value, one.unit


async def imported(case, folder):
    path = folder / file_name(case)
    path.write_bytes(content(case))
    book = await grid_reader().workbook(path)
    if "csv" in case:
        book = Workbook(book.path, book.sha256, [replace(book.grids[0], name="Sheet1")])
    source = SourceEntry(**source_of(case))
    found = guess(book, sichuan(), built_in(), source)
    guessed = {table.sheet: table for table in found.mapping.tables} if found.mapping else {}
    tables = [
        table_of(entry, guessed.get(name) or guessed.get(""), name) for name, entry in case.get("mapping", {}).items()
    ]
    mapping = Mapping(source=source, tables=tuple(tables))
    return extract(book, mapping, sichuan(), built_in()), found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
async def test_a_dirty_table(case, tmp_path):
    plan, _ = await imported(case, tmp_path)
    rows = [Row(*as_row(one)) for one in plan.observations]
    findings = [Finding(one.cell, one.code.value, one.kind.value) for one in plan.findings]
    assert faults(case, rows, findings) == []
