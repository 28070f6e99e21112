"""Names that are most like one that nobody has."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_CLOSE: Final = 0.6
_CLOSEST: Final = 3
_REMEMBERED: Final = 4096
"""Names: a table says the same unknown one in row after row."""


class CloseNames:
    """Finds among known names those that are most alike, by the longest common runs of characters (Ratcliff and
    Obershelp)."""

    def __init__(self, names: Iterable[str]) -> None:
        self._with: dict[str, list[str]] = {}
        for name in names:
            for character in set(name):
                self._with.setdefault(character, []).append(name)
        self.to = lru_cache(_REMEMBERED)(self._to)

    def _to(self, name: str) -> tuple[str, ...]:
        """The closest three, the closest first. Only names that share enough characters to be alike are compared: in
        whatever order these stand, no more of them can match."""
        shared: Counter[str] = Counter()
        for character, times in Counter(name).items():
            for known in self._with.get(character, ()):
                shared[known] += times
        alike = [known for known, count in shared.items() if 2 * count >= _CLOSE * (len(name) + len(known))]
        return tuple(difflib.get_close_matches(name, alike, _CLOSEST, _CLOSE))
