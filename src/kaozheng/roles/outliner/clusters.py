"""Grouping texts by the words that they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from kaozheng.sources.ranking import TfIdf

_COMPARED = 300
"""So many texts are compared each with each; more would take the square of the time."""

Group = tuple[list[int], int]
"""The places of its texts in order, and the most central of them."""


def clusters(texts: Sequence[Sequence[str]], wanted: int) -> list[Group]:
    """`texts` (their terms) in `wanted` groups: the places of each group in order, and its most central place.

    The two most alike groups join until few enough are left; likeness is the mean over all pairs (average linkage), and
    groups that would outgrow twice their fair share join last. Of many texts an even sample is grouped so; each other
    text joins the group that it is most like on average, as long as that one has room.
    """
    table = TfIdf(texts)
    number = len(texts)
    if number <= _COMPARED:
        return _linked(table, range(number), wanted)
    sample = [place * number // _COMPARED for place in range(_COMPARED)]
    others = sorted(set(range(number)).difference(sample))
    groups = [places for places, _ in _linked(table, sample, wanted)]
    _joined(table, groups, others, most=2 * -(-number // wanted))
    return [(sorted(places), _central(table, sorted(places))) for places in groups]


def _linked(table: TfIdf, places: Sequence[int], wanted: int) -> list[Group]:
    import numpy as np  # 0.1 s to load; a plan of a few texts does without

    number = len(places)
    alike = np.zeros((number, number))
    for a in range(number):
        for b in range(a + 1, number):
            alike[a, b] = alike[b, a] = table.similarity(places[a], places[b])
    members = [[place] for place in range(number)]
    sizes = np.ones(number)
    linked = alike.copy()
    most = 2 * -(-number // wanted)
    alive = list(range(number))
    while len(alive) > wanted:
        part = linked[np.ix_(alive, alive)] - 1.0 * (sizes[alive][:, None] + sizes[alive][None, :] > most)
        np.fill_diagonal(part, -np.inf)
        first, second = sorted(divmod(int(part.argmax()), len(alive)))
        a, b = alive[first], alive[second]
        linked[a, :] = (sizes[a] * linked[a, :] + sizes[b] * linked[b, :]) / (sizes[a] + sizes[b])
        linked[:, a] = linked[a, :]
        sizes[a] += sizes[b]
        members[a] += members[b]
        alive.remove(b)
    groups = [sorted(members[place]) for place in alive]
    central = [group[int(alike[np.ix_(group, group)].sum(axis=1).argmax())] for group in groups]
    return [([places[place] for place in group], places[middle]) for group, middle in zip(groups, central, strict=True)]


def _joined(table: TfIdf, groups: list[list[int]], others: Iterable[int], most: int) -> None:
    """Add each of `others` to a group with room. Changes `groups`; that they grow does not change what they are like,
    so the order of the others decides nothing but who finds a group full."""
    means = [_sum(table, places, 1 / len(places)) for places in groups]
    for place in others:
        vector = table.vector(place)
        ranked = sorted(range(len(groups)), key=lambda group: -_dot(vector, means[group]))
        groups[next(group for group in ranked if len(groups[group]) < most)].append(place)


def _central(table: TfIdf, places: Sequence[int]) -> int:
    """The text that is most like the others of its group: the likeness to their sum is the sum of the likenesses."""
    whole = _sum(table, places, 1.0)
    return max(places, key=lambda place: _dot(table.vector(place), whole))


def _sum(table: TfIdf, places: Iterable[int], weight: float) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    for place in places:
        for term, value in table.vector(place).items():
            total[term] += weight * value
    return dict(total)


def _dot(vector: Mapping[str, float], total: Mapping[str, float]) -> float:
    return sum(value * total[term] for term, value in vector.items() if term in total)
