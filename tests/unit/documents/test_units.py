"""What the heads of tables call a unit, and which two of them measure the same."""

from decimal import Decimal

import pytest

from kaozheng.documents.units import Unit, unit_named


@pytest.mark.parametrize(
    ("label", "unit"),
    [
        ("亿元", Unit("money", "元", Decimal(10**8))),
        ("万亿元", Unit("money", "元", Decimal(10**12))),
        (" 万 元 ", Unit("money", "元", Decimal(10**4))),
        ("元／人", Unit("money/count", "元/人")),
        ("万元/人", Unit("money/count", "元/人", Decimal(10**4))),
        ("千瓦时", Unit("energy", "kWh")),
        ("万千瓦时", Unit("energy", "kWh", Decimal(10**4))),
        ("千克", Unit("mass", "g", Decimal(1000))),
        ("千公顷", Unit("area", "m²", Decimal(10**7))),
        ("万吨标准煤", Unit("coal", "吨标准煤", Decimal(10**4))),
        ("万吨当量", Unit("", "吨当量", Decimal(10**4))),
        ("billion yuan", Unit("money", "元", Decimal(10**9))),
        ("percentage points", Unit("points", "个百分点")),
        ("吨标准煤/万元", Unit("coal/money", "吨标准煤/元", Decimal("0.0001"))),
        ("人/平方公里", Unit("count/area", "人/m²", Decimal("0.000001"))),
        ("万km²", Unit("area", "m²", Decimal(10**10))),
        ("万人", Unit("count", "人", Decimal(10**4))),
        ("%", Unit("ratio", "%")),
        ("％", Unit("ratio", "%")),
        ("百分点", Unit("points", "个百分点")),
        ("万美元", Unit("money", "美元", Decimal(10**4))),
        ("上年=100", Unit("", "上年=100")),
        ("万", Unit("", "", Decimal(10**4))),
        ("/人", Unit("", "/人")),
        ("", Unit("", "")),
    ],
)
def test_a_label_is_a_scale_and_a_unit(label, unit):
    assert unit_named(label) == unit
