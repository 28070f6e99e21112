"""Which indicator a head, the name of a row or a title means, by the catalogue and what the mapping adds to it."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.county.catalogue import Catalogue
from kaozheng.county.importing.label import Label, read_label
from kaozheng.county.importing.mapping import Mapping
from kaozheng.county.importing.units import fits
from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.reason import Reason

_BEHIND: Final = re.compile(r"(?:主要)?(?:完成|基本)?(?:情况|统计|汇总|一览|数据|指标)*表?$|(?:\(?续表?\d?\)?)$")
_BEFORE: Final = re.compile(r"(?:^|[县市区州省)]|分县|各地|地区|历年|年度|主要|表?\d+[-—.]?\d*)$")
"""What may stand before the name of an indicator in a title: 表2-1 各县（市、区）常住人口, but not 城镇常住人口."""
_ADDS_VALUE: Final = re.compile("生产总值|增加值")
"""What has parts that are values added: 第一产业 below it is 第一产业增加值."""


class IndicatorNames:
    """The mapping's own indicators and names in front of those of the catalogue."""

    def __init__(self, mapping: Mapping, catalogue: Catalogue) -> None:
        self._catalogue = Catalogue((*catalogue.indicators, *(entry.indicator() for entry in mapping.indicators)))
        self._names = {read_label(name).name: self._keyed(key) for name, key in mapping.names.items()}
        self._found: dict[tuple[Label, bool, str, tuple[str, ...]], Indicator | Reason] = {}

    def _keyed(self, key: str) -> Indicator:
        found = self._catalogue.get(key)
        if found is None:
            raise InputError(f"the mapping's [names] lead to {key!r}, which is none: define it in [[indicators]]")
        return found

    def meant(
        self, label: Label, grows: bool = False, whole: str = "", units: tuple[str, ...] = ()
    ) -> Indicator | Reason:
        """The indicator that a label means, or why none is known; with `grows` the rate of growth of what it names.
        `whole` names what it is a part of, `units` are what the table says of its values: they tell two of one name
        apart."""
        asked = (label, grows, whole, units)
        if asked not in self._found:
            self._found[asked] = self._meant(*asked)
        return self._found[asked]

    def _meant(self, label: Label, grows: bool, whole: str, units: tuple[str, ...]) -> Indicator | Reason:
        name = " ".join(label.text.split()) or "（空白）"
        found = self._named(label, whole)
        if len(found) > 1 and not grows:
            found = tuple(one for one in found if any(fits(unit, one) for unit in units)) or found
        if len(found) > 1:
            which = "、".join(f"{one.name}（{one.key}）" for one in found)
            return Reason(f"“{name}”可指 {which}", f"{name} may mean {which}")
        if not found:
            close = "、".join(one.name for one in self._catalogue.close(label.name)) if label.name else ""
            hint = (f"，相近的有{close}", f"; close to it: {close}") if close else ("", "")
            return Reason(f"没有指标叫“{name}”{hint[0]}", f"no indicator is called {name}{hint[1]}")
        if not grows or read_label(found[0].name).grows:
            return found[0]
        level = found[0].name
        return self._catalogue.growth_of(found[0]) or Reason(
            f"没有“{level}”的增速指标", f"no indicator is the growth of {level}"
        )

    def _named(self, label: Label, whole: str) -> tuple[Indicator, ...]:
        if own := self._names.get(label.name):
            return (own,)
        if not label.name:
            return ()
        found = self._catalogue.find(f"{label.name}（{label.calibre}）" if label.calibre else label.name)
        within = label.names[0] if len(label.names) > 1 else whole
        if not found and _ADDS_VALUE.search(within):
            return self._catalogue.find(f"{label.names[-1]}增加值")
        return found

    def mentioned(self, label: Label, grows: bool = False) -> Indicator | Reason:
        """The one indicator that a title or the name of a sheet mentions."""
        for line in label.names:
            name = _BEHIND.sub("", line)
            for start in range(len(name)):
                if not _BEFORE.search(name[:start]):
                    continue
                found = self.meant(read_label(name[start:]), grows, units=label.units)
                if isinstance(found, Indicator):
                    return found
        text = " ".join(label.text.split())
        return Reason(f"“{text}”没有写明认得的指标", f"{text!r} mentions no indicator that is known")
