"""Digits that a writer typed itself where only references may stand."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from kaozheng.county.figures.reference import references
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.evidence.numerals import chinese_number

_YEARS: Final = re.compile(r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})年|[1-4一二三四]季度")
_LISTED: Final = re.compile(
    r"[一二两三四五六七八九十]{1,2}[个项大类份]"
    r"(?=文件|文本|地区|主体|指标|口径|时期|时点|季度|层级|过程|概念|数据|数值|情形|条件|途径|路径|结论|判断|来源|方面|环节|层面|维度|阶段|步骤|部分|重点|特点|问题|领域|角度|要素|建议|类别|关键|着力点|原因|难点|提升|转变)"
)
_ITEM: Final = re.compile(r"(?<=[;；。:：])\s?\d{1,2}[.、．)](?!\d)")
_HOTLINE: Final = re.compile(r"\d{3,5}(?=[一-鿿]{0,4}(?:热线|专线|平台))")
_PLACE: Final = re.compile(
    r"(?:(?<=列)|(?<=居)|(?<=排)|(?<=排名)|(?<=位次)|(?<=位次为)|(?<=全省)|(?<=全市)|(?<=全国)|(?=第[^，。；]{1,4}[位名]))"
    r"(?<![放摆]在)(?<![放摆]到)(?P<place>第\s?(?P<digits>\d{1,4}|[一二三四五六七八九十]{1,4})(?![次条章届期号产季批个类阶\d])[位名]?)"
)
_WORDS: Final = re.compile(
    r"[壹贰叁肆伍陆柒捌玖拾佰仟零万亿萬億]{2,}(?=元|整|家|人|户|吨|亩)"
    r"|翻[了上几]?番|[近约超]?过?[一]半(?=以上|左右|的|[，。；、企县人])|过半|半数"
    r"|(?<![一-鿿])(?:数|几|好几)(?:十|百|千|万|亿)+(?=[元家人户吨亩个])"
)
"""Amounts in words that no parser gives a value."""


def bare_numbers(text: str) -> list[Number]:
    """The numbers that stand in a text besides its references, in order. What is no figure is not among them: dates
    and years, document numbers, standards, clauses and ordinals (第三条), numbers of lists, figures and tables, codes,
    roads and techniques (G76, 5G, PM2.5), names with a unit in them (万元GDP), spans of years (近三年) and what is only
    listed (三个方面)."""
    pieces, at = [], 0
    for found in references(text):
        pieces += [text[at : found.span.start], "\ufffc" * len(found.span)]
        at = found.span.end
    plain = "".join([*pieces, text[at:]])
    return figures_in(plain)


def figures_in(text: str) -> list[Number]:
    """The numbers of a text that say how much, and those in words that have no value (`digits` is 0): 翻番, 过半."""
    plain = narrow(text)
    numbers = find_numbers(text)
    items = {found.end() for found in _ITEM.finditer(plain)}
    known = [
        number
        for number in numbers
        if number.is_quantity and not _is_listed(number, plain) and number.span.end + 1 not in items
    ]
    taken = bytearray(len(text))
    for number in numbers:
        taken[number.span.start : number.span.end] = b"\1" * len(number.span)
    for found in _WORDS.finditer(plain):
        if not any(taken[found.start() : found.end()]):
            known.append(_worded(text, *found.span()))
    known += _places(text, plain, known)
    for found in re.finditer(r"\d[\d.,]*", plain):
        if not any(taken[found.start() : found.end()]):
            known.append(_worded(text, *found.span()))
    return sorted(known, key=lambda number: number.span)


def _places(text: str, plain: str, known: list[Number]) -> list[Number]:
    """Ranks in words, and those without a unit: 第一位, 居全省第2."""
    places = []
    for found in _PLACE.finditer(plain):
        start, written = found.start("place"), found["digits"]
        value = Decimal(written) if written.isascii() else chinese_number(written)
        span = Span(start, found.end("place"))
        if value is not None and not any(number.span.overlaps(span) for number in known):
            places.append(Number(span, text[start : span.end], value, "位", "rank", len(written), value))
    return places


def _worded(text: str, start: int, end: int) -> Number:
    return Number(Span(start, end), text[start:end], Decimal(0), "", "words", 0)


def _is_listed(number: Number, plain: str) -> bool:
    """Whether it counts years or what the text goes on to list, or is the number of a telephone."""
    if number.dimension == "period" and _YEARS.fullmatch(number.text.strip()):
        return True
    return (_LISTED.match(plain, number.span.start) or _HOTLINE.match(plain, number.span.start)) is not None
