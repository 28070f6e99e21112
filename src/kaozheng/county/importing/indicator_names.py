"""Which indicator a head, the name of a row or a title means, by the catalogue and what the mapping adds to it."""

from __future__ import annotations

import re
from typing import Final

from kaozheng.county.catalogue import Catalogue, Known, Unknown, read_head
from kaozheng.county.importing.label import Label, read_label
from kaozheng.county.importing.mapping import Mapping
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
        self._names = {read_head(name).name: self._keyed(key) for name, key in mapping.names.items()}
        self._found: dict[tuple[Label, bool, str, tuple[str, ...]], Known | Unknown] = {}

    def _keyed(self, key: str) -> Indicator:
        found = self._catalogue.get(key)
        if found is None:
            raise InputError(f"the mapping's [names] lead to {key!r}, which is none: define it in [[indicators]]")
        return found

    def meant(self, label: Label, grows: bool = False, whole: str = "", units: tuple[str, ...] = ()) -> Known | Unknown:
        """The indicator that a label means; with `grows` the rate of growth of what it names. `whole` names what it is
        a part of, `units` are what the table says of its values."""
        asked = (label, grows, whole, units)
        if asked not in self._found:
            self._found[asked] = self._meant(*asked)
        return self._found[asked]

    def _meant(self, label: Label, grows: bool, whole: str, units: tuple[str, ...]) -> Known | Unknown:
        found = self._named(label, () if grows else units)
        if isinstance(found, Unknown):
            within = label.names[0] if len(label.names) > 1 else whole
            part = (
                self._find(f"{label.names[-1]}增加值", units) if label.names and _ADDS_VALUE.search(within) else found
            )
            found = part if isinstance(part, Known) else found
        if isinstance(found, Unknown) or not grows or found.indicator.is_rate:
            return found
        growth = self._catalogue.growth_of(found.indicator)
        if growth is None:
            name = found.indicator.name
            return Unknown(Reason(f"没有“{name}”的增速指标", f"no indicator is the growth of {name}"))
        return Known(growth)

    def _named(self, label: Label, units: tuple[str, ...]) -> Known | Unknown:
        if not label.name:
            return Unknown(Reason("没有写明指标", "no indicator is named"))
        return self._find(f"{label.name}（{label.calibre}）" if label.calibre else label.name, units)

    def _find(self, name: str, units: tuple[str, ...]) -> Known | Unknown:
        if own := self._names.get(read_head(name).name):
            return Known(own)
        found = self._catalogue.find(name)
        for unit in units if isinstance(found, Unknown) else ():
            if isinstance(told_apart := self._catalogue.find(name, unit), Known):
                return told_apart
        return found

    def mentioned(self, label: Label, grows: bool = False) -> Known | Unknown:
        """The one indicator that a title or the name of a sheet mentions."""
        for line in label.names:
            name = _BEHIND.sub("", line)
            for start in range(len(name)):
                if not _BEFORE.search(name[:start]):
                    continue
                found = self.meant(read_label(name[start:]), grows, units=label.units)
                if isinstance(found, Known):
                    return found
        text = " ".join(label.text.split())
        return Unknown(Reason(f"“{text}”没有写明认得的指标", f"{text!r} mentions no indicator that is known"))
