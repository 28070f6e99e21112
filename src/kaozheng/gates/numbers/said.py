"""A paragraph taken apart: its numbers, and the periods, regions and indicators that it names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, TypeVar

from kaozheng.evidence.numbers import Number
from kaozheng.gates.numbers.periods import When
from kaozheng.gates.numbers.places import Where
from kaozheng.gates.numbers.vocabulary import What
from kaozheng.indicators.period import Period

M = TypeVar("M", When, Where, What)
SEGMENT: Final = re.compile(r"[，,。;:、()!?\n]")
CLAUSE: Final = re.compile(r"[，。;!?\n]")
SENTENCE: Final = re.compile(r"[。;!?\n]")
WINDOW: Final = 400
"""How many characters back the beginning of a sentence is looked for."""
_MOST: Final = 40
"""How many mentions back a number may look."""
_JOIN: Final = re.compile(r"\s?(?:[、和与及]|以及)\s?")


@dataclass(frozen=True, slots=True)
class Said:
    """`text` has half-width digits. `region`, `period` and `what` hold where none is named: those of the heading or of
    the report."""

    text: str
    numbers: Sequence[Number]
    whens: Sequence[When]
    wheres: Sequence[Where]
    whats: Sequence[What]
    region: str = ""
    period: Period | None = None
    what: What | None = None
    counties: frozenset[str] = frozenset()
    """The codes of all counties today: what a place in the prefecture or the province is among."""

    def since(self, place: int) -> int:
        """Where the number before this one ends, or as far as is looked."""
        before = self.numbers[place - 1].span.end if place else 0
        return max(before, self.numbers[place].span.start - WINDOW)

    def bare(self, start: int, end: int) -> str:
        """What stands before a number, without the regions and periods in it."""
        kept, at = [], start
        mentions: list[When | Where] = [*before(self.whens, end), *before(self.wheres, end)]
        for mention in sorted(mentions, key=lambda mention: mention.span):
            if at <= mention.span.start and mention.span.end <= end:
                kept.append(self.text[at : mention.span.start])
                at = mention.span.end
        return re.sub(r"[末底]?的?\s?$", "", "".join([*kept, self.text[at:end]]))


def start_of(stops: re.Pattern[str], text: str, end: int, least: int) -> int:
    """Where what follows the last stop before `end` begins, no earlier than `least` and no further than `WINDOW`."""
    at = max(least, end - WINDOW)
    for found in stops.finditer(text, at, end):
        at = found.end()
    return at


def before(mentions: Sequence[M], at: int) -> Sequence[M]:
    """The last mentions that end before a place."""
    count = bisect_right(mentions, at, key=lambda mention: mention.span.end)
    return mentions[max(0, count - _MOST) : count]


def joined(text: str, mentions: Sequence[M]) -> list[M]:
    """The last mentions of a row that are joined by 、 or 和."""
    if not mentions:
        return []
    group = [mentions[-1]]
    for one in reversed(mentions[:-1]):
        if not _JOIN.fullmatch(text[one.span.end : group[0].span.start]):
            break
        group.insert(0, one)
    return group


def with_shared_units(numbers: Sequence[Number], text: str) -> list[Number]:
    """0.482、0.463、0.451吨标准煤/万元: in a row the unit of the last number is that of those that have none."""
    shared = list(numbers)
    for place in range(len(shared) - 2, -1, -1):
        first, second = shared[place], shared[place + 1]
        bare = not first.dimension and second.dimension and second.written and first.text[-1:].isdigit()
        if bare and _JOIN.fullmatch(text[first.span.end : second.span.start]):
            factor = _factor(second)
            value, step = first.value * factor, first.step * factor
            shared[place] = replace(first, value=value, step=step, unit=second.unit, dimension=second.dimension)
    return shared


def _factor(number: Number) -> Decimal:
    """What scale word and unit make of the digits of a number."""
    figure = re.search(r"\d+(?:\.\d+)?", number.text.replace(",", ""))
    digits = Decimal(figure[0]) if figure else Decimal(0)
    return abs(number.value) / digits if digits else Decimal(1)


def runs(said: Said) -> list[tuple[int, int]]:
    """For each number the first and last of the row that it stands in: a、b和c."""
    first, starts = 0, []
    for place, number in enumerate(said.numbers):
        if place and not _JOIN.fullmatch(said.text[said.since(place) : number.span.start]):
            first = place
        starts.append(first)
    last = {start: place for place, start in enumerate(starts)}
    return [(start, last[start]) for start in starts]
