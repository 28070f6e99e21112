"""Short ways to make indicators, observations and series."""

from decimal import Decimal

import pytest

from kaozheng.indicators.indicator import Calibre, Indicator, PeriodType
from kaozheng.indicators.observation import Observation, missing_mark
from kaozheng.indicators.period import read_period
from kaozheng.indicators.region import Region
from kaozheng.indicators.series import series_of

LONGCHANG = Region("511083", 2024, "隆昌市")


@pytest.fixture
def observed():
    """An observation of GDP in 亿元: `observed("2024Q1", "340.0")`."""

    def make(period, raw, unit="亿元", vintage="2025", key="gdp", region=LONGCHANG):
        missing = missing_mark(raw)
        value = None if missing else Decimal(raw)
        return Observation(region, key, read_period(period)[0], raw, value, unit, f"表1 {period}", vintage, missing)

    return make


@pytest.fixture
def series(observed):
    """A series of periods and raw texts: `series({"2023": "320", "2024": "340"})`."""

    def make(values, unit="亿元", period_type=PeriodType.SINGLE, breaks=(), calibre=Calibre.CURRENT):
        indicator = Indicator("gdp", "地区生产总值", unit, calibre, period_type)
        return series_of(indicator, [observed(period, raw, unit) for period, raw in values.items()], breaks=breaks)

    return make
