"""Indicators that are themselves rates of growth: 地区生产总值增速 is that of 地区生产总值."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.indicators.indicator import Indicator

_SUFFIX: Final = re.compile(r"(?:同比|环比)?(?:增速|增长速度|增长率|增长|增幅|增减率)$|\s(?:growth|growth rate)$")


def grown(indicator: Indicator) -> frozenset[str]:
    """The names of what it is the growth of; none when it is no rate of growth."""
    if not indicator.is_rate:
        return frozenset()
    return frozenset(name[: found.start()] for name in indicator.names() if (found := _SUFFIX.search(name)))
