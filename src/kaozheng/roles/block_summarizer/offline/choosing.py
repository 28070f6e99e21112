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
    """How much of each statement was told already, 0.0 to 1.0; 1.0 only where one says nothing new."""

    def __init__(self, said: Sequence[Statement], likeness: Likeness) -> None:
        import numpy as np

        self._said = said
        self._likeness = likeness
        self.shares: Floats = np.zeros(len(said))

    def add(self, place: int) -> None:
        """The statement at `place` is told."""
        self._add(self._said[place].text, self._likeness.to(place))

    def add_text(self, text: str) -> None:
        """A text is told elsewhere."""
        self._add(text, self._likeness.to_text(text))

    def _add(self, text: str, alike: Floats) -> None:
        import numpy as np

        for place in np.flatnonzero(alike >= _PERHAPS_SAME).tolist():
            again = repeated([text, self._said[place].text])
            alike[place] = 1.0 if again else _DIFFERS
        self.shares = np.maximum(self.shares, alike)


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
        gain[~open_ | (told.shares >= 1.0) | (costs.each > left)] = -1.0
        best = int(gain.argmax())
        if gain[best] < 0:
            break
        left -= int(costs.each[best])
        for place in (*said[best].needs, best):
            if place not in taken:
                taken.add(place)
                open_[place] = False
                costs.without(place)
                told.add(place)
    return sorted(taken) or _best([place for place in sayable if told.shares[place] < 1.0], said, worth)


def _sayable(said: Sequence[Statement]) -> list[int]:
    """What may be said; what points at something that is not there only where there is nothing else."""
    found = [place for place, one in enumerate(said) if one.sayable]
    return [place for place in found if not said[place].lost] or found


def _best(places: Sequence[int], said: Sequence[Statement], worth: Floats) -> list[int]:
    """Where nothing fits the best one that needs no other; where all need one, the best with it."""
    if not places:
        return []
    best = max([place for place in places if not said[place].needs] or places, key=lambda place: worth[place])
    return [*said[best].needs, best]


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
