"""Which statements make the summary: the most worth for the room that they take, none twice, none without its need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from kaozheng.evidence.repetition import repeated
from kaozheng.roles.block_summarizer.offline.likeness import Likeness
from kaozheng.roles.block_summarizer.offline.statements import Statement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ROOM: Final = 1.0
"""Power of the tokens by which worth is divided: 0 takes the best whatever they cost, 1 the most for each token."""
_ALIKE: Final = 0.3
"""Of a statement's worth that is gone when another has just its words."""
_PERHAPS_SAME: Final = 0.7  # cosine from which is looked whether two say the same
_DIFFERS: Final = 0.5
"""How alike two count at most that say different things with the same words: another number, the opposite."""
_LEAST: Final = 0.1
"""Worth below which a statement is not said merely because some room is left, where half of all are worth more."""


class Told:
    """What was told already, here or elsewhere, and how much of each statement that is, 0.0 to 1.0."""

    def __init__(self, said: Sequence[Statement], likeness: Likeness) -> None:
        import numpy as np

        self._said = said
        self._likeness = likeness
        self._places: list[int] = []
        self._texts: dict[int, list[str]] = defaultdict(list)
        self.shares: Floats = np.zeros(len(said))

    def add(self, place: int) -> None:
        """The statement at `place` is told."""
        self._places.append(place)
        self._add(self._likeness.to(place))

    def add_text(self, text: str) -> None:
        """A text is told elsewhere."""
        alike = self._likeness.to_text(text)
        for place in (alike >= _PERHAPS_SAME).nonzero()[0].tolist():
            self._texts[place].append(text)
        self._add(alike)

    def has(self, place: int) -> bool:
        """Whether the statement at `place` says nothing new. Looked at for one that is about to be told, not for each
        that has the same words: a log has thousands of those."""
        alike = self._likeness.to(place)
        near = [self._said[other].text for other in self._places if alike[other] >= _PERHAPS_SAME]
        near += self._texts.get(place, [])
        return bool(near) and len(near) in repeated([*near, self._said[place].text])

    def _add(self, alike: Floats) -> None:
        import numpy as np

        self.shares = np.maximum(self.shares, np.where(alike >= _PERHAPS_SAME, _DIFFERS, alike))


def chosen(said: Sequence[Statement], worth: Floats, told: Told, room: int) -> list[int]:
    """The places of the statements, in order; what `told` has already is not said again. What a statement needs comes
    with it and is paid for. Never above `room` tokens unless the best single statement (with what it needs) is."""
    import numpy as np

    sayable = _sayable(said)
    if not sayable:
        return []
    scarce = sum(said[place].tokens for place in sayable) > room
    least = min(_LEAST, float(np.median(worth[sayable]))) if scarce else 0.0
    open_ = np.zeros(len(said), dtype=bool)
    open_[sayable] = worth[sayable] >= least
    costs = _Costs(said)
    taken: set[int] = set()
    left = room
    while True:
        gain = worth * (1 - _ALIKE * told.shares) / costs.each**_ROOM
        gain[~open_ | (costs.each > left)] = -1.0
        best = int(gain.argmax())
        if gain[best] < 0:
            break
        open_[best] = False
        if told.has(best):
            continue
        left -= int(costs.each[best])
        for place in (*said[best].needs, best):
            if place not in taken:
                taken.add(place)
                open_[place] = False
                costs.without(place)
                told.add(place)
    return sorted(taken) or _best(sayable, said, worth, told)


def _sayable(said: Sequence[Statement]) -> list[int]:
    """What may be said, each wording once; what points at something that is not there only where there is nothing
    else."""
    first: dict[str, int] = {}
    for place, one in enumerate(said):
        if one.sayable and (one.text not in first or said[first[one.text]].lost):
            first[one.text] = place
    found = sorted(first.values())
    return [place for place in found if not said[place].lost] or found


def _best(places: Sequence[int], said: Sequence[Statement], worth: Floats, told: Told) -> list[int]:
    """Where nothing fits the best one that needs no other; where all need one, the best with it."""
    ranked = sorted(places, key=lambda place: (bool(said[place].needs), -worth[place]))
    best = next((place for place in ranked if not told.has(place)), None)
    return [] if best is None else [*said[best].needs, best]


class _Costs:
    """What each statement costs in tokens, with what it needs and does not stand yet."""

    def __init__(self, said: Sequence[Statement]) -> None:
        import numpy as np

        self._tokens = [max(1, one.tokens) for one in said]
        self._needed_by: dict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(said):
            for need in one.needs:
                self._needed_by[need].append(place)
        self.each: Floats = np.array([self._with(place, one.needs) for place, one in enumerate(said)], dtype=float)

    def without(self, place: int) -> None:
        """The statement at `place` stands now."""
        for other in self._needed_by.pop(place, ()):
            self.each[other] -= self._tokens[place]

    def _with(self, place: int, needs: Iterable[int]) -> int:
        return self._tokens[place] + sum(self._tokens[need] for need in needs)
