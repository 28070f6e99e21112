from __future__ import annotations

import pytest

from kaozheng.evidence.numerals import chinese_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10), ("十二", 12), ("二十", 20), ("一百零五", 105), ("二百五", 250), ("三万五", 35000),
        ("三万零五", 30005),
        ("一百零五万", 1050000), ("二十三亿五千万", 2350000000), ("二〇二一", 2021), ("两千", 2000), ("百", 100),
    ],
)  # fmt: skip
def test_value(text: str, value: int) -> None:
    assert chinese_number(text) == value


def test_decimal_with_scale() -> None:
    assert str(chinese_number("一点二万")) == "12000.0"


@pytest.mark.parametrize("text", ["", "一二十", "点五", "五点", "十百"])
def test_no_numeral_gives_none(text: str) -> None:
    assert chinese_number(text) is None
