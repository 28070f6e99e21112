"""Numbers of a statement about code: each must stand in the lines that it rests on, however it is written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import Final

from kaozheng.documents.units import UNITS, singular
from kaozheng.evidence.folding import HAN
from kaozheng.evidence.number_words import number_words
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.sources.code.claims import stands_in

_SMALL: Final = 10
_MOST_WIDTH, _MOST_READ, _MOST_DIGITS = 1_000, 40_000, 40
# Digits by themselves: `3600` of `3600s`, but not the `256` of `sha256`, which is part of a name.
_DIGITS = re.compile(
    r"0[xX][0-9a-fA-F]+|(?<![A-Za-z_\d])(?:\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)*(?:[eE][+-]?\d+(?![\w.]))?)"
)
_GROUPED = re.compile(r"(?<=\d)_(?=\d)")
_HAN_YEAR = re.compile(rf"^[{HAN}]{{4}}年$")
_FORMAL = dict(zip("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千", strict=True))
_FORMAL_RUN = re.compile(f"[{''.join(_FORMAL)}]{{2,}}")
_IDIOMS = frozenset({"百分之百", "三方", "两方", "四方"})
_THOUSANDS = re.compile(r"(\d{1,9})[kK](?![A-Za-z0-9])")
_NEXT = re.compile(r"[ -]?([a-z]+)")

_DOINGS = frozenset({"次", "遍", "倍", "人", "名", "time", "try", "retry", "attempt", "people", "person"})
"""What is counted here is what the code does, or who made it: behaviour, not what one sees in the code."""


def plain(text: str) -> str:
    """`text` with one form for each sign: full-width signs, ½, ㊷, other scripts' digits, 1_000, 肆拾贰."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)
        text = _FORMAL_RUN.sub(lambda run: "".join(_FORMAL[sign] for sign in run[0]), text)
    return _GROUPED.sub("", text)


class Figures:
    """The numbers that lines of code hold, whether in digits or in words. Most statements name few numbers, and reading
    prose costs a thousand times what reading digits does: so the rest is read only when the digits do not show it."""

    def __init__(self, lines: str) -> None:
        """`lines` went through `plain`; what stands far to the right in a line is data, and is not read."""
        self._lines = "\n".join(line[:_MOST_WIDTH] for line in lines.split("\n"))[:_MOST_READ]

    @cached_property
    def digits(self) -> frozenset[str]:
        """Digits as they are written, parts of `1,2` too; 3.11.4 is a 3.11 as well."""
        found = {one[0] for one in _DIGITS.finditer(self._lines)}
        found |= {part for one in found for part in one.split(",")}
        return frozenset(found | {".".join(one.split(".")[:2]) for one in found if one.count(".") > 1})

    @cached_property
    def _values(self) -> frozenset[Decimal]:
        return frozenset(value for one in self.digits if (value := _value(one)) is not None)

    @cached_property
    def _amounts(self) -> list[Number]:
        return [one for one in find_numbers(self._lines) if one.is_quantity]

    @cached_property
    def _said(self) -> frozenset[Decimal]:
        """What prose says: with scale words, in Chinese, in English."""
        spelled = {value for _, value in number_words(self._lines)}
        return frozenset({abs(one.written) for one in self._amounts} | spelled)

    def hold(self, value: Decimal) -> bool:
        """Whether the value stands there."""
        return value in self._values or value in self._said

    def hold_amount(self, number: Number) -> bool:
        """Whether the amount stands there: its figure, a share as a part of 1, or the same in another unit (5 s for
        5000ms)."""
        written = abs(number.written)
        if self.hold(written) or (number.unit == "%" and written / 100 in self._values):
            return True
        return any(one.unit == number.unit and abs(one.value) == abs(number.value) for one in self._amounts)


def unproven_number(prose: str, lines: str, listed: int) -> str:
    """The first number of `prose` that nobody finds in `lines` (both went through `plain`), as written; "" when all are
    there. A small count that is spelled out (two classes, 三个模块) says what the statement shows, not what the code
    says: it may stand, and so may any count of as many things as the statement lists (`listed`)."""
    shown = Figures(lines)
    amounts = [one for one in find_numbers(prose) if one.is_quantity]
    for found in _DIGITS.finditer(prose):
        amount = next((one for one in amounts if one.span.start <= found.start() < one.span.end), None)
        thousands = None if amount else _THOUSANDS.match(prose, found.start())
        if thousands:  # 5k is read as a name, as 4K of a screen is one
            there = shown.hold(Decimal(thousands[1]) * 1000) or stands_in(thousands[0], lines)
        else:
            there = shown.hold_amount(amount) if amount else _stands(found[0], shown)
        if not there:
            return amount.text.strip() if amount else (thousands or found)[0]
    for word, value, strict in _spelled(prose):
        lenient = not strict and (value <= _SMALL or value == listed)
        if not lenient and not shown.hold(value):
            return word
    return ""


def _stands(digits: str, shown: Figures) -> bool:
    value = _value(digits)
    return digits in shown.digits or (value is not None and shown.hold(value))


def _value(digits: str) -> Decimal | None:
    """The value of digits; None for a version of three parts and more, and for what is too long for an amount."""
    if digits[:2] in ("0x", "0X"):
        return Decimal(int(digits, 16)) if len(digits) <= _MOST_DIGITS else None
    bare = digits.replace(",", "")
    return Decimal(bare) if bare.count(".") < 2 and len(bare) <= _MOST_DIGITS else None


def _spelled(prose: str) -> Iterator[tuple[str, Decimal, bool]]:
    """Numbers in words: (as written, value, whether it is an amount or counts what the code does)."""
    for one in find_numbers(prose):
        if any(sign.isdigit() and sign.isascii() for sign in one.text):
            continue
        if one.is_quantity and one.text not in _IDIOMS:
            yield one.text, abs(one.written), one.dimension not in ("", "count") or one.unit in _DOINGS
        elif _HAN_YEAR.match(one.text):
            yield one.text, Decimal(int(one.value) // 10000), True
    for span, value in number_words(prose):
        following = _NEXT.match(prose, span.end)
        noun = singular(following[1]) if following else ""
        unit = UNITS.get(following[1]) if following else None
        measured = (unit is not None and unit.dimension != "count") or noun in _DOINGS
        yield prose[span.start : span.end], value, measured
