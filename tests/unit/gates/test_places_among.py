"""Places in a text: 居全市第3位 is among all counties of the prefecture, 全省 among those of the province."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest

from kaozheng.county.figures.comparisons import differences, places
from kaozheng.county.figures.fact_sheet import FactSheet
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.gates.ground import Ground
from kaozheng.gates.numbers import numbers
from kaozheng.indicators.indicator import Calibre, Direction, Indicator, PeriodType
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region

YEAR = Period(2024)
COUNTIES = frozenset(one.code for one in sichuan().counties(2026))
NEIJIANG = frozenset(code for code in COUNTIES if code.startswith("5110"))
GDP = {"511083": "401.22", "511024": "390.88", "511025": "330.41", "511002": "412.5", "511011": "420"}
GROWTH = {"511083": "6.1", "511024": "5.6", "511025": "5.5", "511002": "5.4", "511011": "5.3"}
ENERGY = {"511083": "0.45", "511024": "0.44", "511025": "0.43", "511002": "0.42", "511011": "0.46"}


def indicator(key: str, name: str, unit: str, direction: Direction = Direction.MORE) -> Indicator:
    calibre = Calibre.COMPARABLE if key == "gdp_growth" else Calibre.CURRENT
    return Indicator(
        key, name, unit, calibre, PeriodType.CUMULATIVE, direction, "统计局", ("GDP",) if key == "gdp" else ()
    )


INDICATORS = (
    indicator("gdp", "地区生产总值", "亿元"),
    indicator("gdp_growth", "地区生产总值增速", "%"),
    indicator("energy", "单位地区生产总值能耗", "吨标准煤/万元", Direction.LESS),
)
UNITS = {one.key: one.unit for one in INDICATORS}


def row(key: str, code: str, value: str, period: Period = YEAR) -> Observation:
    names = {one.code: one.name for one in sichuan().counties(2026)}
    region = Region(code, period.year, names[code])
    return Observation(region, key, period, value, Decimal(value), UNITS[key], "年鉴", "2025")


def ground(gdp: Mapping[str, str], *more: Observation) -> Ground:
    given = (("gdp", gdp), ("gdp_growth", GROWTH), ("energy", ENERGY))
    rows = [row(key, code, value) for key, values in given for code, value in values.items()]
    sheet = FactSheet.of([*rows, *more], INDICATORS)
    derived = (*places(sheet, NEIJIANG, [NEIJIANG, COUNTIES], 2024), *differences(sheet, NEIJIANG, {2024}))
    facts = sheet.registering(derived)
    return Ground(facts, sichuan(), date(2026, 12, 1), region=Region("511083", 2024, "隆昌市"), period=YEAR)


def refused(text: str, ground: Ground) -> list[tuple[str, str]]:
    return [(finding.quote, finding.code) for finding in numbers(text, ground).findings]


@pytest.mark.parametrize(
    "text",
    [
        "2024年隆昌市地区生产总值居第3位。",
        "地区生产总值401.22亿元，居全市第3位。",
        "地区生产总值401.22亿元，居内江市第三位，常住情况平稳，地区生产总值401.22亿元。",
        "威远县地区生产总值在全市5个县（市、区）中居第4位。",
        "地区生产总值全市排名第3。",
        "地区生产总值增速居全市第1位。",
        "地区生产总值401.22亿元，增速居全市第1位。",
        "单位地区生产总值能耗居全市第4位。",
        "地区生产总值居全市第3位、在五个县（市、区）中居第3位，比资中县高70.81亿元。",
        "隆昌市与资中县地区生产总值相差70.81亿元。",
        "资中县地区生产总值330.41亿元，比隆昌市低70.81亿元。",
    ],
)
def test_a_true_place_or_difference_passes(text: str) -> None:
    assert refused(text, ground(GDP)) == []


@pytest.mark.parametrize(
    ("text", "quote", "code"),
    [
        ("地区生产总值居全市第2位。", "第2位", "number-differs"),
        ("威远县地区生产总值居全市第3位。", "第3位", "number-differs"),
        ("地区生产总值居全省第3位。", "第3位", "number-wrong-region"),
        ("地区生产总值居全国第3位。", "第3位", "number-wrong-region"),
        ("地区生产总值居全县第3位。", "第3位", "number-wrong-region"),
        ("地区生产总值居成都市第3位。", "第3位", "number-wrong-region"),
        ("内江市居全省第3位。", "第3位", "number-unmatched"),
        ("地区生产总值增速居全市第3位。", "第3位", "number-differs"),
        ("地区生产总值401.22亿元，增速居全市第3位。", "第3位", "number-differs"),
        ("地区生产总值居全市第1位。", "第1位", "number-differs"),
        ("单位地区生产总值能耗居全市第2位。", "第2位", "number-differs"),
        ("2023年地区生产总值居全市第3位。", "第3位", "number-unmatched"),
        ("地区生产总值比资中县低70.81亿元。", "低70.81亿元", "number-direction"),
        ("地区生产总值比威远县高70.81亿元。", "70.81亿元", "number-wrong-region"),
    ],
)
def test_a_false_place_or_difference_is_sent_back(text: str, quote: str, code: str) -> None:
    assert (quote, code) in refused(text, ground(GDP))


def test_a_wrong_place_is_told_with_the_true_one() -> None:
    (finding,) = numbers("地区生产总值居全市第2位。", ground(GDP)).findings
    assert "第3位（共 5 个）" in finding.reason.zh
    assert "亿元" not in finding.reason.zh


def test_a_place_in_the_prefecture_needs_a_value_of_every_county() -> None:
    some = ground({code: value for code, value in GDP.items() if code != "511002"})
    assert refused("地区生产总值居第2位。", some) == []
    (finding,) = numbers("地区生产总值居全市第2位。", some).findings
    assert "有 5 个县（市、区），只有 4 个有数值" in finding.reason.zh


def test_a_place_in_the_province_passes_when_all_its_counties_have_a_value() -> None:
    all_of_them = ground({code: "9999" for code in COUNTIES} | GDP)
    place = len(COUNTIES) - len(NEIJIANG) + 3
    assert refused(f"地区生产总值居全市第3位、全省第{place}位。", all_of_them) == []
    assert refused("地区生产总值居全省第3位。", all_of_them) == [("第3位", "number-differs")]


def test_what_follows_a_place_is_said_of_the_region_again() -> None:
    assert refused("地区生产总值居全市第3位，单位地区生产总值能耗0.45吨标准煤/万元。", ground(GDP)) == []


def test_a_sentence_after_a_part_of_the_year_may_be_of_the_year_of_the_report() -> None:
    quarters = row("gdp", "511083", "289.04", Period(2024, 3)), row("gdp", "511024", "280.5", Period(2024, 3))
    held = ground(GDP, *quarters)
    assert refused("前三季度地区生产总值289.04亿元。威远县地区生产总值390.88亿元。", held) == []
    assert refused("前三季度地区生产总值289.04亿元。威远县地区生产总值280.5亿元。", held) == []
    assert refused("前三季度地区生产总值289.04亿元，威远县地区生产总值390.88亿元。", held) == [
        ("390.88亿元", "number-wrong-period")
    ]
    assert refused("2024年地区生产总值401.22亿元。前三季度地区生产总值401.22亿元。", held) == [
        ("401.22亿元", "number-wrong-period")
    ]
