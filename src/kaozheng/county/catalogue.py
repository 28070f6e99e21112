"""Which indicator a head of a table or a word of a text means: the built-in ones, and those that a store has."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from kaozheng.county.lists import shipped_list
from kaozheng.documents.units import unit_named
from kaozheng.indicators.indicator import Calibre, Direction, Indicator, PeriodType
from kaozheng.indicators.reason import Reason

_FOOTNOTE: Final = re.compile(r"[①-⑳]+|[*＊]+$|[\[〔【]\d{1,2}[\]〕】]$|\(?注\d{0,2}\)?$")
_LIST_NUMBER: Final = re.compile(
    r"^(?:[一二三四五六七八九十]{1,3}、|[((][一二三四五六七八九十\d]{1,3}[))]|\d{1,2}[.、])(?=\D)"
)
_PART: Final = re.compile(r"^#?(?:其中|#)[::]?")
_BRACKETS: Final = re.compile(r"\(([^()]*)\)")
_UNIT_BEHIND: Final = re.compile(r"[,,::/](?:单位[::])?([^,,::]+)$|(%|‰)$")
_RATE: Final = re.compile(r"(?:(?:比|较)上年(?:同期)?|同比)?(?:±|增长(?:率|速度|幅度)?|增减|增幅|增速)$")
_CALIBRES: Final = {
    **dict.fromkeys(("现价", "当年价", "当年价格", "按当年价格计算"), Calibre.CURRENT),
    **dict.fromkeys(("可比价", "可比价格", "不变价", "不变价格", "按可比价格计算"), Calibre.COMPARABLE),
}
_COVERS: Final = {"累计": PeriodType.CUMULATIVE, "当期": PeriodType.SINGLE, "当季": PeriodType.SINGLE} | {
    "年末": PeriodType.END,
    "期末": PeriodType.END,
}
_CLOSE: Final = 0.7
_CLOSEST: Final = 4


@dataclass(frozen=True, slots=True)
class Known:
    """The one indicator that is meant, and the unit that was written with its name ("" for none)."""

    indicator: Indicator
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """No indicator, or one of several (`candidates`): which is never guessed."""

    reason: Reason
    candidates: tuple[Indicator, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """A head of a table, read: the plain name, and what was said of unit, calibre and period type."""

    name: str
    unit: str = ""
    calibre: Calibre | None = None
    covers: PeriodType | None = None


class Catalogue:
    """Indicators by key, name and alias. Of two with one key the later counts: a store's own before the built-in."""

    def __init__(self, indicators: Iterable[Indicator]) -> None:
        self._by_key = {indicator.key: indicator for indicator in indicators}
        self._by_name: dict[str, dict[str, Indicator]] = defaultdict(dict)
        for indicator in self._by_key.values():
            for name in indicator.names():
                self._by_name[read_head(name).name][indicator.key] = indicator
        for key, indicator in self._by_key.items():
            if growth := self._by_key.get(f"{key}_growth"):
                for name in indicator.names():
                    self._by_name[f"{read_head(name).name}增速"].setdefault(growth.key, growth)

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

    def find(self, text: str, unit: str = "") -> Known | Unknown:
        """What a head or name means. Blanks, width, footnote marks and list numbers make no difference; a unit or
        calibre in brackets does. `unit` is what the table says elsewhere: it tells two of one name apart by what they
        measure, and is never needed where the name alone is clear."""
        if exact := self._by_key.get(text.strip()):
            return Known(exact, unit)
        head = read_head(text)
        written = head.unit or unit
        named = tuple(self._by_name.get(head.name, {}).values())
        fitting = tuple(one for one in named if _says_the_same(one, head))
        if len(fitting) > 1:
            fitting = _told_apart(fitting, head, written)
        if len(fitting) == 1:
            return Known(fitting[0], head.unit)
        if fitting or named:
            return self._open(text, fitting or named, head)
        close = self._close(head.name)
        said = "、".join(one.name for one in close), ", ".join(f"{one.name} ({one.key})" for one in close)
        reason = Reason(
            f"没有指标“{text.strip()}”" + (f"，相近的有{said[0]}" if close else ""),
            f"no indicator is called {text.strip()}" + (f"; close to it: {said[1]}" if close else ""),
        )
        return Unknown(reason, close, head.unit)

    def _open(self, text: str, candidates: tuple[Indicator, ...], head: Head) -> Unknown:
        zh = "、".join(f"{one.name}（{one.unit}）" for one in candidates)
        en = ", ".join(f"{one.name} ({one.key}, {one.unit})" for one in candidates)
        several = "可能是" if len(candidates) > 1 else "与口径或时期不符的是"
        reason = Reason(
            f"“{text.strip()}”{several}{zh}，须注明是哪一个", f"{text.strip()} may be {en}: say which is meant"
        )
        return Unknown(reason, candidates, head.unit)

    def _close(self, name: str) -> tuple[Indicator, ...]:
        alike = difflib.get_close_matches(name, self._by_name, _CLOSEST, _CLOSE)
        found = {key: one for close in alike for key, one in self._by_name[close].items()}
        return tuple(found.values())[:_CLOSEST]


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


def read_head(text: str) -> Head:
    """Take a head of a table apart: 二、地区生产总值①（亿元，现价） is 地区生产总值, 亿元, 现价."""
    name = "".join(unicodedata.normalize("NFKC", _FOOTNOTE.sub("", text.strip())).split())
    name = _LIST_NUMBER.sub("", _FOOTNOTE.sub("", name))
    name = _PART.sub("", name)
    unit, calibre, covers = "", None, None
    for bracket in _BRACKETS.findall(name):
        parts = [part for part in re.split("[,、;]", bracket) if part]
        read = [_qualifier(part) for part in parts]
        if not parts or not all(read):
            continue
        name = name.replace(f"({bracket})", "", 1)
        for kind, value in filter(None, read):
            unit = value if kind == "unit" else unit
            calibre = Calibre(value) if kind == "calibre" else calibre
            covers = PeriodType(value) if kind == "covers" else covers
    behind = _UNIT_BEHIND.search(name)
    if behind and (found := _qualifier(behind[1] or behind[2])) and found[0] == "unit" and behind.start():
        name, unit = name[: behind.start()], unit or found[1]
    rate = _RATE.search(name)
    if rate and rate.start():
        name = f"{name[: rate.start()]}增速"
    return Head(_FOOTNOTE.sub("", name).casefold(), unit, calibre, covers)


def _qualifier(part: str) -> tuple[str, str] | None:
    """What a bracket says: a unit, a calibre or what the period covers; None when it is a part of the name."""
    if part in _CALIBRES:
        return "calibre", _CALIBRES[part]
    if part in _COVERS:
        return "covers", _COVERS[part]
    plain = part.removeprefix("单位:").removeprefix("单位")
    return ("unit", plain) if plain and unit_named(plain).dimension else None


def _says_the_same(indicator: Indicator, head: Head) -> bool:
    """Whether what the head says of calibre and period is what the indicator is."""
    return head.calibre in (None, indicator.calibre) and head.covers in (None, indicator.period_type)


def _told_apart(fitting: tuple[Indicator, ...], head: Head, unit: str) -> tuple[Indicator, ...]:
    """Of several with one name those whose names say no more than the head does, then those that the unit measures."""
    if head.calibre is None:
        plain = tuple(one for one in fitting if read_head(one.name).calibre is None)
        fitting = plain or fitting
    if len(fitting) > 1 and unit:
        measure = unit_named(unit)
        same = tuple(one for one in fitting if _same_measure(one, measure.dimension, measure.canonical))
        fitting = same or fitting
    return fitting


def _same_measure(indicator: Indicator, dimension: str, canonical: str) -> bool:
    return (indicator.measure.dimension, indicator.measure.canonical) == (dimension, canonical)
