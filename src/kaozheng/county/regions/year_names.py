"""All names and codes by which the regions of one year may be called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.regions.gazetteer import NamedBy
from kaozheng.county.regions.names import customary_names, short_name
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.region import Region

ABOVE_COUNTIES: Final = frozenset(("省", "地级市", "自治州", "地区"))
_RANK: Final = {NamedBy.NAME: 0, NamedBy.SHORT: 1, NamedBy.ALIAS: 1, NamedBy.FORMER: 2}


@dataclass(frozen=True, slots=True)
class Called:
    """One region that a name may mean, what kind of name it is for it, and what a reader should know. `bare` names say
    neither the level nor the prefecture: 隆昌, 四川隆昌."""

    entry: RegionEntry
    by: NamedBy
    note: Reason | None = None
    bare: bool = False


class YearNames:
    """The names of a year: a region's own name comes before a short one or an alias of another, and those before what
    it was called in other years. What one kind of name leaves open stays open."""

    def __init__(self, entries: Iterable[RegionEntry], year: int) -> None:
        entries = tuple(entries)
        self.year = year
        self.standing = tuple(entry for entry in entries if stands(entry, year))
        self._by_code = {entry.code: entry for entry in self.standing}
        self._all = entries
        self._found: dict[str, list[Called]] = {}
        for entry in self.standing:
            self._add_own(entry)
        self._add_former()
        self.names: Mapping[str, tuple[Called, ...]] = {name: tuple(found) for name, found in self._found.items()}

    def region(self, entry: RegionEntry) -> Region:
        """The region as it stood in this year."""
        return Region(entry.code, self.year, entry.name)

    def above(self, entry: RegionEntry) -> tuple[RegionEntry, ...]:
        """The regions above, the nearest first."""
        return tuple(self._above(entry, self.year))

    def full_name(self, entry: RegionEntry) -> str:
        """四川省内江市隆昌市."""
        return "".join(one.name for one in reversed(self.above(entry))) + entry.name

    def _above(self, entry: RegionEntry, year: int) -> Iterator[RegionEntry]:
        while entry.parent and entry.parent != entry.code:
            found = next((one for one in self._all if one.code == entry.parent and stands(one, year)), None)
            if found is None:
                return
            yield found
            entry = found

    def _prefixes(self, entry: RegionEntry, year: int) -> list[str]:
        """What may stand before the name: the levels above in all their forms, the province with and without the
        prefecture; not nothing."""
        made = [""]
        for above in self._above(entry, year):
            forms = (above.name, short_name(above.name), *customary_names(above.name))
            made += [form + rest for form in forms for rest in made]
        return sorted({prefix for prefix in made if prefix})

    def _add_own(self, entry: RegionEntry) -> None:
        others = {short_name(entry.name), *customary_names(entry.name)} - {entry.name}
        self._add(entry.name, Called(entry, NamedBy.NAME))
        self._add(entry.code, Called(entry, NamedBy.NAME))
        for other in others:
            self._add(other, Called(entry, NamedBy.SHORT, bare=other == short_name(entry.name)))
        provinces = {form for one in self.above(entry) if one.kind == "省" for form in (one.name, short_name(one.name))}
        for prefix in self._prefixes(entry, self.year):
            self._add(prefix + entry.name, Called(entry, NamedBy.NAME))
            for other in others:
                bare = other == short_name(entry.name) and prefix in provinces
                self._add(prefix + other, Called(entry, NamedBy.SHORT, bare=bare))
        for alias, note in entry.aliases:
            bare = alias in others or len(alias) < 3
            self._add(alias, Called(entry, NamedBy.ALIAS, _alias_note(alias, entry, note), bare))

    def _add_former(self) -> None:
        """The names and codes of other years, for the regions that have become, or will come from, a single one."""
        today: dict[str, list[RegionEntry]] = {}
        for entry in self.standing:
            if entry.stable:
                today.setdefault(entry.stable, []).append(entry)
        for entry in self._all:
            found = today.get(entry.stable, ()) if entry.stable and not stands(entry, self.year) else ()
            for now in found:
                names = {entry.name, entry.code}
                names.update(prefix + entry.name for prefix in self._prefixes(now, self.year))
                names.update(prefix + entry.name for prefix in self._prefixes(entry, entry.until or self.year))
                for name in names:
                    self._add(name, Called(now, NamedBy.FORMER, self._former_note(name, now)))

    def _former_note(self, name: str, now: RegionEntry) -> Reason:
        full = self.full_name(now)
        return Reason(
            f"“{name}”在{self.year}年是{full}（{now.code}）", f"{name} is {full} ({now.code}) in the year {self.year}"
        )

    def _add(self, name: str, called: Called) -> None:
        found = self._found.setdefault(name, [])
        if found and _RANK[found[0].by] < _RANK[called.by]:
            return
        if found and _RANK[found[0].by] > _RANK[called.by]:
            found.clear()
        if all(one.entry != called.entry for one in found):
            found.append(called)


def stands(entry: RegionEntry, year: int) -> bool:
    """Whether code and name stood at the end of the year."""
    return entry.since <= year and (entry.until is None or year <= entry.until)


def _alias_note(alias: str, entry: RegionEntry, note: str) -> Reason | None:
    """An alias without a note needs none: it is simply another name."""
    if not note:
        return None
    return Reason(
        f"“{alias}”指{entry.name}（{entry.code}）：{note}", f"{alias} stands for {entry.name} ({entry.code}): {note}"
    )
