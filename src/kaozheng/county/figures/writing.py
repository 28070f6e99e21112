"""How a value is written: rounded, with its unit, and with a word of direction where it is a change."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal, localcontext
from typing import Final

from kaozheng.documents.units import unit_named

PENDING: Final = "〔待核〕"
"""What stands where a number could not be rendered."""
_DIGITS: Final = 60
_WORDS_ZH: Final = {"ratio": ("增长", "下降"), "permille": ("增长", "下降"), "points": ("提高", "下降")}
_WORDS_EN: Final = {"ratio": ("grew", "fell"), "permille": ("grew", "fell"), "points": ("rose by", "fell by")}
_POINTS_EN: Final = {"个百分点": "percentage points", "百分点": "percentage points"}


@dataclass(frozen=True, slots=True)
class Rounded:
    """A value to a number of decimals, half up (away from zero). `tie`: it lay exactly between two; `vanished`: it is
    not zero and is written as zero."""

    value: Decimal
    tie: bool = False
    vanished: bool = False


def rounded(value: Decimal, decimals: int) -> Rounded:
    """The value to so many decimals."""
    step = Decimal(1).scaleb(-decimals)
    with localcontext(prec=max(_DIGITS, value.adjusted() + decimals + 2)):
        up, down = (value.quantize(step, rounding=way) for way in (ROUND_HALF_UP, ROUND_HALF_DOWN))
        return Rounded(abs(up) if up.is_zero() else up, up != down, up.is_zero() and not value.is_zero())


def amount(value: Decimal, unit: str, language: str) -> str:
    """6.1%, 379.45亿元, 第3位; 37,945 yuan, 0.7 percentage points, 3rd."""
    if unit == "位":
        return f"第{value:f}位" if language == "zh" else f"{value:f}{_ordinal(int(value))}"
    if language == "zh":
        return f"{value:f}{unit}"
    said = _POINTS_EN.get(unit, unit)
    return f"{value:,f}{' ' if said[0].isalpha() and said[0].isascii() else ''}{said}"


def change(value: Rounded, unit: str, language: str, recedes: bool = False) -> str:
    """增长6.1%, 减少0.3万人, 提高0.4个百分点, 持平. With `recedes` points fall back (回落): a rate of growth."""
    if value.value.is_zero():
        if language == "zh":
            return "基本持平" if value.vanished else "持平"
        return "hardly changed" if value.vanished else "did not change"
    word = _word(unit, value.value < 0, language)
    said = amount(abs(value.value), unit, language)
    if language == "zh":
        return f"{'回落' if recedes and word == '下降' and _dimension(unit) == 'points' else word}{said}"
    return f"{word} {said}"


def _word(unit: str, down: bool, language: str) -> str:
    words = _WORDS_ZH if language == "zh" else _WORDS_EN
    otherwise = ("增加", "减少") if language == "zh" else ("rose by", "fell by")
    return words.get(_dimension(unit), otherwise)[down]


def _dimension(unit: str) -> str:
    return "points" if unit == "个千分点" else unit_named(unit).dimension


def _ordinal(place: int) -> str:
    if place % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
