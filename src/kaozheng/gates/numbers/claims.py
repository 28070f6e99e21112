"""What each number of a paragraph says: of which indicator, region and period, and in which direction."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, TypeVar

from kaozheng.documents.span import Span
from kaozheng.evidence.numbers import Number
from kaozheng.gates.numbers import vocabulary as words
from kaozheng.gates.numbers.periods import COMPARISONS, Same, When, same
from kaozheng.gates.numbers.places import Where
from kaozheng.gates.numbers.vocabulary import What
from kaozheng.indicators.period import Period

_STOPS: Final = re.compile(r"[，,。;:、()!?\n]")
_COMMAS: Final = re.compile(r"[，。;!?\n]")
_ENDS: Final = re.compile(r"[。;!?\n]")
_JOIN: Final = re.compile(r"\s?(?:[、和与及]|以及)\s?")
_ADJACENT: Final = re.compile(r"[末底]?的?(?:仅|约|为)?")
_FROM: Final = re.compile(r"(?:由|从)(?:的|年)?$")
_OF_WHOLE: Final = re.compile(r"(?:占|相当于|占到|占全部)$")
_ONTO: Final = re.compile(r"(?:[至到]|调整为|变为)[的了]?\s?$")


M = TypeVar("M", When, Where, What)
_WINDOW: Final = 400
"""How many characters back the beginning of a sentence is looked for."""
_MOST: Final = 40
"""How many mentions back a number may look."""


@dataclass(frozen=True, slots=True)
class Said:
    """A paragraph taken apart. `text` has half-width digits; `report` is the region and period that hold where none is
    named."""

    text: str
    numbers: Sequence[Number]
    whens: Sequence[When]
    wheres: Sequence[Where]
    whats: Sequence[What]
    region: str = ""
    period: Period | None = None
    what: What | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One number with what it is said of. `value` has the sign of the word of direction; `towards` is the direction of
    a level that is reached (增至: 1). An empty `regions` or `periods` is one that nobody can know."""

    number: Number
    value: Decimal
    span: Span
    changes: bool
    rate: bool
    towards: int
    levels: frozenset[str]
    growths: frozenset[str]
    regions: frozenset[str]
    periods: Same
    single: bool
    against: frozenset[str]
    wholes: frozenset[str]
    bases: frozenset[Period]
    foreign: str = ""
    unaligned: bool = False
    clause: str = ""
    sentence: str = ""
    origin: Claim | None = field(default=None)


def claims(said: Said) -> list[Claim]:
    """The claims of a paragraph, one a number."""
    reader = _Reader(said)
    made: list[Claim] = []
    for place in range(len(said.numbers)):
        made.append(reader.claim(place, made[-1] if made else None))
    return made


class _Reader:
    def __init__(self, said: Said) -> None:
        self.said = said
        self.runs = _runs(said)

    def claim(self, place: int, before: Claim | None) -> Claim:
        said, number = self.said, self.said.numbers[place]
        at = number.span.start
        since = said.numbers[place - 1].span.end if place else 0
        segment = max(since, _last(_STOPS, said.text, at, since))
        clause = max(since, _last(_COMMAS, said.text, at, since))
        sentence = _last(_ENDS, said.text, at, 0)
        tail = self._without_mentions(segment, at)
        changes, sign, towards, word = self._direction(tail, segment, number.span)
        origin = before if before and _ONTO.search(tail) and self._comes_from(place - 1) else None
        when = self._when(place, since, clause)
        periods, single = self._periods(place, when)
        what, foreign = self._what(place, clause)
        aligned = self._aligned(place)
        if isinstance(aligned, When):
            periods = aligned.stretches[self._place_in_run(place)]
        regions = self._regions(place, sentence, aligned if isinstance(aligned, Where) else None)
        if isinstance(aligned, What):
            what = aligned
        end = _ENDS.search(said.text, number.span.end)
        return Claim(
            number=number,
            value=number.value * sign,
            span=Span(word if changes or towards else at, number.span.end),
            changes=changes,
            rate=(words.RATE.search(tail) or words.RATE_BEHIND.match(said.text, number.span.end)) is not None,
            towards=towards,
            levels=what.levels if what and not foreign else frozenset(),
            growths=what.growths if what and not foreign else frozenset(),
            regions=regions,
            periods=periods,
            single=single,
            against=self._against(clause, at),
            wholes=self._wholes(clause, at),
            bases=self._bases(place, sentence, periods),
            foreign=foreign,
            unaligned=aligned is False,
            clause=said.text[_last(_COMMAS, said.text, at, 0) : number.span.end],
            sentence=said.text[sentence : end.start() if end else len(said.text)],
            origin=origin,
        )

    def _without_mentions(self, start: int, end: int) -> str:
        """What stands before a number, without the regions and periods in it."""
        kept, at = [], start
        mentions: list[When | Where] = [*_before(self.said.whens, end), *_before(self.said.wheres, end)]
        for mention in sorted(mentions, key=lambda mention: mention.span):
            if at <= mention.span.start and mention.span.end <= end:
                kept.append(self.said.text[at : mention.span.start])
                at = mention.span.end
        return re.sub(r"[末底]?的?\s?$", "", "".join([*kept, self.said.text[at:end]]))

    def _direction(self, tail: str, start: int, number: Span) -> tuple[bool, int, int, int]:
        """Whether the number is a change, its sign, where a level goes to, and where the word stands."""
        at = number.start
        found = words.CHANGE.search(tail)
        if found:
            sign = -1 if found["down"] else 1
            word = self.said.text.rfind(found["down"] or found["up"], start, at)
            return (False, 1, sign, word) if found["to"] else (True, sign, 0, word)
        if any(start <= where.span.start and where.span.end <= at for where in _before(self.said.wheres, at)):
            beside = words.BESIDE.search(self.said.text, start, at)
            if beside:
                return True, -1 if beside["down"] else 1, 0, beside.start()
        if behind := words.BEHIND.match(self.said.text, number.end):
            return True, -1 if behind["down"] else 1, 0, at
        if self.said.text[at : at + 1] in ("+", "-") and not words.RATE.search(tail):
            return tail.endswith(("同比", "环比")) or self.said.text[at - 1 : at] == "(", 1, 0, at
        return False, 1, 0, at

    def _comes_from(self, place: int) -> bool:
        number = self.said.numbers[place]
        since = self.said.numbers[place - 1].span.end if place else 0
        return _FROM.search(self._without_mentions(since, number.span.start)) is not None

    def _when(self, place: int, since: int, clause: int) -> When | None:
        """The period that a number is of: the last one named, but not one that is only compared with."""
        said, at = self.said, self.said.numbers[place].span.start
        end = self.said.numbers[place].span.end
        after = bisect_right(said.whens, end, key=lambda when: when.span.start)
        if after < len(said.whens) and said.whens[after].span.start == end + 1 and said.text[end] == "(":
            return said.whens[after]
        for when in reversed(_before(said.whens, at)):
            if said.text[when.span.start : when.span.end] in COMPARISONS:
                continue
            adjacent = _ADJACENT.fullmatch(said.text[when.span.end : at]) is not None
            if when.base and not adjacent:
                continue
            if when.relative and not (adjacent or (when.span.start >= max(since, clause))):
                continue
            return when
        return None

    def _periods(self, place: int, when: When | None) -> tuple[Same, bool]:
        said = self.said
        if when is None:
            periods = same(said.period) if said.period else frozenset[Period]()
            single = False
        else:
            periods, single = when.stretches[-1], when.single
        named = when is not None and _ADJACENT.fullmatch(said.text[when.span.end : said.numbers[place].span.start])
        if not named and self._comes_from(place) and self._goes_on(place):
            return frozenset(period.year_ago for period in periods), single
        return periods, single

    def _goes_on(self, place: int) -> bool:
        """Whether the next number is what this one became."""
        if place + 1 >= len(self.said.numbers):
            return False
        start, end = self.said.numbers[place].span.end, self.said.numbers[place + 1].span.start
        return _ONTO.search(self._without_mentions(start, end)) is not None

    def _what(self, place: int, clause: int) -> tuple[What | None, str]:
        said, number = self.said, self.said.numbers[place]
        end = number.span.end + said.text.startswith("的", number.span.end)
        after = bisect_right(said.whats, end - 1, key=lambda what: what.span.start)
        if after < len(said.whats) and said.whats[after].span.start == end:
            return said.whats[after], ""
        named = [one for one in _before(said.whats, number.span.start) if not self._is_whole(one)]
        last = named[-1] if named else said.what
        since = max(clause, *(one.span.end for one in _before(said.whats, number.span.start)), 0)
        return last, words.foreign(self._without_mentions(since, number.span.start))

    def _is_whole(self, what: What) -> bool:
        """Whether an indicator is what another is a part of: 占地区生产总值的."""
        return _OF_WHOLE.search(self.said.text, max(0, what.span.start - 4), what.span.start) is not None

    def _wholes(self, clause: int, at: int) -> frozenset[str]:
        """The indicators that the number is a part of."""
        wholes = [
            one.levels for one in _before(self.said.whats, at) if one.span.start >= clause and self._is_whole(one)
        ]
        return wholes[-1] if wholes else frozenset()

    def _regions(self, place: int, sentence: int, aligned: Where | None) -> frozenset[str]:
        said, at = self.said, self.said.numbers[place].span.start
        if aligned:
            return aligned.codes
        named = [where for where in _before(said.wheres, at) if not where.base]
        if not named:
            return frozenset({said.region}) if said.region else frozenset()
        group = _group(said.text, named)
        if len(group) == 1:
            return group[0].codes
        together = frozenset[str]().union(*(where.codes for where in group))
        if group[0].span.start < sentence and said.region in together:
            return frozenset({said.region})
        return together

    def _against(self, clause: int, at: int) -> frozenset[str]:
        """The regions that the number is compared with."""
        beside = [where for where in _before(self.said.wheres, at) if where.base and clause <= where.span.start]
        return beside[-1].codes if beside else frozenset()

    def _bases(self, place: int, sentence: int, periods: Same) -> frozenset[Period]:
        """The periods that a change may be against: the one that is named, else the year before and all that are."""
        said, at = self.said, self.said.numbers[place].span.start
        named = [when for when in _before(said.whens, at) if sentence <= when.span.start]
        against = [when for when in named if when.base]
        if against:
            return frozenset[Period]().union(*against[-1].stretches)
        mentioned = (stretch for when in _before(said.whens, at) for stretch in when.stretches)
        ago = (period.year_ago for period in periods)
        return frozenset[Period](ago).union(*mentioned)

    def _place_in_run(self, place: int) -> int:
        return place - self.runs[place][0]

    def _aligned(self, place: int) -> When | Where | What | bool | None:
        """Of 分别为 a、b: the mention of a list that this number belongs to; False where 分别 has no list of that
        length, None where the number stands alone."""
        first, last = self.runs[place]
        count, start = last - first + 1, self.said.numbers[first].span.start
        if count < 2:
            return None
        lists: list[tuple[int, When | Where | What]] = []
        for when in _before(self.said.whens, start):
            if len(when.stretches) == count:
                lists.append((when.span.start, when))
        regions = _group(self.said.text, [where for where in _before(self.said.wheres, start) if not where.base])
        indicators = _group(self.said.text, _before(self.said.whats, start))
        for group in (regions, indicators):
            if len(group) == count:
                lists.append((group[0].span.start, group[place - first]))
        if lists:
            return max(lists, key=lambda entry: entry[0])[1]
        since = self.said.numbers[first - 1].span.end if first else 0
        return False if words.EACH.search(self.said.text, since, start) else None


def _last(stops: re.Pattern[str], text: str, end: int, least: int) -> int:
    """Where what follows the last stop before `end` begins, no earlier than `least`."""
    at = least
    for found in stops.finditer(text, max(least, end - _WINDOW), end):
        at = found.end()
    return at


def _before(mentions: Sequence[M], at: int) -> Sequence[M]:
    """The last mentions that end before a place."""
    count = bisect_right(mentions, at, key=lambda mention: mention.span.end)
    return mentions[max(0, count - _MOST) : count]


def _group(text: str, mentions: Sequence[M]) -> list[M]:
    """The last mentions of a row that are joined by 、 or 和."""
    if not mentions:
        return []
    group = [mentions[-1]]
    for one in reversed(mentions[:-1]):
        if not _JOIN.fullmatch(text[one.span.end : group[0].span.start]):
            break
        group.insert(0, one)
    return group


def _runs(said: Said) -> list[tuple[int, int]]:
    """For each number the first and last of the row that it stands in: a、b和c."""
    first, runs = 0, []
    for place, number in enumerate(said.numbers):
        if place:
            before = said.numbers[place - 1]
            between = said.text[before.span.end : number.span.start]
            if not _JOIN.fullmatch(between):
                first = place
        runs.append(first)
    last: dict[int, int] = {start: place for place, start in enumerate(runs)}
    return [(start, last[start]) for start in runs]
