"""Which indicator a name in a table means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from kaozheng.county.importing.label import Label, read_label
from kaozheng.county.importing.mapping import Mapping
from kaozheng.errors import InputError
from kaozheng.evidence.folding import narrow
from kaozheng.indicators.indicator import Indicator

_BEHIND: Final = re.compile(r"(?:主要)?(?:完成|基本)?(?:情况|统计|汇总|一览|数据|指标)*表?$|(?:\(?续表?\d?\)?)$")
_BEFORE: Final = re.compile(r"(?:^|[县市区州省)]|分县|各地|地区|历年|年度|主要|表?\d+[-—.]?\d*)$")
"""What may stand before the name of an indicator in a title: 表2-1 各县（市、区）常住人口, but not 城镇常住人口."""
_RATES: Final = ("增速", "增长", "增长率", "增长速度", "增幅", "比上年增长", "同比增长")


class IndicatorLookup(Protocol):
    """Knows indicators by key, name and alias."""

    def find(self, name: str) -> Sequence[Indicator]:
        """All that a key, a name or an alias may mean; width and blanks play no part."""


class IndicatorNames:
    """The names of a mapping in front of those that are known anyway."""

    def __init__(self, mapping: Mapping, lookup: IndicatorLookup) -> None:
        self._lookup = lookup
        self._own: dict[str, list[Indicator]] = {}
        self._found: dict[str, tuple[Indicator, ...]] = {}
        for indicator in (entry.indicator() for entry in mapping.indicators):
            for name in {indicator.key, *indicator.names()}:
                self._own.setdefault(_plain(name), []).append(indicator)
        for name, key in mapping.names.items():
            self._own[_plain(name)] = self._keyed(key)

    def _keyed(self, key: str) -> list[Indicator]:
        found = [one for one in (*self._own.get(_plain(key), ()), *self._lookup.find(key)) if one.key == key]
        if not found:
            raise InputError(
                f"the mapping's [names] lead to {key!r}, which is no indicator: define it in [[indicators]]"
            )
        return found[:1]

    def find(self, name: str) -> tuple[Indicator, ...]:
        """All that a name may mean."""
        if name not in self._found:
            own = self._own.get(_plain(name))
            self._found[name] = tuple(own or self._lookup.find(name))
        return self._found[name]

    def meant(self, label: Label, grows: bool = False, parent: str = "") -> tuple[Indicator, ...]:
        """All that a label may mean; with `grows` the rate of growth of what it names. `parent` names what it is a part
        of."""
        found = self._named(label, parent)
        if grows and not label.grows:
            found = self._rates({label.level, *(name for one in found for name in one.names())})
        elif not found and label.grows:
            levels = self.find(label.level)
            found = self._rates({label.level, *(name for one in levels for name in one.names())})
        fitting = tuple(one for one in found if label.calibre in (None, one.calibre))
        return fitting or found

    def mentioned(self, label: Label, grows: bool = False) -> tuple[Indicator, ...]:
        """All that a title or the name of a sheet may mean."""
        for line in label.names:
            name = _BEHIND.sub("", line)
            for start in range(len(name)):
                if _BEFORE.search(name[:start]) and (
                    found := self.meant(replace(label, **_names(name[start:])), grows)
                ):
                    return found
        return ()

    def _named(self, label: Label, parent: str) -> tuple[Indicator, ...]:
        if found := self.find(label.name) if label.name else ():
            return found
        within = label.names[0] if len(label.names) > 1 else parent
        last = label.names[-1] if label.names else ""
        if last and re.search("生产总值|增加值", within):  # its parts are values added
            return self.find(f"{last}增加值")
        return ()

    def _rates(self, levels: Iterable[str]) -> tuple[Indicator, ...]:
        found = [one for level in sorted(levels) if level for rate in _RATES for one in self.find(level + rate)]
        return tuple({one.key: one for one in found if one.is_rate}.values())


def _names(name: str) -> dict[str, Any]:
    named = read_label(name)
    return {"name": named.name, "names": named.names, "level": named.level, "grows": named.grows}


def _plain(name: str) -> str:
    return "".join(narrow(name).split()).casefold()
