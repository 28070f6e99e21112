"""Digits that are no quantity: dates, times of day, versions, document numbers, list numbers and other ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from kaozheng.documents.document_numbers import PATTERN as DOCUMENT_NUMBER
from kaozheng.documents.document_numbers import number_of
from kaozheng.documents.units import UNITS
from kaozheng.evidence.folding import HAN
from kaozheng.evidence.numerals import DIGITS


@dataclass(frozen=True, slots=True)
class Mark:
    """One such place: `unit` is its one written form ("2024-12-31", "川发改〔2023〕15号", "4.5")."""

    start: int
    end: int
    dimension: str
    unit: str
    value: Decimal = Decimal(0)


_UNIT = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
_MONTH_NAMES = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?"
)
_MONTHS = {name[:3].lower(): index for index, name in enumerate(_MONTH_NAMES.split("|"), 1)}
_MONTH = rf"(?P<month>{_MONTH_NAMES})\.?"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_MON = r"(?P<mon>0?[1-9]|1[0-2])"
_WORD = r"(?<![A-Za-z0-9_])"
_END = r"(?![A-Za-z0-9_])"
_MEASURED = r"\s?(?:万|亿|[%‰元倍家户人]|个百分点)"
"""What makes a number of digits that might be a name or an id: GDP379.45亿元, 13794500000元."""


def _plain(found: re.Match[str]) -> tuple[str, Decimal]:
    return " ".join(found[0].split()), Decimal(0)


def _date(found: re.Match[str]) -> tuple[str, Decimal]:
    parts = found.groupdict()
    year = int(parts.get("year") or 0)
    month = _MONTHS[parts["month"][:3].lower()] if parts.get("month") else int(parts.get("mon") or 0)
    day = int(parts.get("day") or 0)
    return f"{year:04d}-{month:02d}-{day:02d}", Decimal(year * 10000 + month * 100 + day)


def _han_year(found: re.Match[str]) -> tuple[str, Decimal]:
    year = int("".join(str(DIGITS[character]) for character in found["han"]))
    return f"{year:04d}-00-00", Decimal(year * 10000)


def _clock(found: re.Match[str]) -> tuple[str, Decimal]:
    hour, minute = int(found["hour"]), int(found["minute"])
    return f"{hour:02d}:{minute:02d}", Decimal(hour * 60 + minute)


def _hours(found: re.Match[str]) -> tuple[str, Decimal]:
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    return f"{hour:02d}:{minute:02d}", Decimal(hour * 60 + minute)


def _version(found: re.Match[str]) -> tuple[str, Decimal]:
    figure = re.search(r"\d+(?:\.\d+)*", found[0])
    text = figure[0] if figure else found[0]
    return text, Decimal(text) if text.count(".") < 2 else Decimal(0)


def _docnum(found: re.Match[str]) -> tuple[str, Decimal]:
    number = number_of(found.string, found)
    return number.form, Decimal(number.number)


_Reading = Callable[[re.Match[str]], tuple[str, Decimal]]
# What may begin with any character has a longest length: without it a line without a stop is read from each of its
# characters to its end.
_PATTERNS: tuple[tuple[str, _Reading, re.Pattern[str]], ...] = tuple(
    (dimension, reading, re.compile(pattern))
    for dimension, reading, pattern in (
        (
            "id",
            _plain,
            rf"[a-z][a-z0-9+.-]{{0,30}}://[^\s{HAN}<>()\"，。；]+"
            r"|[\w.+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
        ),
        ("docnum", _docnum, DOCUMENT_NUMBER.pattern),
        ("id", _plain, rf"[(（]\d{{4}}[)）][{HAN}]\d+[{HAN}]{{1,3}}\d+号"),
        (
            "id",
            _plain,
            rf"{_WORD}(?:GB|ISO|IEC|RFC|IEEE|JIS|DIN|EN|DB|YY|JT|JR|SJ|HJ|T)(?:/[A-Z]{{1,4}})?"
            rf"[ -]?\d[\d.]*(?:[-—–]\d{{4}})?{_END}",
        ),
        ("id", _plain, rf"{_WORD}(?=[0-9a-f-]*[a-f])(?=[0-9a-f-]*\d)[0-9a-f]{{7,40}}(?:-[0-9a-f]{{4,12}})*{_END}"),
        ("id", _plain, r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\d.])"),
        ("date", _date, rf"(?<!\d){_YEAR}\s?年\s?{_MON}\s?月(?:\s?{_DAY}\s?[日号])?"),
        ("date", _date, rf"(?<![\d.-]){_YEAR}([-/.]){_MON}\2{_DAY}(?![\d-])(?:T\d\d:\d\d\S*)?"),
        ("date", _date, rf"(?<![\d.-]){_YEAR}[-/]{_MON}(?![\d-])"),
        ("date", _date, rf"(?<!\d){_MON}\s?月\s?{_DAY}\s?[日号]"),
        ("date", _date, rf"(?<!\d){_YEAR}(?:\s?年|(?=\s?[-—–~～至到]\s?(?:19|20)\d\d\s?年))(?!\w*版)"),
        ("date", _date, rf"(?<![\w.]){_YEAR}\s?年?Q[1-4](?![\w.])"),
        ("date", _han_year, r"(?P<han>[一二][〇零一二三四五六七八九]{3})年"),
        ("date", _date, rf"(?<!\d){_MON}(?:\s?月(?!\w?薪)|(?=\s?[-—–~～至到]\s?\d{{1,2}}\s?月))"),
        ("date", _date, rf"(?<!\d){_DAY}\s?日(?!元)"),
        ("date", _date, rf"{_WORD}{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}{_END}"),
        ("date", _date, rf"{_WORD}{_DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}{_END}"),
        ("date", _date, rf"{_WORD}{_MONTH},?\s+{_YEAR}{_END}"),
        ("date", _date, rf"{_WORD}{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?{_END}"),
        ("date", _date, rf"{_WORD}{_DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}{_END}"),
        (
            "date",
            _date,
            rf"(?i:(?<=\bin )|(?<=\bof )|(?<=\bsince )|(?<=\bby )|(?<=\buntil )|(?<=\byear )|(?<=\bfrom ))"
            rf"{_YEAR}(?![\d%]|[.,]\d)(?! [a-z]+s\b)",
        ),
        ("clock", _clock, r"(?<![\d.:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d.:])"),
        (
            "id",
            _plain,
            r"(?m:^[ \t]*(?:[-*+>][ \t]+)*(?:#{1,6}[ \t]*)?)(?:[1-9]\d?(?:\.\d{1,3})++"
            rf"(?!\s?(?:[%％倍万亿]|(?:{_UNIT})(?![{HAN}])))[ \t]?(?=\D)(?=[ \t]*[#A-Z"
            + HAN
            + r"])|[(（]?\d{1,3}[.)）、．](?!\d)[ \t]*)",
        ),
        ("id", _plain, rf"(?<![\w.+])(?:(?:\d{{1,3}}|[A-Z])\+)+(?:(?<=\d\+)[A-Z]|(?<=[A-Z]\+)\d{{1,3}}){_END}"),
        ("id", _plain, rf"{_WORD}[1-5]A(?=级|景区)"),
        ("id", _plain, r"(?<=[“\"「])\d{1,3}(?:\+\d{1,3})+(?=[”\"」])"),
        ("id", _plain, r"(?m:^[ \t]*#{1,6}[ \t]*\d+(?:\.\d+)*)"),
        ("id", _plain, r"[(（\[]\^?\d{1,3}[)）\]]"),
        ("id", _plain, rf"{_WORD}(?:[\w.-]{{1,100}}/)?[\w.-]{{0,100}}#\d+"),
        (
            "id",
            _plain,
            rf"(?:表|图|附件|附录|公式|步骤|代码|编号|编码|邮编|学号|工号|证号|电话|手机|微信|QQ|端口|单号|卡号|账号)(?:号|为|是)?\s?[:：]?\s?\d[\d.-]*{_END}"
            r"(?:[、和及与或]\d{6}(?!\d))*",
        ),
        (
            "id",
            _plain,
            rf"{_WORD}(?i:table|figure|fig|section|sec|chapter|step|part|appendix|issue|no|"
            rf"port|page|item|line|pr|id|equation)\.?[ :=]\s?#?\d+(?:[.-]\d+)*{_END}",
        ),
        ("id", _plain, rf"第\s?(?:\d+|[零一二三四五六七八九十百千]++)(?!\s?[位名0-9.])[{HAN}]?"),
        ("id", _plain, r"(?<![\d.])\d+号(?!召)[线楼院门机文令厅馆]?"),
        (
            "id",
            _plain,
            rf"(?<!\d)(?:\+\d{{1,3}}[ -]?)?1[3-9]\d{{9}}(?!\d|{_MEASURED})|(?<!\d)0\d{{2,3}}-\d{{7,8}}(?!\d)"
            rf"|(?<!\d)\d{{3}}-\d{{3,4}}-\d{{4}}(?!\d)|(?<![\d.])\d{{12,}}(?![\d.]|{_MEASURED})"
            r"|(?<!\d)\+\d[\d -]{8,}\d",
        ),
        (
            "clock",
            _hours,
            r"(?:(?<=[日号])|(?<=[上下中]午)|(?<=凌晨))\s?(?P<hour>[01]?\d|2[0-4])[时点](?:(?P<minute>[0-5]?\d)分)?",
        ),
        ("version", _version, r"(?<![\d.])\d+(?:\.\d+)*\.[xX](?![A-Za-z0-9])"),
        ("version", _version, rf"{_WORD}[vV]\.?\s?\d+(?:\.\w+)*"),
        ("version", _version, r"(?<![\d.,])\d+\.\d+\.\d+(?:[.-][A-Za-z0-9]+)*(?!\d)"),
        ("version", _version, rf"{_WORD}[A-Za-z][A-Za-z]*-\d+(?:\.\d+)+[A-Za-z]?{_END}"),
        ("version", _version, r"(?<![\d.,])\d+\.\d+\s?(?=(?:及以[上下前后]|以[上下前后])?版本?)"),
        ("version", _version, rf"{_WORD}[A-Z][A-Za-z]*\s\d+\.\d+(?=\s?[起版])"),
        (
            "date",
            _date,
            rf"(?<![\d.,$¥€£/#-]){_YEAR}(?= [a-z]+(?<!s)\b)(?! (?:percent|yuan|people|million|billion|thousand)\b)",
        ),
        ("version", _version, r"(?i:\bversion|版本|版本号)\s?[:：为是]?\s?\d+(?:\.\w+)*"),
        (
            "version",
            _version,
            rf"{_WORD}[A-Z][A-Za-z]*(?:\.js)?\s\d+\.\d+(?![\d.])(?!\s?(?:{_UNIT})(?![A-Za-z]))(?!\s?(?:[万亿千]|thousand|[mb]illion))",
        ),
        ("id", _plain, rf"{_WORD}[2-6][GgDdKk](?![A-Za-z0-9])(?!\s?(?:内存|磁盘|空间|大小|RAM|memory))"),
        ("id", _plain, rf"{_WORD}(?!US\$)[A-Za-z_@][A-Za-z_-]*\d[A-Za-z0-9_]*+(?:\.\d+)*+(?!{_MEASURED})"),
        ("id", _plain, r"(?<![\d.])\d+(?:st|nd|rd|th)\b"),
        ("id", _plain, rf"{_WORD}\d+[-_][A-Za-z][A-Za-z0-9_-]*"),
    )
)


def find_marks(text: str) -> list[Mark]:
    """All marks of a text that went through `narrow`, in order, without overlaps; the earlier pattern wins."""
    taken = bytearray(len(text))
    marks = []
    for dimension, reading, pattern in _PATTERNS:
        for found in pattern.finditer(text):
            start, end = found.span()
            if end > start and not any(taken[start:end]):
                if dimension == "docnum":
                    start = max(number_of(text, found).start, taken.rfind(b"\1", 0, start) + 1)
                taken[start:end] = b"\1" * (end - start)
                marks.append(Mark(start, end, dimension, *reading(found)))
    return sorted(marks, key=lambda mark: mark.start)
