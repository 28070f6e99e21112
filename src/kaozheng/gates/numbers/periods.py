"""The periods that a text names: 2024年末, 上半年, 1—9月, 2022—2024年, 上年同期, 同比."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.evidence.numerals import DIGITS
from kaozheng.indicators.period import Period

Same = frozenset[Period]
"""One stretch of time under its names in tables: January to June is the second quarter, cumulated, and month 6."""

_YEAR: Final = (
    r"(?:19[1-9]|20\d)\d|(?:一九[一二三四五六七八九]|二[〇零][〇零一二三四五六七八九])[〇零一二三四五六七八九]"
)
_TO: Final = r"\s?[-—–~至到]\s?"
_QUARTER: Final = {**dict(zip("一二三四", (1, 2, 3, 4), strict=True)), **{str(n): n for n in range(1, 5)}}
_PART: Final = (
    r"(?P<half>上半年)|(?P<to>前|1" + _TO + r")(?P<quarters>[1-4一二三四])个?季度|第?(?P<quarter>[1-4一二三四])季度"
    r"|(?:1月?" + _TO + r"|前)(?P<months>1[0-2]|[1-9])个?月|(?P<month>1[0-2]|[1-9])月(?!\d)|(?P<q>Q[1-4])"
    r"|(?P<whole>全年)"
)
_PATTERN: Final = re.compile(
    rf"(?:(?P<of>{_YEAR})\s?年)?(?P<on>(?:1[0-2]|0?[1-9])月\d{{1,2}}[日号])"
    rf"|(?P<first>{_YEAR})\s?年?{_TO}(?P<last>{_YEAR})\s?年"
    rf"|(?P<list>(?:(?:19[1-9]|20\d)\d年?[、,，和及])+(?:19[1-9]|20\d)\d年)"
    rf"|(?:(?P<year>{_YEAR})\s?年?度?)?(?:{_PART})(?P<alone>当季)?"
    rf"|(?P<only>{_YEAR})\s?年度?[末底初]?"
    r"|(?P<before>上年度?|去年)(?P<part>同期|同月|同季)?[末底]?|(?P<two>前年)|(?P<now>今年|本年度?|当年)"
    r"|(?P<yoy>同比|\byear[ -]on[ -]year\b|\bfrom a year earlier\b)|(?P<mom>环比)"
    r"|(?:\bthe\s)?\bfirst (?P<en>half|quarter|three quarters) of (?P<en_year>(?:19[1-9]|20\d)\d)\b"
    r"|\b(?:in|of|for|by|during|than|with|from|to|over) (?P<plain>(?:19[1-9]|20\d)\d)\b(?![.,]\d)",
    re.I,
)
_ENGLISH: Final = {"quarter": 1, "half": 2, "three quarters": 3}
_AGAINST_ENGLISH: Final = re.compile(r"(?:than in|compared with|over|from|versus) (?:19[1-9]|20\d)\d$|than$", re.I)
_LAST_DAYS: Final = {"3月31": 3, "6月30": 6, "9月30": 9, "12月31": 12}
_SINCE: Final = re.compile(r"以来|起|开始")
COMPARISONS: Final = frozenset({"同比", "环比", "year on year", "year-on-year", "from a year earlier"})
"""Mentions that are a base and never the period of a number."""
_AGAINST: Final = re.compile(r"(?:比|较|与|同|相比|相对于?|高于|低于|快于|慢于|超过)\s?$")


@dataclass(frozen=True, slots=True)
class When:
    """One mention. `stretches` are several for 2022—2024年. `single`: a quarter or month alone and not from the start
    of the year. `relative`: 上年, which holds for the next number only. `base`: what is compared with."""

    span: Span
    stretches: tuple[Same, ...]
    single: bool = False
    relative: bool = False
    base: bool = False


def whens(text: str, report: Period | None) -> list[When]:
    """The mentions of a text of half-width digits, in order. What names no year is of the year named before, else of
    the report's."""
    found: list[When] = []
    now = report
    for match in _PATTERN.finditer(text):
        against = _AGAINST.search(text, max(0, match.start() - 4), match.start())
        base = against is not None or _SINCE.match(text, match.end()) is not None
        when = _when(match, now, report, base)
        if when is None:
            continue
        found.append(when)
        if not (when.relative or when.base):
            now = min(when.stretches[-1], key=lambda period: (period.month > 0, period.quarter > 0))
    return found


def _when(match: re.Match[str], now: Period | None, report: Period | None, base: bool) -> When | None:
    span = Span(*match.span())
    if match["on"]:
        return _day(match, span, now or report)
    if match["first"]:
        first, last = _year(match["first"]), _year(match["last"])
        years = tuple(frozenset({Period(year)}) for year in range(first, last + 1)) if last - first < 60 else ()
        return When(span, years, base=base) if years else None
    if match["list"]:
        years = tuple(frozenset({Period(int(year))}) for year in re.findall(r"\d{4}", match["list"]))
        return When(span, years, base=base)
    if match["only"]:
        return When(span, (frozenset({Period(_year(match["only"]))}),), base=base)
    if match["plain"] or match["en"]:
        return _english(match, span)
    if match["yoy"] or match["mom"] or match["before"] or match["two"]:
        return _relative(match, span, now)
    known = report if match["now"] else now
    year = _year(match["year"]) if match["year"] else known.year if known else None
    return _part(match, span, year, base) if year else None


def _day(match: re.Match[str], span: Span, now: Period | None) -> When | None:
    """A day names a period only where it is the last one of it: 截至12月31日."""
    month = _LAST_DAYS.get(match["on"].rstrip("日号"))
    year = _year(match["of"]) if match["of"] else now.year if now else None
    if month is None or year is None:
        return None
    return When(span, (frozenset({Period(year)}) if month == 12 else same(Period(year, 0, month)),))


def _english(match: re.Match[str], span: Span) -> When:
    """in 2024, the first half of 2024; what a change is from (than in 2023) is a base."""
    base = _AGAINST_ENGLISH.search(match.string, max(0, span.start - 12), span.end) is not None
    if match["plain"]:
        return When(span, (frozenset({Period(int(match["plain"]))}),), base=base)
    return When(span, (same(Period(int(match["en_year"]), _ENGLISH[match["en"].lower()])),), base=base)


def _relative(match: re.Match[str], span: Span, now: Period | None) -> When | None:
    if now is None:
        return None
    if match["mom"]:
        return When(span, (same(now.previous),), relative=True, base=True)
    ago = now.year_ago.year_ago if match["two"] else now.year_ago
    against = bool(match["yoy"]) or _AGAINST.search(match.string, max(0, span.start - 4), span.start) is not None
    return When(span, (same(ago),), relative=True, base=against)


def _part(match: re.Match[str], span: Span, year: int, base: bool) -> When:
    if match["whole"] or match["now"]:
        return When(span, (frozenset({Period(year)}),), base=base)
    if match["half"] or match["quarters"]:
        period = Period(year, 2 if match["half"] else _QUARTER[match["quarters"]])
        return When(span, (same(period),), base=base)
    if match["months"]:
        return When(span, (same(Period(year, 0, int(match["months"]))),), base=base)
    if match["month"]:
        month = int(match["month"])
        return When(span, (frozenset({Period(year, 0, month)}),), single=month > 1, base=base)
    quarter = int(match["q"][1]) if match["q"] else _QUARTER[match["quarter"]]
    single = bool(match["alone"]) or (quarter > 1 and not match["q"])
    return When(span, (same(Period(year, quarter)),), single=single, base=base)


def same(period: Period) -> Same:
    """A stretch from the start of the year under both of its names."""
    if period.quarter:
        return frozenset({period, Period(period.year, 0, period.quarter * 3)})
    if period.month and period.month % 3 == 0:
        return frozenset({period, Period(period.year, period.month // 3)})
    return frozenset({period})


def _year(text: str) -> int:
    return int("".join(str(DIGITS.get(character, character)) for character in text))
