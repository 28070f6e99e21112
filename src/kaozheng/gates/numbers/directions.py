"""In which direction a number is said to go: 增长 6.1%, 降至 0.388, 由 a 回升至 b, 低于威远县 0.5 个百分点."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kaozheng.gates.numbers import vocabulary as words
from kaozheng.gates.numbers.said import Said, before

_FROM: Final = re.compile(r"(?:由|从)(?:的|年)?$")
_ONTO: Final = re.compile(r"(?:[至到]|调整为|变为)[的了]?\s?$")


@dataclass(frozen=True, slots=True)
class Course:
    """`changes`: the number is a change of this `sign`. `towards`: it is a level that was reached by going up (1) or
    down (-1). `word` is where the word for it stands."""

    word: int
    changes: bool = False
    sign: int = 1
    towards: int = 0


def course(said: Said, place: int, segment: int) -> Course:
    """The direction that stands before a number, since `segment`, or behind it."""
    span = said.numbers[place].span
    tail = said.bare(segment, span.start)
    if found := words.CHANGE.search(tail) or words.CHANGE_ENGLISH.search(said.text, segment, span.start):
        sign = -1 if found["down"] else 1
        word = said.text.rfind(found["down"] or found["up"], segment, span.start)
        return Course(word, towards=sign) if found["to"] else Course(word, True, sign)
    if any(segment <= where.span.start for where in before(said.wheres, span.start)):
        beside = words.BESIDE.search(said.text, segment, span.start)
        if beside:
            return Course(beside.start(), True, -1 if beside["down"] else 1)
    if behind := words.BEHIND.match(said.text, span.end):
        return Course(span.start, True, -1 if behind["down"] else 1)
    signed = said.text.startswith(("+", "-"), span.start) and not words.RATE.search(tail)
    return Course(span.start, signed and (tail.endswith(("同比", "环比")) or said.text[span.start - 1] == "("))


def comes_from(said: Said, place: int) -> bool:
    """Whether the number is what another came from: 由 a."""
    return _FROM.search(said.bare(said.since(place), said.numbers[place].span.start)) is not None


def goes_on(said: Said, place: int) -> bool:
    """Whether the next number is what this one became."""
    return place + 1 < len(said.numbers) and reaches(said, place + 1, said.numbers[place].span.end)


def reaches(said: Said, place: int, since: int) -> bool:
    """Whether a number is a level that was reached: 至 b, 调整为 b."""
    return _ONTO.search(said.bare(since, said.numbers[place].span.start)) is not None
