"""Years, quarters and months, joined by the calendar and never by their place in a list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kaozheng.errors import InputError

_YEARS: Final = (1900, 2100)
_QUARTERS: Final = {**dict(zip("一二三四", (1, 2, 3, 4), strict=True)), **{str(n): n for n in range(1, 5)}}
_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        rf"{_YEAR}年?度?",
        rf"{_YEAR}年?(?P<half>上半年)",
        rf"{_YEAR}年?(?P<to>前|1[-—–~～至到])(?P<quarter>[1-4一二三四])个?季度",
        rf"{_YEAR}年?-?[Qq](?P<quarter>[1-4])",
        rf"{_YEAR}年?第?(?P<quarter>[1-4一二三四])季度?",
        rf"{_YEAR}年?(?P<to>0?1月?[-—–~～至到])(?P<month>\d\d?)月份?",
        rf"{_YEAR}(?:年|[-/.]|(?=\d\d$))(?P<month>\d\d?)(?:月份?)?",
    )
)


class PeriodKind(StrEnum):
    """How long a period is."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"

    @property
    def in_a_year(self) -> int:
        """How many of them a year has."""
        return {PeriodKind.YEAR: 1, PeriodKind.QUARTER: 4, PeriodKind.MONTH: 12}[self]

    def of_year(self, year: int) -> tuple[Period, ...]:
        """All periods of this kind in a year. Raises ValueError for a year that is none."""
        if self is PeriodKind.YEAR:
            return (Period(year),)
        parts = range(1, self.in_a_year + 1)
        return tuple(Period(year, part) if self is PeriodKind.QUARTER else Period(year, month=part) for part in parts)


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A year, a quarter of it (`quarter` 1-4) or a month of it (`month` 1-12). Those of one kind are in order of time.

    Raises ValueError for a month and a quarter at once, or for one that no calendar has.
    """

    year: int
    quarter: int = 0
    month: int = 0

    def __post_init__(self) -> None:
        if not _YEARS[0] <= self.year <= _YEARS[1]:
            raise ValueError(f"{self.year} is no year of {_YEARS[0]}-{_YEARS[1]}")
        if not (0 <= self.quarter <= 4 and 0 <= self.month <= 12) or (self.quarter and self.month):
            raise ValueError(f"no period has quarter {self.quarter} and month {self.month}")

    @property
    def kind(self) -> PeriodKind:
        """Year, quarter or month."""
        if self.month:
            return PeriodKind.MONTH
        return PeriodKind.QUARTER if self.quarter else PeriodKind.YEAR

    @property
    def place(self) -> int:
        """Its number in the calendar of its kind: neighbours differ by one."""
        return self.year * self.kind.in_a_year + max(self.quarter, self.month, 1) - 1

    def shifted(self, by: int) -> Period:
        """The period of the same kind `by` steps later (earlier when negative). Raises ValueError beyond the years."""
        year, rest = divmod(self.place + by, self.kind.in_a_year)
        return Period(year, *((rest + 1,) if self.quarter else (0, rest + 1) if self.month else ()))

    @property
    def year_ago(self) -> Period:
        """The same period of the year before: the base of 同比."""
        return self.shifted(-self.kind.in_a_year)

    @property
    def previous(self) -> Period:
        """The period before: the base of 环比."""
        return self.shifted(-1)

    @property
    def zh(self) -> str:
        """2024年, 2024年三季度, 2024年5月."""
        if self.month:
            return f"{self.year}年{self.month}月"
        return f"{self.year}年{'一二三四'[self.quarter - 1]}季度" if self.quarter else f"{self.year}年"

    def __str__(self) -> str:
        if self.month:
            return f"{self.year}-{self.month:02d}"
        return f"{self.year}Q{self.quarter}" if self.quarter else str(self.year)


def read_period(text: str) -> tuple[Period, bool]:
    """The period that a text names, and whether it says that it counts from the start of the year.

    2024, 2024年, 2024Q3, 2024年三季度, 2024-05, 202405 and 2024年5月 are single; 2024年上半年, 2024年前三季度 and
    2024年1-5月 count from the start. Raises InputError for what names no period.
    """
    plain = "".join(text.split())
    for form in _FORMS:
        if found := form.fullmatch(plain):
            parts = found.groupdict()
            quarter = 2 if parts.get("half") else _QUARTERS.get(parts.get("quarter") or "", 0)
            try:
                period = Period(int(parts["year"]), quarter, int(parts.get("month") or 0))
            except ValueError:
                break
            if not parts.get("month") or period.month:
                return period, bool(parts.get("half") or parts.get("to"))
    raise InputError(f"{text!r} names no year, quarter or month")


def calendar(first: Period, last: Period) -> tuple[Period, ...]:
    """All periods from `first` to `last`, both included, with no hole. Raises ValueError when they differ in kind."""
    if first.kind != last.kind:
        raise ValueError(f"{first} and {last} are not of one kind")
    return tuple(first.shifted(step) for step in range(last.place - first.place + 1))
