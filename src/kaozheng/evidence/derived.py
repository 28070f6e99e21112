"""Numbers that a sentence works out from two numbers of its evidence, and says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from kaozheng.evidence.numbers import Number

_ONE = 1  # what is one more or one less is any neighbour of a number
_MOST = 60  # numbers of the evidence that are tried against each other
_SUM = re.compile(
    r"合计|共|总计|总共|总额|总数|之和|加起来|累计|\b(?:total|sum|combined|together|altogether|in all)\b", re.I
)
_DIFFERENCE = re.compile(
    r"相差|之差|差[额距值]|差了|增加|减少|增长|下降|降低|提高|[多少][出了]|[更比][^，。；]{0,12}[多少高低早晚长短]|间隔|历时|缩短|延长|净增"
    r"|\b(?:difference|more than|less than|fewer|higher|lower|increas\w+|decreas\w+|rose|fell|grew|drop\w*|gap|apart"
    r"|later|earlier|longer|shorter|exceed\w*)\b",
    re.I,
)
_RATIO = re.compile(
    r"占|比[例重]|倍|增[长幅]|降幅|翻[一两]?番"
    r"|\b(?:percent of|per cent of|% of|share|ratio|times|twice|double\w*|proportion)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Derived:
    """A number of a sentence (`said`, as written) and how it comes from two of the evidence ("30万元 + 20万元"), which
    are written there as `parts` say."""

    said: str
    how: str
    parts: tuple[str, ...] = ()


def derived(number: Number, sentence: str, sources: Sequence[Number]) -> Derived | None:
    """How the number follows from two numbers of one unit, when the sentence speaks of a sum, difference or share;
    None when it does not. Rounded to the last digit that is written."""
    amounts = _distinct(sources)[:_MOST]
    ways = [way for pattern, way in ((_SUM, _sums), (_DIFFERENCE, _differences)) if pattern.search(sentence)]
    for first, second in combinations(amounts, 2):
        if (first.dimension, first.unit) != (second.dimension, second.unit):
            continue
        if (number.dimension, number.unit) in ((first.dimension, first.unit), ("", "")):
            for way in ways:
                for value, how in way(first, second):
                    if abs(value - abs(number.value)) <= number.step / 2:
                        return Derived(number.text.strip(), how, (first.text, second.text))
        if number.dimension in ("ratio", "times", "points") and _RATIO.search(sentence):
            for value, how in _shares(first, second, number.dimension):
                if abs(value - abs(number.value)) <= number.step / 2:
                    return Derived(number.text.strip(), how, (first.text, second.text))
    return None


def _distinct(sources: Sequence[Number]) -> list[Number]:
    """The quantities, each value once."""
    kept: dict[tuple[str, str, Decimal], Number] = {}
    for number in sources:
        if number.is_quantity and number.dimension and abs(number.written) > _ONE:
            kept.setdefault((number.dimension, number.unit, abs(number.value)), number)
    return list(kept.values())


def _sums(first: Number, second: Number) -> Iterator[tuple[Decimal, str]]:
    yield abs(first.value) + abs(second.value), f"{_said(first)} + {_said(second)}"


def _differences(first: Number, second: Number) -> Iterator[tuple[Decimal, str]]:
    less, more = sorted((first, second), key=lambda number: abs(number.value))
    yield abs(more.value) - abs(less.value), f"{_said(more)} - {_said(less)}"


def _shares(first: Number, second: Number, dimension: str) -> Iterator[tuple[Decimal, str]]:
    less, more = sorted((first, second), key=lambda number: abs(number.value))
    small, large = abs(less.value), abs(more.value)
    if dimension == "times":
        yield large / small, f"{_said(more)} / {_said(less)}"
    elif dimension == "ratio" and first.dimension != "ratio":
        yield 100 * small / large, f"{_said(less)} / {_said(more)}"
        yield 100 * (large - small) / small, f"({_said(more)} - {_said(less)}) / {_said(less)}"
        yield 100 * (large - small) / large, f"({_said(more)} - {_said(less)}) / {_said(more)}"
    elif dimension == "points" and first.dimension == "ratio":
        yield large - small, f"{_said(more)} - {_said(less)}"


def _said(number: Number) -> str:
    return " ".join(number.text.split())
