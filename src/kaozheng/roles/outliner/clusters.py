"""Grouping texts by the words that they share."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.sources.ranking import TfIdf


def clusters(texts: Sequence[Sequence[str]], wanted: int) -> list[tuple[list[int], int]]:
    """`texts` (their terms) in `wanted` groups: the places of each group in order, and its most central place.

    The two most alike groups join until few enough are left; likeness is the mean over all pairs (average linkage), and
    groups that would outgrow twice their fair share join last.
    """
    import numpy as np  # 0.1 s to load; a plan of a few texts does without

    table = TfIdf(texts)
    number = len(texts)
    alike = np.zeros((number, number))
    for a in range(number):
        for b in range(a + 1, number):
            alike[a, b] = alike[b, a] = table.similarity(a, b)
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
    return [(group, group[int(alike[np.ix_(group, group)].sum(axis=1).argmax())]) for group in groups]
