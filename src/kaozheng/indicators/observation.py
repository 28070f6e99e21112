"""One value of one indicator for one region and period, or the reason that there is none."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from kaozheng.documents.units import unit_named
from kaozheng.indicators.period import Period
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.region import Region


class Missing(StrEnum):
    """Why there is no value. Yearbooks write these marks; what each means is said in their notes."""

    NO_DATA = "no_data"  # blank: not known, or not collected
    NOTHING = "nothing"  # —: there is none of it, so it adds nothing to a total
    TOO_SMALL = "too_small"  # …: less than half of the last place that the table shows
    WITHHELD = "withheld"  # kept back for confidentiality
    UNREADABLE = "unreadable"  # something is written that is no number
    CONTRADICTED = "contradicted"  # one source and revision says two different values

    @property
    def explains(self) -> bool:
        """Whether it says why there is none, so that nobody is asked for a value."""
        return self in (Missing.NOTHING, Missing.TOO_SMALL, Missing.WITHHELD)

    @property
    def meaning(self) -> Reason:
        """What it says to a reader."""
        return _MEANING[self]


_MEANING: Final = {
    Missing.NO_DATA: Reason("没有数据", "no data"),
    Missing.NOTHING: Reason("没有此项", "there is none of it"),
    Missing.TOO_SMALL: Reason("不足最小单位", "less than the last place that is shown"),
    Missing.WITHHELD: Reason("不公布", "withheld"),
    Missing.UNREADABLE: Reason("无法辨认", "unreadable"),
    Missing.CONTRADICTED: Reason("前后矛盾", "contradicted"),
}

_MARKS: Final = {
    **dict.fromkeys(
        ("", "NA", "N/A", "n/a", "na", "nan", "NaN", "null", "无数据", "缺", "缺失", "不详"), Missing.NO_DATA
    ),
    **dict.fromkeys(("-", "--", "—", "——", "–", "－", "―", "无"), Missing.NOTHING),
    **dict.fromkeys(("…", "……", "...", "⋯"), Missing.TOO_SMALL),
    **dict.fromkeys(("*", "**", "×", "x", "X", "保密", "涉密"), Missing.WITHHELD),
}


def missing_mark(raw: str) -> Missing | None:
    """Why the cell holds no value, by the marks of the yearbooks; None when it holds something else.

    "0.0" is a value (it rounds to zero), and "#" says 其中: a part of the row above, not a value that is missing.
    """
    return _MARKS.get("".join(raw.split()))


@dataclass(frozen=True, slots=True)
class Observation:
    """A cell of a source: `raw` as written, `value` in `unit` with the digits that were written, or `missing`.

    `vintage` is when the source was published, in a form that sorts ("2023", "2024-03-26"); `source` names table and
    cell.
    Raises ValueError when there is both a value and a reason for none, or neither, or a value that is not finite.
    """

    region: Region
    indicator: str
    period: Period
    raw: str
    value: Decimal | None
    unit: str
    source: str
    vintage: str = ""
    missing: Missing | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.missing is None):
            raise ValueError(f"{self.source}: either a value or the reason that there is none, not {self.raw!r}")
        if self.value is not None and not self.value.is_finite():
            raise ValueError(f"{self.source}: {self.value} is no value")


def converted(value: Decimal, unit: str, to: str) -> Decimal | None:
    """The value in another unit of the same measure, None when the units measure different things.

    A power of ten moves the decimal point only: 3.5亿元 is 3.5E+4 万元, still known to one decimal of an 亿 only.
    """
    given, wanted = unit_named(unit), unit_named(to)
    if (given.dimension, given.canonical) != (wanted.dimension, wanted.canonical):
        return None
    if given.factor == wanted.factor:
        return value
    ratio = (given.factor / wanted.factor).normalize()
    if ratio.as_tuple().digits == (1,):
        return value.scaleb(ratio.adjusted())
    return value * given.factor / wanted.factor


def step_of(value: Decimal) -> Decimal:
    """What one of the last written digit is worth: 0.1 for 340.0, 1000 for 3.5E+4."""
    return Decimal(1).scaleb(int(value.as_tuple().exponent))
