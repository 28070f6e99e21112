"""Regions over the years: the codes that one has had, and the years in which its area changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kaozheng.county.regions.entry import RegionEntry
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.panel import Row
from kaozheng.indicators.region import Change


class Lineage:
    """Joins the rows of a region over its recodings: 隆昌 was 512426, 511028 and is 511083. A code that the list does
    not know in a year stands for itself."""

    def __init__(self, entries: Iterable[RegionEntry], changes: Iterable[Change] = ()) -> None:
        self._entries: dict[str, list[RegionEntry]] = {}
        self._codes: dict[str, set[str]] = {}
        for entry in entries:
            self._entries.setdefault(entry.code, []).append(entry)
            if entry.stable:
                self._codes.setdefault(entry.stable, set()).add(entry.code)
        self._changes = tuple(change for change in changes if change.kind.breaks)

    def today(self, code: str, year: int) -> str:
        """The code that the region with this code in this year has today."""
        for entry in self._entries.get(code, ()):
            if entry.since <= year and (entry.until is None or year <= entry.until):
                return entry.stable or code
        return code

    def rows(self, rows: Iterable[Row]) -> list[Row]:
        """Rows by the codes that their regions have today."""
        known: dict[tuple[str, int], str] = {}
        made = []
        for row in rows:
            code, key, period, value = row
            when = code, period.year
            today = known.get(when)
            if today is None:
                today = known[when] = self.today(*when)
            made.append(row if today == code else (today, key, period, value))
        return made

    def observations(self, observations: Iterable[Observation]) -> list[Observation]:
        """Observations by the codes that their regions have today, with the names that they had."""
        made = []
        for one in observations:
            today = self.today(one.region.code, one.period.year)
            made.append(one if today == one.region.code else replace(one, region=replace(one.region, code=today)))
        return made

    def codes(self, today: str) -> tuple[str, ...]:
        """All codes that the region has had."""
        return tuple(sorted(self._codes.get(today, set()) | {today}))

    def breaks(self, today: str) -> frozenset[int]:
        """The years from which on values are of another area."""
        return frozenset(
            change.new.year for change in self._changes if self.today(change.new.code, change.new.year) == today
        )
