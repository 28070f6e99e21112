"""The gazetteer over a list of regions: that of Sichuan, or any other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from kaozheng.county.regions.close_names import CloseNames
from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.regions.gazetteer import Mention, Resolved, Unresolved
from kaozheng.county.regions.places_in_text import places
from kaozheng.county.regions.year_names import ABOVE_COUNTIES, Called, YearNames
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.region import Change, Region

_CODE: Final = re.compile(r"(\d{6})(?:0{6}|\.0+)?", re.ASCII)
_LETTER: Final = re.compile(r"[^\W\d_]")
_ZONE: Final = re.compile(r"(?:高新|经开|开发|保税|新|园|功能|示范|合作|景|试验)区$")
_CLOSEST: Final = 3


class RegionIndex:
    """Knows the regions of a list by name and code; satisfies `Gazetteer`. `changes` say what became of them."""

    def __init__(self, entries: Iterable[RegionEntry], changes: Iterable[Change] = ()) -> None:
        self.entries = tuple(entries)
        self.changes = tuple(changes)
        self._years: dict[int, YearNames] = {}
        self._close_names: dict[int, CloseNames] = {}

    def resolve(self, text: str, year: int, within: str = "") -> Resolved | Unresolved:
        """What a name or code means in a year. A misspelt name is never taken for the right one: the reason names what
        is close. With `within` only regions of it are meant."""
        names = self._of(year)
        plain = _plain(text)
        if not plain:
            return Unresolved(Reason("没有地区名称", "no region is named"))
        if not names.standing:
            return Unresolved(Reason(f"没有{year}年的区划", f"the list has no regions of the year {year}"))
        found = names.names.get(plain, ())
        if within:
            qualified = names.names.get(_plain(within) + plain)
            found = qualified or tuple(one for one in found if self._lies_in(one.entry, within, names) is not False)
        if len(found) == 1:
            return Resolved(names.region(found[0].entry), found[0].note, found[0].by)
        return self._unresolved(plain, within, names, found)

    def mentions(self, text: str, year: int) -> list[Mention]:
        """The places of a prose that name regions, in order, the longest name first. Short names count only where they
        are words of their own (not 投资中 for 资中), and not where they are ordinary words (前锋, 名山) or a part of
        another name (隆昌路)."""
        names = self._of(year)
        return [
            Mention(span, _regions(names, (one.entry for one in found))) for span, found in places(text, names.names)
        ]

    def counties(self, year: int) -> tuple[Region, ...]:
        """All county-level regions of a year, by code."""
        names = self._of(year)
        below = [entry for entry in names.standing if entry.kind not in ABOVE_COUNTIES]
        return tuple(names.region(entry) for entry in sorted(below, key=lambda entry: entry.code))

    def entry(self, region: Region) -> RegionEntry | None:
        """What the list says of a region."""
        return next((one for one in self._of(region.year).standing if one.code == region.code), None)

    def full_name(self, region: Region) -> str:
        """四川省内江市隆昌市; the bare name for a region that is not in the list."""
        entry = self.entry(region)
        return self._of(region.year).full_name(entry) if entry else region.name

    def _of(self, year: int) -> YearNames:
        if year not in self._years:
            self._years[year] = YearNames(self.entries, year)
        return self._years[year]

    def _lies_in(self, entry: RegionEntry, within: str, names: YearNames) -> bool | None:
        """Whether a region is a part of another; None when the list does not say what is above it."""
        wanted = _plain(within)
        above = names.above(entry)
        if wanted in (entry.parent, entry.code):
            return True
        if not above:
            return None
        meant = {one.entry.code for one in names.names.get(wanted, ())}
        return any(one.code in meant for one in (entry, *above))

    def _unresolved(self, plain: str, within: str, names: YearNames, found: tuple[Called, ...]) -> Unresolved:
        candidates = _regions(names, (one.entry for one in found))
        if found:
            zh, en = self._listed(candidates)
            return Unresolved(
                Reason(f"“{plain}”可能是{zh}，须注明上级地区", f"{plain} may be {en}: say what it belongs to"),
                candidates,
            )
        if elsewhere := names.names.get(plain):
            candidates = _regions(names, (one.entry for one in elsewhere))
            zh, en = self._listed(candidates)
            return Unresolved(
                Reason(f"“{within}”没有“{plain}”，有{zh}", f"{within} has no {plain}; there is {en}"), candidates
            )
        if parts := self._parts(plain, names.year):
            zh, en = self._listed(parts)
            return Unresolved(
                Reason(f"“{plain}”已经分设，今有{zh}", f"{plain} was divided; today there is {en}"), parts
            )
        if _ZONE.search(plain):
            return Unresolved(Reason(f"“{plain}”不是行政区划", f"{plain} is a zone, no administrative region"))
        close = self._close(plain, names)
        zh, en = self._listed(close)
        return Unresolved(
            Reason(
                f"没有“{plain}”" + (f"，相近的有{zh}" if close else ""),
                f"no region is called {plain}" + (f"; close to it: {en}" if close else ""),
            ),
            close,
        )

    def _listed(self, regions: tuple[Region, ...]) -> tuple[str, str]:
        said = [f"{self.full_name(region)}（{region.code}）" for region in regions]
        return "、".join(said), ", ".join(f"{self.full_name(region)} ({region.code})" for region in regions)

    def _parts(self, plain: str, year: int) -> tuple[Region, ...]:
        """What a region that ended before the year was divided into."""
        ended = {
            (change.old.code, change.new.year)
            for change in self.changes
            if change.kind.value == "split" and change.new.year <= year and self._was(plain, change.old)
        }
        parts = {
            entry
            for change in self.changes
            if (change.old.code, change.new.year) in ended
            for one in self._of(year).names.get(change.new.code, ())
            for entry in (one.entry,)
        }
        return _regions(self._of(year), parts)

    def _was(self, plain: str, old: Region) -> bool:
        return any(one.entry.code == old.code for one in self._of(old.year).names.get(plain, ()))

    def _close(self, plain: str, names: YearNames) -> tuple[Region, ...]:
        """The regions with the names most alike."""
        if not _LETTER.search(plain):
            return ()
        if names.year not in self._close_names:
            known = (name for name, found in names.names.items() if found[0].note is None and not name.isascii())
            self._close_names[names.year] = CloseNames(known)
        alike = self._close_names[names.year].to(plain)
        entries = dict.fromkeys(one.entry for name in alike for one in names.names[name])
        return tuple(names.region(entry) for entry in list(entries)[:_CLOSEST])


def _plain(text: str) -> str:
    """A name without blanks in it, a code without the zeros that spreadsheets and long codes have."""
    plain = "".join(unicodedata.normalize("NFKC", text).split())
    code = _CODE.fullmatch(plain)
    return code[1] if code else plain


def _regions(names: YearNames, entries: Iterable[RegionEntry]) -> tuple[Region, ...]:
    return tuple(names.region(entry) for entry in sorted(entries, key=lambda entry: entry.code))
