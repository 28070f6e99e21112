"""How alike statements are, and how central each is: sparse tf-idf, never a matrix of all with all."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kaozheng.documents.characters import HAN
from kaozheng.sources.ranking import FUNCTION_TERMS, terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_HAN = re.compile(f"[{HAN}]")
_DAMPING: Final = 0.85
_ROUNDS: Final = 30
_NEAR: Final = 1e-4


class Likeness:
    """Statements as vectors of length 1 over their terms. Building is linear in the terms."""

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np  # 0.1 s to load

        self._size = len(texts)
        counted = [Counter(term for term in terms(text) if term not in FUNCTION_TERMS) for text in texts]
        found = Counter(term for bag in counted for term in bag)
        self._columns = {term: column for column, term in enumerate(found)}
        df = np.fromiter(found.values(), float, len(found))
        self._idf = np.log((self._size + 1) / (df + 0.5))
        lengths = [len(bag) for bag in counted]
        self._rows = np.repeat(np.arange(self._size), lengths)
        self._of = np.fromiter((self._columns[term] for bag in counted for term in bag), int, sum(lengths))
        tf = np.fromiter((count for bag in counted for count in bag.values()), float, sum(lengths))
        raw = (1 + np.log(tf)) * self._idf[self._of] if len(tf) else tf
        norms = np.sqrt(np.bincount(self._rows, raw * raw, self._size))
        self._values = raw / np.where(norms > 0, norms, 1.0)[self._rows]
        self._starts = np.concatenate([[0], np.cumsum(lengths)]).astype(int)

    def to(self, index: int) -> Floats:
        """The cosine of each statement with the one at `index`."""
        import numpy as np

        own = slice(self._starts[index], self._starts[index + 1])
        dense = np.zeros(len(self._columns))
        dense[self._of[own]] = self._values[own]
        return self._times(dense)

    def to_text(self, text: str) -> Floats:
        """The cosine of each statement with a text; terms that no statement has count for nothing."""
        import numpy as np

        dense = np.zeros(len(self._columns))
        for term in dict.fromkeys(terms(text)):
            if term in self._columns:
                dense[self._columns[term]] = self._idf[self._columns[term]]
        norm = float(np.sqrt(dense @ dense))
        return self._times(dense / norm) if norm else np.zeros(self._size)

    def share_of(self, wanted: str) -> Floats:
        """How much of what is wanted each statement speaks of, whatever its length: 1.0 for the one that has most of
        its telling terms, 0.0 where none is shared. Function words tell nothing."""
        import numpy as np

        dense = np.zeros(len(self._columns))
        found = dict.fromkeys(terms(wanted))
        for term in [one for one in found if FUNCTION_TERMS.isdisjoint((one, *_HAN.findall(one)))] or list(found):
            for column in self._columns_of(term):
                dense[column] = self._idf[column]
        shares = np.bincount(self._rows, dense[self._of], self._size).astype(float)
        top = float(shares.max(initial=0.0))
        return shares / top if top else shares

    def centrality(self) -> Floats:
        """PageRank over the likenesses, 0.0 to 1.0 for the most central. A round is linear in the terms, since the
        matrix is never made: it is the product of the vectors with themselves."""
        import numpy as np

        ones = np.ones(self._size)
        own = np.bincount(self._rows, self._values**2, self._size)
        degree = self._with_all(ones) - own
        share = np.where(degree > 0, 1.0 / np.where(degree > 0, degree, 1.0), 0.0)
        rank = ones / max(1, self._size)
        for _ in range(_ROUNDS):
            sent = rank * share
            following = (1 - _DAMPING) / self._size + _DAMPING * (self._with_all(sent) - own * sent)
            following /= following.sum()
            done = float(np.abs(following - rank).sum()) < _NEAR
            rank = following
            if done:
                break
        top = float(rank.max(initial=0.0))
        return rank / top if top else rank

    def to_previous(self, groups: Sequence[int]) -> Floats:
        """Of each statement how many of its terms the one before it in its group has too, by the size of both: 0.0 to
        about 1.0. `groups` has one for each statement."""
        import numpy as np

        found = np.zeros(self._size)
        before: frozenset[int] = frozenset()
        for at in range(self._size):
            own = frozenset(self._of[self._starts[at] : self._starts[at + 1]].tolist())
            if at and groups[at] == groups[at - 1]:
                found[at] = len(own & before) / math.sqrt(1 + len(own) * len(before))
            before = own
        return found

    def _columns_of(self, term: str) -> list[int]:
        """The column of a term; of a lone Han all pairs that it is part of, since it is no term of a longer run."""
        if len(term) == 1 and _HAN.match(term):
            return [column for other, column in self._columns.items() if term in other]
        return [self._columns[term]] if term in self._columns else []

    def _with_all(self, weights: Floats) -> Floats:
        import numpy as np

        return self._times(np.bincount(self._of, self._values * weights[self._rows], len(self._columns)).astype(float))

    def _times(self, dense: Floats) -> Floats:
        import numpy as np

        return np.bincount(self._rows, self._values * dense[self._of], self._size).astype(float)
