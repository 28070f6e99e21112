"""Regions. A code is reused over the years (512423 was 隆昌, later 资阳县), so a code alone names nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

_CODE: Final = re.compile(r"\d{6}")


@dataclass(frozen=True, slots=True)
class Region:
    """A region as it stood at the end of a year: six digits of GB/T 2260, the year, the name in that year.

    Two regions are the same when code and year are; the name is for reading (市中区 is the name of several).
    Raises ValueError for a code that is not six digits.
    """

    code: str
    year: int
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.code):
            raise ValueError(f"a region's code is six digits, not {self.code!r}")


class ChangeKind(StrEnum):
    """What became of a region: only `RECODED` and `RENAMED` leave its series unbroken."""

    RECODED = "recoded"
    RENAMED = "renamed"
    MERGED = "merged"
    SPLIT = "split"
    BOUNDARY = "boundary"

    @property
    def breaks(self) -> bool:
        """Whether values before and after are of different areas."""
        return self not in (ChangeKind.RECODED, ChangeKind.RENAMED)


@dataclass(frozen=True, slots=True)
class Change:
    """`old.code` became `new.code` in the year `new.year`."""

    old: Region
    new: Region
    kind: ChangeKind


def stands_for(region: Region, changes: Iterable[Change], year: int) -> tuple[Region | None, tuple[int, ...]]:
    """The region of `year` that is what `region` became, and the years in which its area changed on the way.

    None when it was divided or came to an end in a way that names no single successor (two changes of one code).
    `year` must not be earlier than the region's own: ValueError.
    """
    if year < region.year:
        raise ValueError(f"{year} is before {region.year}")
    now = region
    breaks: list[int] = []
    for change in sorted(changes, key=lambda change: change.new.year):
        if change.old.code != now.code or not now.year < change.new.year <= year:
            continue
        if change.kind is ChangeKind.SPLIT:
            return None, (*breaks, change.new.year)
        if change.kind.breaks:
            breaks.append(change.new.year)
        now = change.new
    return Region(now.code, year, now.name), tuple(breaks)
