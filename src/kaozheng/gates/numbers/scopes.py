"""Among which regions a place is: 居全市第3位 is among the counties of the prefecture, 全省 of the province."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.evidence.numbers import Number
from kaozheng.gates.numbers.places import UNKNOWN, Where
from kaozheng.gates.numbers.said import CLAUSE, Said, before, start_of

_LEADS: Final = re.compile(r"[居列排在为于是]$")
_TO_PLACE: Final = re.compile(r"[居列]|位[居列]|排(?!名|位|序)")
_OF_PROVINCE: Final = re.compile(r"全[省川]|四川")
_OF_PREFECTURE: Final = re.compile(r"[全我本]市")


def is_place(number: Number) -> bool:
    """Whether a number is a place: 第3位, 第三名."""
    return number.dimension == "rank"


def with_scopes(said: Said) -> Said:
    """The paragraph with the mentions marked that say among which regions a place is. They are not what is spoken of:
    a name is such a mention behind 居 or 在 only, 全市 also where nothing but 排名 stands between it and the place."""
    marked: set[Span] = set()
    for number in said.numbers:
        if is_place(number):
            clause = start_of(CLAUSE, said.text, number.span.start, 0)
            named = [where for where in before(said.wheres, number.span.start) if where.span.start >= clause]
            marked.update(where.span for where in named if _is_scope(said, where, number.span.start))
    return replace(said, wheres=[replace(one, scope=one.span in marked) for one in said.wheres]) if marked else said


def _is_scope(said: Said, where: Where, at: int) -> bool:
    text = said.text[where.span.start : where.span.end]
    collective = text.startswith(("全", "我", "本"))
    if not (collective or text.startswith("四川") or all(code.endswith("00") for code in where.codes)):
        return False
    if _LEADS.search(said.text, max(0, where.span.start - 1), where.span.start):
        return True
    between = any(where.span.end <= what.span.start < at for what in said.whats)
    return collective and not between and not _TO_PLACE.search(said.text, where.span.end, at)


def among_of(said: Said, place: int, regions: frozenset[str]) -> frozenset[str]:
    """The codes of the counties among which a place of these regions is said to be, {UNKNOWN} where no county is meant;
    empty where the text does not say."""
    at = said.numbers[place].span.start
    clause = start_of(CLAUSE, said.text, at, 0)
    scopes: Sequence[Where] = [one for one in before(said.wheres, at) if one.scope and one.span.start >= clause]
    if not scopes:
        return frozenset()
    prefixes = _prefixes(said.text[scopes[-1].span.start : scopes[-1].span.end], scopes[-1].codes, regions)
    return frozenset(code for code in said.counties if code.startswith(prefixes)) or frozenset({UNKNOWN})


def _prefixes(text: str, codes: frozenset[str], regions: frozenset[str]) -> tuple[str, ...]:
    """How the codes of the counties of a scope begin: those of 全市 as the regions that the place is of."""
    if _OF_PROVINCE.match(text):
        return tuple(sorted({region[:2] for region in regions}))
    if _OF_PREFECTURE.match(text):
        return tuple(sorted({region[:4] for region in regions}))
    return tuple(sorted(code.removesuffix("00").removesuffix("00") for code in codes if code.endswith("00")))
