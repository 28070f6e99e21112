"""What is measured: an indicator with all that makes two of its values comparable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kaozheng.documents.units import Unit, unit_named


class Calibre(StrEnum):
    """At which prices: those of the year (现价), or those of a base year (可比价). "" where prices play no part."""

    CURRENT = "现价"
    COMPARABLE = "可比价"
    NONE = ""


class PeriodType(StrEnum):
    """What a value of a period covers: the period itself, the year up to its end, or the state at its end."""

    SINGLE = "当期"
    CUMULATIVE = "累计"
    END = "年末"


class Direction(StrEnum):
    """Whether more is better. Nothing that ranks or scores takes `NEUTRAL` for an answer."""

    MORE = "正向"
    LESS = "逆向"
    NEUTRAL = "中性"


@dataclass(frozen=True, slots=True)
class Indicator:
    """An indicator: `key` is its stable id, `unit` the one its values are kept in (亿元, %), `owner` the department
    that answers for it. GDP 现价 and GDP 可比价 are two indicators; so are a quarter's value 当期 and 累计."""

    key: str
    name: str
    unit: str
    calibre: Calibre = Calibre.NONE
    period_type: PeriodType = PeriodType.SINGLE
    direction: Direction = Direction.NEUTRAL
    owner: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def measure(self) -> Unit:
        """Its unit as dimension, canonical unit and factor."""
        return unit_named(self.unit)

    @property
    def is_rate(self) -> bool:
        """Whether its values are rates (%, ‰), whose differences are points and not per cent."""
        return self.measure.dimension in ("ratio", "permille")

    def names(self) -> frozenset[str]:
        """All names by which a table may call it."""
        return frozenset((self.name, *self.aliases))
