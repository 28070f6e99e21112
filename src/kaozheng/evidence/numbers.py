"""Numbers in Chinese and English prose, as values that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from kaozheng.documents.span import Span
from kaozheng.documents.units import CURRENCY_SIGNS, ENGLISH_SCALES, SCALES, UNITS, Unit, singular
from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.han_numbers import UNIT, Draft, han_drafts
from kaozheng.evidence.marks import Mark, find_marks

MARKS = frozenset({"date", "clock", "version", "docnum", "id"})


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a text.

    `value` is in the canonical unit of its dimension (3 km: 3000, "m", "length"); `written` is the number as written
    with its scale word (3.5万: 35000); `step` is what one of its last written digit is worth, in canonical units, and
    `digits` counts the written digits. `dimension` is "" without a unit, "count" for counted nouns, and for what is
    no quantity one of MARKS, whose `unit` is the one form to compare. `about` is "~", "<" or ">" for 约, 近, 超.
    """

    span: Span
    text: str
    value: Decimal
    unit: str
    dimension: str
    digits: int
    written: Decimal = Decimal(0)
    step: Decimal = Decimal(1)
    about: str = ""

    @property
    def is_quantity(self) -> bool:
        """Whether this is an amount and not a date, time of day, version, document number or id."""
        return self.dimension not in MARKS


_EN_SCALES = {
    **ENGLISH_SCALES,
    **dict.fromkeys(("k", "K"), Decimal(10**3)),
    "m": Decimal(10**6),
    **dict.fromkeys(("bn", "b"), Decimal(10**9)),
}
_HAN_SCALE = r"万亿|千万(?![瓦克米])|百万(?!瓦)|十万|亿|万|千(?![瓦克米字卡帕赫伏兆])|百(?![分帕])"
_FIGURE = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!,?\d)|\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?![A-Za-z\d]))?"
_SPACED = rf"\d{{1,3}}(?:[ \u00a0\u2009\u202f]\d{{3}})+(?:\.\d+)?(?!\d)(?=\s?(?:{_HAN_SCALE}|{UNIT}))"
_ARABIC = re.compile(
    rf"""(?:(?P<money>US\$|[¥$€£])\s?)?
    (?P<sign>(?<![\w%）)\].,])[-−+](?=\d)|(?<=[{HAN}])[-−+](?=\d))?
    (?<![\d.])(?P<figure>{_SPACED}|{_FIGURE})
    (?P<power>\s?[×xX]\s?10(?:\^-?\d+|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))?
    (?P<more>[余多几])?
    (?(money)(?P<big>[KMB](?![A-Za-z]))?|)
    (?:\s?(?P<scale>{_HAN_SCALE}|(?:thousand|million|billion|trillion|bn)(?![A-Za-z]))
      |(?P<letter>k(?![A-Za-z])|K(?=\s[a-z]{{3}})))?""",
    re.VERBOSE,
)
_TAIL = re.compile(rf"[余多]?[ \u00a0]?(?P<unit>{UNIT})(?![A-Za-z])|[ -](?P<noun>[a-z][a-z]+)(?![A-Za-z])")
_PER = re.compile(rf"\s?/\s?(?P<scale>{_HAN_SCALE})?\s?(?P<per>{UNIT}|[a-z]{{3,}})(?![A-Za-z])")
_NOT_NOUN_WORDS = """
of and or in on at to for the a an is are was were be been with by from as than that this it its per not no but if
so then when more less most times while which who what where how why will would can could should may might must have has
had do does did also only just other different new old first last next
"""
_NOT_NOUN = frozenset(_NOT_NOUN_WORDS.split())
_STOP = re.compile(r"[。；;!?\n]")
_ROUNDING_OF_PARTS = Decimal("0.2")
_RANGE = re.compile(r"\s?(?:[-—–~～至到]|to)\s?")
_BEFORE = re.compile(
    r"(?:(?P<near>约|大约|大概|将近|近|about|around|approximately|roughly|nearly|~|≈)"
    r"|(?P<up>(?<!不)超过|(?<!不)超|逾|突破|至少|不少于|不低于|(?<!不)大于|(?<!不)高于"
    r"|over|more than|at least|above|>|≥|>=)"
    r"|(?P<down>不足|至多|最多|不超过|不高于|不大于|小于|低于|少于"
    r"|under|less than|at most|up to|below|within|<|≤|<=))\s?$"
)
_AFTER = re.compile(r"\s?(?:(?P<near>左右|上下)|(?P<up>及?以上|or more)|(?P<down>以内|及?以下|之内|or less|or fewer))")
_ALONE = frozenset(
    "个种次些样般定起直下面方边旦切条件项步部级门本份张句段层名位场期批组对行列回块片道套章节轮人家句头面"
)
_NOT_TENTH = frozenset("立为功员果本都长绩熟就品交分效语因型形败")


def find_numbers(text: str) -> list[Number]:
    """All numbers, dates, versions, document numbers and ids of a text, in order and without overlaps.

    Spans are offsets into the text as given; widths are folded for reading only.
    """
    plain = narrow(text)
    marks = find_marks(plain)
    rest = _blanked(plain, marks)
    found = [_of_mark(mark, text) for mark in marks]
    end = 0
    candidates = [*_arabic(rest), *han_drafts(rest)]
    for draft in sorted(candidates, key=lambda draft: (draft.start, -draft.end)):
        if draft.start >= end and (number := _finish(draft, rest, text)):
            found.append(number)
            end = number.span.end
    found.sort(key=lambda number: number.span.start)
    return _structures(_share_units(found, plain), plain)


def _blanked(text: str, marks: Sequence[Mark]) -> str:
    pieces, at = [], 0
    for mark in marks:
        pieces += [text[at : mark.start], "\ufffc" * (mark.end - mark.start)]
        at = mark.end
    return "".join([*pieces, text[at:]])


def _of_mark(mark: Mark, text: str) -> Number:
    surface = text[mark.start : mark.end]
    digits = sum(character.isdigit() for character in surface)
    return Number(Span(mark.start, mark.end), surface, mark.value, mark.unit, mark.dimension, digits, mark.value)


def _arabic(text: str) -> Iterator[Draft]:
    for found in _ARABIC.finditer(text):
        figure = re.sub(r"[,\s\u00a0\u2009\u202f]", "", found["figure"])
        value = Decimal(figure)
        scale = _power(found["power"]) * SCALES.get(found["scale"] or "", Decimal(1))
        scale *= _EN_SCALES.get(found["scale"] or found["letter"] or (found["big"] or "").lower(), Decimal(1))
        exponent = value.as_tuple().exponent
        step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) * scale
        sign = -1 if found["sign"] in ("-", "−") else 1
        money = CURRENCY_SIGNS.get(found["money"] or "")
        yield Draft(
            found.start(),
            found.end(),
            sign * value * scale,
            step,
            sum(character.isdigit() for character in figure),
            ">" if found["more"] else "",
            Unit("money", money) if money else None,
        )


def _power(text: str | None) -> Decimal:
    if not text:
        return Decimal(1)
    exponent = text.partition("10")[2].lstrip("^").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return Decimal(1).scaleb(int(exponent)) if abs(int(exponent)) < 100 else Decimal(1)


def _finish(draft: Draft, plain: str, text: str) -> Number | None:
    """The draft with its unit; None where a Chinese numeral turns out to be part of a word (一个, 三次产业)."""
    unit, end = _unit(draft, plain)
    if draft.needs_unit and (unit is None or plain[draft.end : end].startswith(" ")):
        return None
    start = draft.start
    if unit is not None and unit.canonical in ("位", "名") and plain[start - 1 : start] == "第":
        start, unit = start - 1, Unit("rank", "位")
    if draft.one and unit is not None and (unit.dimension == "count" or unit.canonical in _ALONE):
        return None
    if draft.needs_unit and plain.startswith(("次产业", "年平均", "年来", "年间"), draft.end):
        return None
    unit = unit or Unit("", "")
    return Number(
        Span(start, end),
        text[start:end],
        draft.value * unit.factor,
        unit.canonical,
        unit.dimension,
        draft.digits,
        draft.value,
        draft.step * unit.factor,
        draft.about or _about(plain, start, end),
    )


def _unit(draft: Draft, plain: str) -> tuple[Unit | None, int]:
    if draft.unit is not None and draft.unit.dimension != "money":
        return draft.unit, draft.end
    tail = _TAIL.match(plain, draft.end)
    if tail is None:
        return draft.unit, draft.end
    if tail["noun"]:
        if tail["noun"] in _NOT_NOUN or draft.unit is not None:
            return draft.unit, draft.end
        return Unit("count", singular(tail["noun"])), tail.end()
    name = tail["unit"]
    if name == "成" and plain[tail.end() : tail.end() + 1] in _NOT_TENTH:
        return draft.unit, draft.end
    unit = UNITS[name]
    if draft.unit is not None:
        unit = draft.unit if unit.dimension != "money" else UNITS[name]
    per = _PER.match(plain, tail.end())
    if per:
        base = UNITS.get(per["per"]) or Unit("count", singular(per["per"]))
        factor = base.factor * SCALES.get(per["scale"] or "", Decimal(1))
        return Unit("rate", f"{unit.canonical}/{base.canonical}", unit.factor / factor), per.end()
    return unit, tail.end()


def _about(plain: str, start: int, end: int) -> str:
    found = _BEFORE.search(plain[max(0, start - 14) : start]) or _AFTER.match(plain, end)
    if not found:
        return ""
    return {"near": "~", "up": ">", "down": "<"}[found.lastgroup or "near"]


def _share_units(numbers: list[Number], plain: str) -> list[Number]:
    """180—200家: the first number of a range has the unit, and where it is smaller the scale word, of the second.
    1.05亿、合计2亿元: a bare 万 or 亿 before an amount of money in the same sentence is money too."""
    shared = list(numbers)
    for index in range(len(shared) - 2, -1, -1):
        first, second = shared[index], shared[index + 1]
        if first.dimension or not second.is_quantity or not second.dimension:
            continue
        between = plain[first.span.end : second.span.start]
        if _RANGE.fullmatch(between):
            factor = (second.value / second.written if second.written else Decimal(1)) * _scale_word(first, second)
        elif second.dimension == "money" and first.text[-1] in "万亿" and not _STOP.search(between):
            factor = second.value / second.written if second.written else Decimal(1)
        else:
            continue
        shared[index] = replace(
            first,
            value=first.value * factor,
            step=first.step * factor,
            unit=second.unit,
            dimension=second.dimension,
        )
    return shared


def _structures(numbers: list[Number], plain: str) -> list[Number]:
    """18.5:41.2:40.3: three parts or more that make 100 are in %."""
    said = list(numbers)
    first = 0
    for index in range(1, len(said) + 1):
        if index < len(said) and plain[said[index - 1].span.end : said[index].span.start].strip() == ":":
            continue
        parts = said[first:index]
        whole = sum((part.value for part in parts), Decimal(0))
        if len(parts) > 2 and not any(part.dimension for part in parts) and abs(whole - 100) <= _ROUNDING_OF_PARTS:
            said[first:index] = [replace(part, unit="%", dimension="ratio") for part in parts]
        first = index
    return said


def _scale_word(first: Number, second: Number) -> Decimal:
    """3～5万: what the first number borrows; 1 when it has a scale word itself or would become the larger one."""
    if first.written < 1 or not (first.text.isascii() and first.text[-1].isdigit()):
        return Decimal(1)
    figure = re.search(r"\d+(?:\.\d+)?", narrow(second.text).replace(",", ""))
    if figure is None or first.written > Decimal(figure[0]) or not Decimal(figure[0]):
        return Decimal(1)
    return abs(second.written) / Decimal(figure[0])
