"""A few counties and indicators, and grids written as texts."""

from decimal import Decimal, InvalidOperation

import pytest

from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.mapping import read_mapping
from kaozheng.county.regions.gazetteer import Mention, Resolved, Unresolved
from kaozheng.documents.span import Span
from kaozheng.indicators.indicator import Calibre, Indicator, PeriodType
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.region import Region
from kaozheng.sources.grid import Area, Grid, GridCell, Workbook

_NAMES = {
    "511083": ("隆昌市", "511000"),
    "511024": ("威远县", "511000"),
    "511011": ("东兴区", "511000"),
    "511002": ("市中区", "511000"),
    "511102": ("市中区", "511100"),
    "511000": ("内江市", "510000"),
    "511100": ("乐山市", "510000"),
    "510000": ("四川省", ""),
}
_SHORT = ("隆昌", "威远", "东兴")


class FewCounties:
    """A gazetteer of five counties."""

    def resolve(self, text, year, within=""):
        if text == "510283":
            return Resolved(self._region("511083", year), Reason("510283 不是隆昌", "510283 is not Longchang"))
        if text == "隆昌县" and year >= 2017:
            return Resolved(self._region("511083", year), Reason("隆昌县 2017 年改为隆昌市", "now Longchang City"))
        upper = within if within.isdecimal() else next((c for c, (n, _) in _NAMES.items() if n == within), "")
        full = {code: f"{_NAMES.get(up, ('',))[0]}{name}" for code, (name, up) in _NAMES.items()}
        found = [
            code
            for code, (name, up) in _NAMES.items()
            if text in (code, name, full[code], name[:-1] if name[:-1] in _SHORT else name) and upper in ("", up)
        ]
        if len(found) == 1:
            return Resolved(self._region(found[0], year))
        regions = tuple(self._region(code, year) for code in found)
        return Unresolved(Reason(f"“{text}”不能确定", f"{text} is not one region"), regions)

    def mentions(self, text, year):
        found = []
        for code, (name, _) in _NAMES.items():
            if name in text:
                at = text.index(name)
                found.append(Mention(Span(at, at + len(name)), (self._region(code, year),)))
        return found

    def counties(self, year):
        return tuple(self._region(code, year) for code in _NAMES if not code.endswith("00"))

    def _region(self, code, year):
        return Region(code, year, _NAMES[code][0])


class FewIndicators:
    """A lookup of seven indicators."""

    known = (
        Indicator("gdp", "地区生产总值", "亿元", Calibre.CURRENT, PeriodType.CUMULATIVE, aliases=("GDP",)),
        Indicator("gdp_growth", "地区生产总值增速", "%", Calibre.COMPARABLE, PeriodType.CUMULATIVE),
        Indicator("va1", "第一产业增加值", "亿元", Calibre.CURRENT, PeriodType.CUMULATIVE),
        Indicator("revenue", "一般公共预算收入", "亿元", Calibre.NONE, PeriodType.CUMULATIVE),
        Indicator("pop", "常住人口", "万人", period_type=PeriodType.END, aliases=("年末常住人口",)),
        Indicator("urban", "常住人口城镇化率", "%", period_type=PeriodType.END, aliases=("城镇化率",)),
        Indicator("energy", "单位GDP能耗", "吨标准煤/万元"),
    )

    def find(self, name):
        return [one for one in self.known if name.casefold() in {n.casefold() for n in (one.key, *one.names())}]


def cell_of(value):
    """A text as a file without formats gives it, or a ready cell."""
    if isinstance(value, GridCell):
        return value
    try:
        return GridCell(value, Decimal(value)) if value.strip() else None
    except InvalidOperation:
        return GridCell(value)


@pytest.fixture
def gazetteer():
    return FewCounties()


@pytest.fixture
def lookup():
    return FewIndicators()


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
def imported(gazetteer, lookup):
    """What extracting makes of grids by a table of a mapping."""

    def run(table, *grids, more=""):
        text = f'[source]\nid = "s"\ntitle = "试"\nvintage = "2025"\n{more}\n[[tables]]\n{table}'
        return extract(Workbook("试.xlsx", "0" * 64, grids), read_mapping(text), gazetteer, lookup)

    return run
