"""The name of one observation: `gdp.511083.2024`, `revenue.511083.2024Q3`, and of one revision `…@2024-03-26`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

from kaozheng.errors import InputError
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.period import Period, read_period

KEY: Final = r"[a-z][a-z0-9_]{0,62}"
"""What an indicator's key looks like: it is written into texts, file names and columns."""
_ROW: Final = re.compile(
    rf"(?P<indicator>{KEY})\.(?P<region>\d{{6}})\.(?P<period>\d{{4}}(?:Q[1-4]|-\d\d)?)(?:@(?P<vintage>[\w.-]{{1,32}}))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, order=True)
class RowId:
    """Which value is meant: indicator, code of the region, period; without a `vintage` the one published last."""

    indicator: str
    region: str
    period: Period
    vintage: str = ""

    @classmethod
    def of(cls, observation: Observation) -> Self:
        """The name of an observation, without its vintage."""
        return cls(observation.indicator, observation.region.code, observation.period)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The name that a text writes. Raises InputError for what is none."""
        found = _ROW.fullmatch(text.strip())
        if found is None:
            raise InputError(f"{text!r} names no row: indicator.region.period, as gdp.511083.2024 or gdp.511083.2024Q3")
        period, _ = read_period(found["period"])
        return cls(found["indicator"], found["region"], period, found["vintage"] or "")

    def __str__(self) -> str:
        return f"{self.indicator}.{self.region}.{self.period}" + (f"@{self.vintage}" if self.vintage else "")
