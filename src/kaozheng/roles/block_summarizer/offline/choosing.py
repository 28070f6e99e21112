"""Which statements make the summary: the most worth for the room that they take, none twice, none without its need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kaozheng.roles.block_summarizer.offline.likeness import Likeness
from kaozheng.roles.block_summarizer.offline.statements import Statement

if TYPE_CHECKING:
    from kaozheng.roles.block_summarizer.offline.likeness import Floats

_ROOM: Final = 0.8
"""Power of the tokens by which worth is divided: 0 takes the best whatever they cost, 1 the most for each token."""
_ALIKE: Final = 0.6
_SAME: Final = 0.85  # cosine from which two say the same


def chosen(said: Sequence[Statement], worth: Floats, likeness: Likeness, room: int, avoid: Floats) -> list[int]:
    """The places of the statements, in order. `avoid` is how much of each is said elsewhere already, 0.0 to 1.0.
    Never above `room` tokens unless the best single statement is."""
    import numpy as np

    sayable = [at for at, one in enumerate(said) if one.alone] or [at for at, one in enumerate(said) if one.kind != "cell"]
    told = avoid.copy()
    taken: set[int] = set()
    left = room
    open_ = np.zeros(len(said), dtype=bool)
    open_[sayable] = True
    tokens = np.array([one.tokens for one in said], dtype=float)
    while True:
        # What a statement needs is paid for with it, unless it stands already.
        gain = np.where(open_, worth - _ALIKE * told * np.abs(worth), -np.inf)
        cost = tokens.copy()
        for at in np.flatnonzero(open_):
            if said[at].needs:
                cost[at] += sum(said[need].tokens for need in said[at].needs if need not in taken)
        fits = open_ & (told < _SAME) & (cost <= left)
        if not fits.any():
            break
        ratio = np.where(fits, gain / cost**_ROOM, -np.inf)
        best = int(ratio.argmax())
        if not np.isfinite(ratio[best]):
            break
        for at in (*said[best].needs, best):
            if at not in taken:
                taken.add(at)
                open_[at] = False
                left -= said[at].tokens
                told = np.maximum(told, likeness.to(at))
    if not taken and sayable:
        return [max(sayable, key=lambda at: worth[at])]
    return sorted(taken)
