"""What a head, the name of a row, a title or the name of a sheet says: a name, units, periods, growth, a part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kaozheng.county.importing.footnotes import without_marks
from kaozheng.county.importing.unit_labels import INDEX, unit_label, units_said
from kaozheng.errors import InputError
from kaozheng.evidence.folding import narrow
from kaozheng.indicators.indicator import Calibre
from kaozheng.indicators.period import Period, read_period

_BRACKET: Final = re.compile(r"[(（\[［【〔]([^()（）\[\]［］【】〔〕]*)[)）\]］】〕]")
_GROWTH: Final = re.compile(
    r"(?:(?:比|较)(?:上年同期|去年同期|上年|去年|上期|同期)|同比)?(?:增长|增速|增幅|增减|±)(?:率|速度|幅度)?$"
)
_PART: Final = re.compile(r"^\s*(?:[#＃]|其\s*中\s*[:：]?)\s*")
_COUNTED: Final = re.compile(
    r"^\s*(?:[一二三四五六七八九十]{1,3}、|[(（][一二三四五六七八九十\d]{1,3}[)）]|\d{1,2}[.、．](?!\d))\s*"
)
_PERIOD: Final = re.compile(
    r"(?<!\d)(?P<period>(?:19|20)\d\d(?:年?(?:前?[1-4一二三四]个?|第[1-4一二三四])季度|年?上半年"
    r"|年?0?1月?[-—–~～至到]\d{1,2}月份?|年\d{1,2}月份?|年度?|[Qq][1-4])?)(?:年?[末底]|全年)?(?!\d)"
)
_HAN_YEAR: Final = re.compile(r"[〇零○一二三四五六七八九]{4}(?=年)")
_HAN_DIGITS: Final = str.maketrans("〇零○一二三四五六七八九", "000123456789")
_YEARS_AGO: Final = {
    **dict.fromkeys(("本年", "本期", "当年", "本年累计", "本期累计", "报告期"), 0),
    **dict.fromkeys(("上年", "上年同期", "去年", "去年同期", "同期"), 1),
}
_GENERIC: Final = frozenset(
    (
        "绝对额",
        "绝对量",
        "绝对值",
        "绝对数",
        "总量",
        "总额",
        "数值",
        "数量",
        "指标",
        "指标值",
        "值",
        "实绩",
        "全年",
        "累计",
    )
)
"""Parts of a head of several rows that say no more than that a value stands below."""
_CALIBRES: Final = {
    **dict.fromkeys(("现价", "当年价", "当年价格", "按当年价格计算", "按现价计算"), Calibre.CURRENT),
    **dict.fromkeys(("可比价", "不变价", "可比价格", "不变价格", "按可比价格计算", "按可比价计算"), Calibre.COMPARABLE),
}


@dataclass(frozen=True, slots=True)
class Label:
    """What a text says. `name` is what is left without unit, period, numbering and marks; `level` is the name without
    words of growth, where it ends with some (`grows`). `years_ago` is what 上年 and 本年 say."""

    text: str
    name: str = ""
    names: tuple[str, ...] = ()
    """The name row by row of the head."""
    level: str = ""
    grows: bool = False
    units: tuple[str, ...] = ()
    periods: tuple[tuple[Period, bool], ...] = ()
    """Each with whether it counts from the start of the year."""
    years_ago: int | None = None
    is_part: bool = False
    is_index_based: bool = False
    """It says 上年=100 beside words of growth, so that 106.1 may mean 6.1 %."""
    calibre: Calibre | None = None
    marks: str = ""


@lru_cache(maxsize=8192)
def read_label(*parts: str) -> Label:
    """What a text says, or the rows of a head together, from above."""
    said = [_part(part) for part in parts]
    names = [one.name for one in said if one.name]
    text = "".join(names)
    growth = _GROWTH.search(text)
    level = text[: growth.start()] if growth and "年均" not in text else text
    units = tuple(dict.fromkeys(unit for one in said for unit in one.units))
    is_index_based = growth is not None and INDEX in units
    return Label(
        text=" ".join(part.strip() for part in parts),
        name=text,
        names=tuple(names),
        level=level,
        grows=level != text,
        units=tuple(unit for unit in units if unit != INDEX) or ("%",) if is_index_based else units,
        periods=tuple(dict.fromkeys(period for one in said for period in one.periods)),
        years_ago=next((one.years_ago for one in said if one.years_ago is not None), None),
        is_part=any(one.is_part for one in said),
        is_index_based=is_index_based,
        calibre=next((one.calibre for one in reversed(said) if one.calibre), None),
        marks="".join(one.marks for one in said),
    )


def _part(text: str) -> Label:
    """What one row of a head says; its name may still end with words of growth."""
    plain, marks = without_marks(" ".join(text.split()))
    found = _PART.match(plain)
    plain = _COUNTED.sub("", plain[found.end() if found else 0 :])
    plain, units, calibre = _without_brackets(plain)
    plain, more = without_marks(plain)
    plain, periods = _without_periods(plain)
    name = "".join(narrow(plain).split()).strip(":：、,，.")
    return Label(
        text=text,
        name="" if name in _GENERIC or name in _YEARS_AGO or name in _CALIBRES else name,
        units=units,
        periods=periods,
        years_ago=_YEARS_AGO.get(name),
        is_part=found is not None,
        calibre=calibre or _CALIBRES.get(name),
        marks=more + marks,
    )


def _without_brackets(text: str) -> tuple[str, tuple[str, ...], Calibre | None]:
    """A text without what it says of units and prices, in brackets, behind 单位： or at its end."""
    units = list(units_said(text))
    text = re.sub(r"(?:计\s*量\s*)?单\s*位\s*[:：][^()（）\n]*", "", text) if units else text
    calibre: Calibre | None = None

    def say(found: re.Match[str]) -> str:
        nonlocal calibre
        inside = "".join(narrow(found[1]).split())
        if unit := unit_label(inside):
            units.append(unit)
        elif inside in _CALIBRES:
            calibre = _CALIBRES[inside]
        elif without_marks(f"_{found[0]}")[1]:
            return found[0]
        else:
            return f"({inside})" if inside else ""
        return ""

    text = _BRACKET.sub(say, text).strip()
    if whole := unit_label(text):
        return "", (*units, whole), calibre
    if (plain := narrow(text)) and plain[-1] in "%‰" and len(plain) > 1:
        return plain[:-1].strip(" /"), (*units, plain[-1]), calibre
    before, _, last = text.rpartition(" ")
    if before and (unit := unit_label(last)):
        return before, (*units, unit), calibre
    return text, tuple(units), calibre


def _without_periods(text: str) -> tuple[str, tuple[tuple[Period, bool], ...]]:
    plain = _HAN_YEAR.sub(lambda found: found[0].translate(_HAN_DIGITS), narrow(text))
    try:
        return "", (read_period(re.sub(r"(?<=\d{4})\.0$", "", plain)),)
    except InputError:
        found = list(_PERIOD.finditer("".join(plain.split())))
    periods = []
    for one in found:
        try:
            periods.append(read_period(one["period"]))
        except InputError:
            return text, ()
    return _PERIOD.sub("", "".join(plain.split())).replace("()", "") if found else text, tuple(periods)
