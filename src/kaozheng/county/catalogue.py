"""Which indicator a key, a name or the head of a table means: the built-in ones, and those that a store has."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Final

from kaozheng.county.importing.label import Label, read_label
from kaozheng.county.lists import shipped_list
from kaozheng.errors import InputError
from kaozheng.evidence.folding import narrow
from kaozheng.indicators.indicator import Calibre, Direction, Indicator, PeriodType

_CLOSE: Final = 0.7
_CLOSEST: Final = 4


class Catalogue:
    """Indicators by key, name and alias. Of two with one key the later counts: a store's own before the built-in."""

    def __init__(self, indicators: Iterable[Indicator]) -> None:
        self._by_key = {indicator.key: indicator for indicator in indicators}
        self._by_name: dict[str, dict[str, Indicator]] = defaultdict(dict)
        for key, indicator in self._by_key.items():
            for name in (key, *indicator.names()):
                self._by_name[_plain(name)][key] = indicator
        for indicator in self._by_key.values():
            if growth := self.growth_of(indicator):
                for name in indicator.names():
                    self._by_name[_plain(f"{name}增速")].setdefault(growth.key, growth)

    @property
    def indicators(self) -> tuple[Indicator, ...]:
        """All, by key."""
        return tuple(self._by_key[key] for key in sorted(self._by_key))

    def get(self, key: str) -> Indicator | None:
        """The indicator of a key."""
        return self._by_key.get(key)

    def growth_of(self, indicator: Indicator) -> Indicator | None:
        """The indicator of its published growth: that of the column 增长% beside it."""
        return self._by_key.get(f"{indicator.key}_growth")

    def find(self, name: str) -> tuple[Indicator, ...]:
        """All that a key, a name or a head (二、地区生产总值①（亿元）) may mean: width, blanks, numbering, units and
        marks of notes play no part, prices do. More than one is for the caller to ask about."""
        if found := self._by_name.get(_plain(name)):
            return tuple(found.values())
        return self._labelled(read_label(name))

    def meant(self, name: str) -> Indicator:
        """The one indicator that a name means. Raises InputError with the candidates when there are several, with the
        nearest names when there is none."""
        found = self.find(name)
        if len(found) == 1:
            return found[0]
        listed = ", ".join(f"{one.key} ({one.name}, {one.unit})" for one in found or self.close(name))
        if found:
            raise InputError(f"{name!r} may be any of {listed}: give the key")
        raise InputError(f"no indicator is called {name!r}" + (f"; the nearest are {listed}" if listed else ""))

    def close(self, name: str) -> tuple[Indicator, ...]:
        """The indicators whose names are most like one that is not known, by the longest common runs of characters
        (Ratcliff and Obershelp)."""
        plain = _plain(read_label(name).name or name)
        alike = difflib.get_close_matches(plain, self._by_name, _CLOSEST, _CLOSE)
        found = {key: one for near in alike for key, one in self._by_name[near].items()}
        return tuple(found.values())[:_CLOSEST]

    def _labelled(self, label: Label) -> tuple[Indicator, ...]:
        found = self._by_name.get(_plain(label.name), {})
        if not found and label.grows:
            found = self._by_name.get(_plain(f"{label.level}增速"), {})
        return tuple(one for one in found.values() if label.calibre in (None, one.calibre))


@cache
def built_in() -> Catalogue:
    """The indicators that ship."""
    return Catalogue(indicator for _, indicator in built_in_indicators())


@cache
def built_in_indicators() -> tuple[tuple[str, Indicator], ...]:
    """The indicators that ship, each with the domain that it belongs to."""
    return tuple(
        (
            row["domain"],
            Indicator(
                row["key"],
                row["name"],
                row["unit"],
                Calibre(row["calibre"]),
                PeriodType(row["period_type"]),
                Direction(row["direction"]),
                row["owner"],
                tuple(filter(None, row["aliases"].split(";"))),
            ),
        )
        for row in shipped_list("indicators.tsv")
    )


def _plain(name: str) -> str:
    return "".join(narrow(name).split()).casefold()
