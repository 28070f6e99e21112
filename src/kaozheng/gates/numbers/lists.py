"""Which number of a row belongs to which name of a list: 甲、乙分别为 a、b."""

from __future__ import annotations

from kaozheng.gates.numbers import vocabulary as words
from kaozheng.gates.numbers.periods import Same, When
from kaozheng.gates.numbers.places import Where
from kaozheng.gates.numbers.said import Said, before, joined
from kaozheng.gates.numbers.vocabulary import What

Aligned = tuple[Where | What | None, Same | None]
"""What a number belongs to in the list of regions or indicators, and in that of periods."""


def aligned(said: Said, place: int, run: tuple[int, int]) -> Aligned | None:
    """What a number of a row (its first and last number) belongs to; of two lists whose lengths multiply, that of the
    one and the period of the other (甲、乙2023年、2024年分别为…). None where 分别 has no list of that length."""
    first, last = run
    count, start, own = last - first + 1, said.numbers[first].span.start, place - first
    if count < 2:
        return None, None
    whens = [when for when in before(said.whens, start) if len(when.stretches) > 1]
    regions = joined(said.text, [where for where in before(said.wheres, start) if not where.base])
    groups: list[list[Where] | list[What]] = [regions, joined(said.text, before(said.whats, start))]
    if found := _one_list(whens, groups, count, own):
        return found
    for group in groups:
        for when in whens:
            if len(group) > 1 and len(group) * len(when.stretches) == count:
                outer, inner = divmod(own, len(when.stretches))
                return group[outer], when.stretches[inner]
    apart = words.EACH.search(said.text, said.since(first), start)
    return None if apart else (None, None)


def _one_list(whens: list[When], groups: list[list[Where] | list[What]], count: int, own: int) -> Aligned | None:
    """Of the lists of this length the one that stands last."""
    lists: list[tuple[int, Aligned]] = [
        (when.span.start, (None, when.stretches[own])) for when in whens if len(when.stretches) == count
    ]
    lists += [(group[0].span.start, (group[own], None)) for group in groups if len(group) == count]
    return max(lists, key=lambda entry: entry[0])[1] if lists else None
