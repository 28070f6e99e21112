"""Numbers written in Chinese characters: 一千二百户, 百分之五, 六成五, 翻两番, 百亿元左右; and fractions (占 1/3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaozheng.documents.units import SCALES, UNITS, Unit
from kaozheng.evidence.folding import HAN
from kaozheng.evidence.numerals import CHARACTERS, DIGITS, chinese_number

UNIT: Final = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
"""A pattern for all units, the longest first."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A number before its unit is looked for. `one` is a lone 一, which is rarely a number."""

    start: int
    end: int
    value: Decimal
    step: Decimal
    digits: int
    about: str = ""
    unit: Unit | None = None
    needs_unit: bool = False
    one: bool = False


_DIGITS: Final = CHARACTERS.replace("点", "")
_ONE_TO_NINE: Final = "一二三四五六七八九"
_SHARE: Final = Unit("ratio", "%")
_SHARES: Final = {Decimal(100): _SHARE, Decimal(1000): Unit("permille", "‰")}
_PARTS: Final = re.compile(rf"(?P<whole>百|千|[二两三四五六七八九十])分之(?P<part>[{CHARACTERS}]+|\d+(?:\.\d+)?)")
_FRACTION: Final = re.compile(
    r"(?:(?P<said>[占达近约超过逾足到至为的])\s?|(?<![\d./]))(?P<part>[1-9]\d?)/(?P<whole>[1-9]\d?)(?![\d/]|\.\d)"
    r"(?(said)|(?=\s?(?:的|以[上下]|左右|强|弱)))"
)
"""占达 1/3, 1/3 的: without such a word it may be a day, a page or a rate."""
_TENTHS: Final = re.compile(
    rf"(?<![{CHARACTERS}\d.])(?P<tenths>[{_ONE_TO_NINE}1-9])成(?P<more>[{_ONE_TO_NINE}半1-9])"
    rf"(?![{CHARACTERS}\d.是些般线定方产]|{UNIT}|[年月日])"
)
_FOLD: Final = re.compile(rf"翻(?:了|上)?(?P<about>近|约|超过?)?(?P<times>[{_ONE_TO_NINE}两1-9])番(?P<more>多|有余)?")
_STEP_OF_FOLD: Final = Decimal("0.1")
_POWER: Final = r"(?:[十百千]?万|[十百千万]?亿|千(?![瓦克米])|百(?!分))(?!级)"
_CLASS: Final = r"户|(?:以上|以下)?(?:的)?(?:企业|项目|产业|集群|园区|工程|镇|村)|GDP|地区|工业|增加值|产值"
"""What makes a threshold of an amount: 亿元企业, 百亿级, 万元GDP."""
_ROUGH: Final = re.compile(
    rf"(?P<rough>(?<![附最])近|(?<![签节合制集特预履违契])约|超过?|逾)(?P<scale>{_POWER})(?=余?(?:{UNIT})(?!{_CLASS}))"
)
_ROUND: Final = re.compile(
    rf"(?:(?P<reached>突破|达到?|(?<![超通经不])过)|(?<![{CHARACTERS}\d近约超逾过数几上]))(?P<scale>{_POWER})"
    rf"(?(reached)(?=余?(?:{UNIT})(?!{_CLASS}))|(?=余?(?:{UNIT})(?:左右|上下|大关)|余(?:{UNIT})))"
)
_HAN_NUMBER: Final = re.compile(
    rf"(?<![{CHARACTERS}数几上])(?:(?<!第)|(?<![放摆][在到]第)(?=[{_DIGITS}]{{1,4}}[位名](?![{HAN}])))"
    rf"[{_DIGITS}](?:[{CHARACTERS}]*[{_DIGITS}])?(?P<more>[余多几])?"
)
_PLACE_NAME: Final = re.compile(r"[台门步枝道层](?:[县区](?![级域内间])|市(?![级场内民])|[山镇乡])")
"""三台县, 九台区, 八步区, 五台山: a name and no count."""


def han_drafts(text: str) -> Iterator[Draft]:
    """The numbers in characters of a text of half-width digits; they may overlap: the longest at a place is meant."""
    yield from _parts(text)
    yield from _tenths(text)
    yield from _folds(text)
    yield from _rough(text)
    yield from _numerals(text)


def _parts(text: str) -> Iterator[Draft]:
    """百分之五, 三分之一, 占 1/3."""
    for found in _PARTS.finditer(text):
        part, whole = (_number(found[name]) for name in ("part", "whole"))
        if part is not None and whole in _SHARES:
            step = Decimal("0.1") if "点" in found["part"] else Decimal(1)
            yield Draft(*found.span(), part, step, len(found["part"]), unit=_SHARES[whole])
        elif part is not None and whole:
            yield _fraction(found.span(), part, whole)
    for found in _FRACTION.finditer(text):
        part, whole = Decimal(found["part"]), Decimal(found["whole"])
        if part < whole:
            yield _fraction((found.start("part"), found.end()), part, whole)


def _fraction(span: tuple[int, int], part: Decimal, whole: Decimal) -> Draft:
    share = (part * 100 / whole).quantize(Decimal("0.0001"))
    return Draft(*span, share, Decimal("0.01"), 1, unit=_SHARE)


def _number(written: str) -> Decimal | None:
    return Decimal(written) if written[0].isascii() else chinese_number(written)


def _tenths(text: str) -> Iterator[Draft]:
    """六成五 is 65%."""
    for found in _TENTHS.finditer(text):
        tenths, more = (
            5 if digit == "半" else int(DIGITS.get(digit, digit)) for digit in found.group("tenths", "more")
        )
        yield Draft(*found.span(), Decimal(10 * tenths + more), Decimal(1), 2, unit=_SHARE)


def _folds(text: str) -> Iterator[Draft]:
    """翻一番 is twice what it was, 翻两番 four times."""
    for found in _FOLD.finditer(text):
        about = ">" if found["more"] else {"近": "<", "约": "~", None: ""}.get(found["about"], ">")
        times = Decimal(2) ** int(DIGITS.get(found["times"], found["times"]))
        yield Draft(*found.span(), times, _STEP_OF_FOLD, 1, about, Unit("times", "倍"))


def _rough(text: str) -> Iterator[Draft]:
    """近万户, 突破百亿元, 千亩左右, 百余家: a scale word that stands for one of its kind."""
    for found in _ROUGH.finditer(text):
        about = {"近": "<", "约": "~"}.get(found["rough"], ">")
        scale = _scale(found["scale"])
        yield Draft(*found.span(), scale, scale, 1, about, needs_unit=True)
    for found in _ROUND.finditer(text):
        scale = _scale(found["scale"])
        above = found["reached"] == "过" or text.startswith("余", found.end())
        yield Draft(*found.span("scale"), scale, scale, 1, ">" if above else "", needs_unit=True)


def _scale(word: str) -> Decimal:
    return SCALES.get(word) or chinese_number(word) or Decimal(1)


def _numerals(text: str) -> Iterator[Draft]:
    for found in _HAN_NUMBER.finditer(text):
        numeral = found[0].rstrip("余多几")
        value = chinese_number(numeral)
        if value is None or numeral[0] in "百千万亿" or _PLACE_NAME.match(text, found.end()):
            continue
        strong = len(numeral) > 1 and any(character in "十百千万亿点" for character in numeral)
        yield Draft(
            *found.span(),
            value,
            _step(numeral),
            len(numeral),
            ">" if found["more"] else "",
            needs_unit=not (strong and len(numeral) > 2),
            one=numeral == "一",
        )


def _step(numeral: str) -> Decimal:
    if "点" in numeral:
        fraction = numeral.partition("点")[2]
        digits = fraction.rstrip("万亿千百")
        return Decimal(1).scaleb(-len(digits)) * SCALES.get(fraction[len(digits) :], Decimal(1))
    return SCALES.get(numeral[-1], Decimal(10) if numeral[-1] == "十" else Decimal(1))
