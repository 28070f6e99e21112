"""The demonstration from its seed to rows: marked, repeatable, with its gaps and its one fault."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from kaozheng.county.catalogue import built_in
from kaozheng.county.demonstration.made_figures import COUNTIES, PLACES, YEARS, made_figures
from kaozheng.county.demonstration.made_files import made_files
from kaozheng.county.demonstration.made_records import (
    SYNTHETIC,
    made_constraints,
    made_enterprises,
    made_links,
    made_policies,
    made_projects,
)
from kaozheng.county.demonstration.made_tables import FAULT, GAPS
from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.finding import Code, Kind
from kaozheng.county.importing.mapping import read_mapping
from kaozheng.county.importing.plan import Plan
from kaozheng.county.importing.record_rows import rows_of_grid, rows_of_yaml
from kaozheng.county.importing.records import records_of
from kaozheng.county.policy import Policy
from kaozheng.county.records import ChainLink, Enterprise, FactorConstraint, Project
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.indicators.consistency import Part, add_up
from kaozheng.indicators.observation import Missing
from kaozheng.wiring.files import grid_reader


@pytest.fixture
def folder(tmp_path):
    for name, data in made_files(1).items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


async def planned(folder, name: str) -> Plan:
    table = next(path for path in folder.iterdir() if path.stem == name and path.suffix != ".toml")
    workbook = await grid_reader().workbook(table)
    mapping = read_mapping((folder / f"{name}.toml").read_text(encoding="utf-8"))
    return extract(workbook, mapping, sichuan(), built_in())


def test_a_seed_makes_the_same_bytes_and_another_seed_other_figures() -> None:
    assert made_files(1) == made_files(1)
    assert made_files(1)["年度指标.xlsx"] != made_files(2)["年度指标.xlsx"]
    assert made_figures(1) != made_figures(2)


async def test_every_sheet_and_file_says_that_it_is_synthetic(folder) -> None:
    for path in folder.iterdir():
        if path.suffix == ".xlsx":
            for grid in (await grid_reader().workbook(path)).grids:
                assert SYNTHETIC in grid.cells[1, 1].text
        else:
            assert SYNTHETIC in path.read_text(encoding="utf-8-sig").splitlines()[0]


async def test_the_yearbook_becomes_every_row_that_was_made(folder) -> None:
    plan = await planned(folder, "年度指标")
    expected = made_figures(1)
    key, added = FAULT

    assert plan.source.synthetic
    assert len(plan.observations) == len(PLACES) * len(COUNTIES) * len(YEARS)
    assert [one for one in plan.findings if one.kind is Kind.REFUSED] == []
    assert {one.code for one in plan.findings} <= {Code.RENAMED_REGION, Code.MISSING_MARK}
    by_code = {(one.indicator, sichuan().entry(one.region).stable, one.period.year): one for one in plan.observations}
    for asked, value in expected.items():
        found = by_code[asked]
        if asked in GAPS:
            assert found.value is None
        else:
            assert found.value == value + (added if asked == key else 0)
            assert found.unit == built_in().meant(asked[0]).unit
    assert by_code["grain", "511002", 2020].missing is Missing.NOTHING
    assert by_code["rd", "511124", 2015].missing is Missing.TOO_SMALL
    assert by_code["energy", "511102", 2023].missing is Missing.WITHHELD
    assert by_code["patents", "511002", 2020].missing is Missing.NO_DATA


async def test_the_quick_report_is_an_earlier_revision_of_the_same_rows(folder) -> None:
    quick, yearly = await planned(folder, "年度快报"), await planned(folder, "年度指标")
    final = {(one.indicator, one.region, one.period): one for one in yearly.observations}

    assert [one for one in quick.findings if one.kind is Kind.REFUSED] == []
    assert {one.indicator for one in quick.observations} == {
        *("gdp", "gdp_growth", "indva_growth", "revenue"),
        *("investment", "investment_growth", "retail", "retail_growth"),
    }
    for one in quick.observations:
        later = final[one.indicator, one.region, one.period]
        assert one.vintage < later.vintage
        assert (one.value == later.value) == one.indicator.endswith("_growth")


async def test_the_quarters_count_from_the_start_of_the_year(folder) -> None:
    plan = await planned(folder, "季度累计")
    values = {
        str(one.period): one.value
        for one in plan.observations
        if one.region.code == "511083" and one.indicator == "gdp"
    }

    assert plan.findings == ()
    assert list(values) == ["2023Q1", "2023Q2", "2023Q3", "2024Q1", "2024Q2", "2024Q3"]
    assert values["2024Q1"] < values["2024Q2"] < values["2024Q3"] < made_figures(1)["gdp", "511083", 2024]


@pytest.mark.parametrize(
    ("kind", "name", "made"),
    [
        (Enterprise, "企业", made_enterprises(1)),
        (Project, "项目", made_projects(1)),
        (FactorConstraint, "要素约束", made_constraints(1)),
        (ChainLink, "产业链", made_links()),
    ],
)
async def test_records_come_back_from_their_files(folder, kind, name: str, made: tuple) -> None:
    workbook = await grid_reader().workbook(folder / f"{name}.csv")
    plan = records_of(kind, rows_of_grid(workbook.grids[0]), sichuan(), 2024)

    assert plan.records == made
    assert plan.findings == ()


def test_policies_come_back_from_their_file(folder) -> None:
    text = (folder / "政策.yml").read_text(encoding="utf-8")
    plan = records_of(Policy, rows_of_yaml(text, "政策.yml"), sichuan(), 2024)

    assert plan.records == made_policies()
    assert plan.findings == ()


def test_the_industries_add_up_everywhere_but_in_the_one_fault() -> None:
    figures = made_figures(1)
    (_, code, year), added = FAULT

    for county in COUNTIES:
        for one in YEARS:
            parts = {key: figures[key, county.code, one] for key in ("primary", "secondary", "tertiary")}
            total = figures["gdp", county.code, one]
            assert add_up(total, [Part(key, value) for key, value in parts.items()]).fits
    faulty = figures["secondary", code, year] + added
    parts = [Part("p", figures["primary", code, year]), Part("s", faulty), Part("t", figures["tertiary", code, year])]
    assert add_up(figures["gdp", code, year], parts).fits is False


@pytest.mark.parametrize("seed", range(12))
def test_figures_have_the_shape_of_a_county(seed: int) -> None:
    figures = made_figures(seed)

    for (key, _, _), value in figures.items():
        assert value > (Decimal(-5) if key.endswith("_growth") else 0)
    for county in COUNTIES:
        for year in YEARS:
            assert figures["urban_income", county.code, year] > figures["rural_income", county.code, year]
            assert 30 < figures["urban_rate", county.code, year] < 90
            assert figures["tax", county.code, year] < figures["revenue", county.code, year]


def test_no_record_can_be_taken_for_a_real_one() -> None:
    assert all(re.match("演示", policy.number) for policy in made_policies())
    assert all("演示" in one.name for one in (*made_enterprises(1), *made_projects(1)))
    records = (*made_policies(), *made_enterprises(1), *made_projects(1), *made_constraints(1), *made_links())
    assert all(one.id.startswith("DEMO-") for one in records)
    assert len({one.id for one in records}) == len(records)
