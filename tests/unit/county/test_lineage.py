"""Rows of a region are joined over its recodings, and never over a change of its area."""

import pytest

from kaozheng.county.regions.lineage import Lineage
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.indicators.period import Period


@pytest.fixture(scope="module")
def lineage():
    return Lineage(sichuan().entries, sichuan().changes)


@pytest.mark.parametrize(
    ("code", "year", "today"),
    [
        ("511083", 2024, "511083"),
        ("511028", 2016, "511083"),
        ("512426", 1983, "511083"),
        ("512423", 1980, "511083"),  # 隆昌县
        ("512423", 1983, "512002"),  # 资阳县: the code was given on
        ("999999", 2024, "999999"),
    ],
)
def test_code_of_a_year_leads_to_that_of_today(lineage, code, year, today):
    assert lineage.today(code, year) == today


def test_rows_over_a_recoding_are_of_one_region(lineage):
    rows = [("511028", "gdp", Period(2016), None), ("511083", "gdp", Period(2017), None)]
    assert [row[0] for row in lineage.rows(rows)] == ["511083", "511083"]


def test_all_codes_of_a_region_are_known(lineage):
    assert lineage.codes("511083") == ("511028", "511083", "512423", "512426")
    assert lineage.codes("999999") == ("999999",)


def test_recoding_breaks_no_series(lineage):
    assert 2017 not in lineage.breaks("511083")


def test_every_break_is_of_a_region_that_the_list_has(lineage):
    broken = {
        code: years for entry in sichuan().entries if (years := lineage.breaks(code := entry.stable or entry.code))
    }
    assert broken, "the list of changes has mergers"
    assert all(1980 <= year <= 2026 for years in broken.values() for year in years)
