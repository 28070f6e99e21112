"""How much a regular expression may cost, told before it runs: Python cannot stop a match that is under way.

Repeats inside of repeats cost exponentially and are refused. Repeats beside each other cost a power of the line's
length, so the more of them there are, the less of a long line is searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kaozheng.errors import InputError

_WIDTHS = (2_000, 2_000, 600, 200, 100, 60)  # characters of a line, by the number of repeats
_MOST_CHOICES = 256
_FEW = 8  # a repeat of at most so many counts as choices, not as a repeat


def searched_width(query: str) -> int:
    """How many characters of a line the pattern may see so that a line costs under a second. InputError: it could cost
    for ever on any line."""
    parsed: Any = getattr(re, "_parser").parse(query)  # noqa: B009 - not in the type stubs
    repeats, choices = 0, 1
    for kind, low, high, nested in _forks(parsed, inside=False):
        if nested:
            raise InputError(f"{query!r}: a repeat or a choice inside of a repeat could take for ever; ask more simply")
        if kind == "repeat" and high - low > _FEW:
            repeats += 1
        else:
            choices *= high - low + 1
    if repeats >= len(_WIDTHS) or choices > _MOST_CHOICES:
        raise InputError(f"{query!r}: too many repeats and choices; ask more simply")
    return _WIDTHS[repeats]


def _forks(parsed: Any, *, inside: bool) -> Iterator[tuple[str, int, int, bool]]:
    """(kind, fewest, most, inside of a repeat) for every place where the matcher may have to come back."""
    for op, value in parsed:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, inner = value
            variable = int(high) > int(low)
            if variable:
                yield "repeat", int(low), min(int(high), 10_000), inside
            yield from _forks(inner, inside=inside or int(high) > 1)
        else:
            inner_parts = _parts(name, value)
            if name == "BRANCH":
                yield "choice", 1, len(inner_parts), inside
            for part in inner_parts:
                yield from _forks(part, inside=inside)


def _parts(name: str, value: Any) -> list[Any]:
    """The patterns that an operation holds."""
    if name == "BRANCH":
        return list(value[1])
    if name == "SUBPATTERN":
        return [value[-1]]
    if name in ("ASSERT", "ASSERT_NOT"):
        return [value[1]]
    if name == "GROUPREF_EXISTS":
        return [part for part in value[1:] if part]
    return [value] if name == "ATOMIC_GROUP" else []
