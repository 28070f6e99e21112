"""How often and how many at once somebody may ask. Counted in this process; nothing is kept on disk."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Self

from kaozheng.errors import BusyError


class Pace:
    """A bucket of tokens for each name: `per_minute` of them flow in a minute, and as many fit in. `seconds` is a clock
    that never goes back."""

    def __init__(self, per_minute: int, seconds: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._seconds = seconds
        self._buckets: dict[str, tuple[float, float]] = {}

    def spend(self, who: str) -> None:
        """Take a token. Raises BusyError, with the time to the next one, when there is none."""
        now = self._seconds()
        left, at = self._buckets.get(who, (self._most, now))
        left = min(self._most, left + (now - at) * self._most / 60)
        self._buckets[who] = (max(0.0, left - 1) if left >= 1 else left, now)
        if left < 1:
            wait_s = (1 - left) * 60 / self._most
            raise BusyError(f"{self._most:.0f} requests a minute are allowed: again in {wait_s:.0f} s", wait_s)


class Places:
    """At most `each` of one name, and of all together as many as are under way at once (`at_once`) and may wait for
    that (`waiting`)."""

    def __init__(self, at_once: int, each: int, waiting: int) -> None:
        self._most, self._each = at_once + waiting, each
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """How many places are taken now."""
        return self._taken.total()

    def claim(self, who: str) -> Place:
        """A place, taken from now on. Raises BusyError."""
        if self._taken[who] >= self._each:
            raise BusyError(f"{self._each} answers at once are allowed: wait for one of yours to end")
        if self._taken.total() >= self._most:
            raise BusyError("too many questions are waiting: again in some seconds", 5.0, own=False)
        self._taken[who] += 1
        return Place(lambda: self._free(who))

    def _free(self, who: str) -> None:
        self._taken[who] -= 1
        if not self._taken[who]:
            del self._taken[who]


class Place:
    """A place that was claimed; given back at the end of `with`, or by `give_back`, once."""

    def __init__(self, free: Callable[[], None]) -> None:
        self._free: Callable[[], None] | None = free

    def give_back(self) -> None:
        """Free the place; nothing when it is free already."""
        free, self._free = self._free, None
        if free is not None:
            free()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.give_back()
