"""A few indicators, and grids written as texts."""

from decimal import Decimal, InvalidOperation

import pytest

from kaozheng.county.catalogue import Catalogue
from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.mapping import read_mapping
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.indicators.indicator import Calibre, Indicator, PeriodType
from kaozheng.sources.grid import Area, Grid, GridCell, Workbook

CATALOGUE = Catalogue(
    (
        Indicator("gdp", "地区生产总值", "亿元", Calibre.CURRENT, PeriodType.CUMULATIVE, aliases=("GDP",)),
        Indicator("gdp_growth", "地区生产总值增速", "%", Calibre.COMPARABLE, PeriodType.CUMULATIVE),
        Indicator("va1", "第一产业增加值", "亿元", Calibre.CURRENT, PeriodType.CUMULATIVE),
        Indicator("revenue", "一般公共预算收入", "亿元", Calibre.NONE, PeriodType.CUMULATIVE),
        Indicator("pop", "常住人口", "万人", period_type=PeriodType.END, aliases=("年末常住人口",)),
        Indicator("urban", "常住人口城镇化率", "%", period_type=PeriodType.END, aliases=("城镇化率",)),
        Indicator("energy", "单位GDP能耗", "吨标准煤/万元"),
    )
)


def cell_of(value):
    """A text as a file without formats gives it, or a ready cell."""
    if isinstance(value, GridCell):
        return value
    try:
        return GridCell(value, Decimal(value)) if value.strip() else None
    except InvalidOperation:
        return GridCell(value)


@pytest.fixture
def catalogue():
    """Seven indicators."""
    return CATALOGUE


@pytest.fixture
def sheet():
    """A grid of rows: texts, cells, None."""

    def make(*rows, name="表1", merged=(), **rest):
        cells = {
            (row, column): cell
            for row, values in enumerate(rows, 1)
            for column, value in enumerate(values, 1)
            if value is not None and (cell := cell_of(value))
        }
        return Grid(name, cells, tuple(Area(*area) for area in merged), **rest)

    return make


@pytest.fixture
def imported():
    """What extracting makes of grids by a table of a mapping."""

    def run(table, *grids, more=""):
        text = f'[source]\nid = "s"\ntitle = "试"\nvintage = "2025"\n{more}\n[[tables]]\n{table}'
        return extract(Workbook("试.xlsx", "0" * 64, grids), read_mapping(text), sichuan(), CATALOGUE)

    return run
