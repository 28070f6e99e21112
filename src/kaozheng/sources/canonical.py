"""One written form for what is written in many: document numbers, standards, dates, versions, decimals, credit codes.

A question and a text meet in this form. Each place also has wider terms, so that a question for 2023年5月 finds a text
of 2023-05-17, and one for GB/T 9704 finds GB/T 9704—2012. A form is itself written in that form.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from kaozheng.documents.document_numbers import DocumentNumber, document_numbers

Kind = Literal["document number", "standard", "date", "version", "number", "code"]

_LONGEST_TAIL = 6  # characters of an agency's name; the stars below name its ends


@dataclass(frozen=True, slots=True)
class Canonical:
    """One place. `start` and `end` are offsets into the folded text; `terms` begin with `form`, wider ones follow."""

    start: int
    end: int
    kind: Kind
    terms: tuple[str, ...]

    @property
    def form(self) -> str:
        """The one written form."""
        return self.terms[0]


def folded(text: str) -> str:
    """The text with widths folded (NFKC); upper case stays, since it tells the parts of identifiers."""
    return unicodedata.normalize("NFKC", text)


def canonicals(text: str) -> list[Canonical]:
    """All such places of a folded text, in order, without overlaps; the earlier kind wins."""
    taken = bytearray(len(text))
    found = []
    for place in _places(text):
        if not any(taken[place.start : place.end]):
            taken[place.start : place.end] = b"\1" * (place.end - place.start)
            found.append(place)
    return sorted(found, key=lambda place: place.start)


def tail_term(number: DocumentNumber) -> str:
    """The term that all numbers have whose agency ends with this one's: 川发改〔2023〕15号 has *发改〔2023〕15号."""
    return f"*{number.form}"


def _places(text: str) -> Iterator[Canonical]:
    for number in document_numbers(text):
        # The agency's name stays in the text: it is made of words that are asked for alone.
        yield Canonical(number.bracket, number.end, "document number", _number_terms(number))
    for kind, pattern, reading in _KINDS:
        for match in pattern.finditer(text):
            yield Canonical(match.start(), match.end(), kind, tuple(term.casefold() for term in reading(match)))


def _number_terms(number: DocumentNumber) -> tuple[str, ...]:
    bare = f"〔{number.year}〕{number.number}号"
    tails = (number.agency[-length:] for length in range(min(len(number.agency), _LONGEST_TAIL), 1, -1))
    return (number.form, *(f"*{tail}{bare}" for tail in tails), *((bare,) if number.agency else ()), str(number.year))


def _bare_number(match: re.Match[str]) -> tuple[str, ...]:
    return f"〔{match['year']}〕{int(match['number'])}号", match["year"]


def _standard(match: re.Match[str]) -> tuple[str, ...]:
    body = re.sub(r"^(?i:gb)([tzTZ])$", r"gb/\1", match["body"].replace(" ", ""))
    plain = f"{body}{match['number']}"
    return (f"{plain}-{match['year']}", plain, match["number"]) if match["year"] else (plain, match["number"])


def _date(match: re.Match[str]) -> tuple[str, ...]:
    parts = match.groupdict()
    year = parts.get("year") or ""
    if parts.get("han"):
        year = _digits(parts["han"])
    month = _month(parts)
    day = _figure(parts.get("day") or "")
    date = "-".join(part for part in (year, f"{month:02d}" if month else "", f"{day:02d}" if day else "") if part)
    if not year:
        return (f"--{date}", f"--{month:02d}") if day else (f"--{date}",)
    wider = (f"{year}-{month:02d}", year, f"--{month:02d}") if month else ()
    if day:
        return (date, *wider, f"--{month:02d}-{day:02d}")
    return (date, *wider[1:])


def _month(parts: dict[str, str]) -> int:
    name = parts.get("name") or ""
    return _MONTHS.index(name[:3].casefold()) // 3 + 1 if name else _figure(parts.get("month") or "")


def _figure(text: str) -> int:
    """1 to 31, in digits or in Han numerals up to 三十一; 0 for nothing."""
    if not text or text.isdecimal():
        return int(text or 0)
    tens, ten, ones = text.rpartition("十") if "十" in text else ("", "", text)
    return (_HAN_DIGITS.index(tens) if tens else 1) * 10 * bool(ten) + (_HAN_DIGITS.index(ones) if ones else 0)


def _digits(han: str) -> str:
    return "".join(str(_HAN_DIGITS.index(character) if character != "零" else 0) for character in han)


def _version(match: re.Match[str]) -> tuple[str, ...]:
    return (match["figures"],)


def _number(match: re.Match[str]) -> tuple[str, ...]:
    written = match[0].replace(",", "")
    figures = written.rstrip("%")
    plain = figures.rstrip("0").rstrip(".") if "." in figures else figures
    return tuple(dict.fromkeys((written, figures, plain)))


def _code(match: re.Match[str]) -> tuple[str, ...]:
    return (match[0],)


_HAN_DIGITS = "〇一二三四五六七八九"
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_NAME = (
    "(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_MONTH = r"(?P<month>1[0-2]|0?[1-9])"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_HAN_YEAR = "(?P<han>[一二][〇零一二三四五六七八九]{3})年"
_HAN_MONTH = "(?P<month>十[一二]?|[一二三四五六七八九])月"
_HAN_DAY = "(?P<day>三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
_LETTER = "(?=[a-z])"  # said first where one must follow: it is looked for twenty times as fast as the words themselves
_WORD, _END = r"(?<![a-z0-9_.])", r"(?![a-z0-9_]|\.\d)"
_INDUSTRY = (
    "aq|cj|dl|fz|ga|gy|hg|hj|jb|jc|jg|jr|js|jt|ly|mh|mz|nb|ny|qb|qc|rb|sb|sf|sh|sj|sl|sn|sy|tb|ws|xf|yc|yd|yy|yz"
)
_Reading = Callable[[re.Match[str]], tuple[str, ...]]
_PATTERNS: tuple[tuple[Kind, str, _Reading], ...] = (
    ("document number", rf"〔\s?{_YEAR}\s?〕\s*第?\s*(?P<number>\d{{1,5}})\s*号", _bare_number),
    ("code", r"(?<![a-z0-9])[0-9a-hj-npqrtuwxy]{2}\d{6}[0-9a-hj-npqrtuwxy]{10}(?![a-z0-9])", _code),
    (
        "standard",
        rf"{_LETTER}{_WORD}(?<!/)(?P<body>gb[tz]|(?:gb|iso|iec|ieee|rfc|jis|din|astm|ansi|db\d\d)(?:\s?/\s?[a-z]{{1,5}})?"
        rf"|t/[a-z]{{2,8}}|(?:{_INDUSTRY})/[tz]|(?:{_INDUSTRY})(?=\s?\d+(?:\.\d+)*\s?[-—–](?:19|20)\d\d))"
        rf"\s?-?\s?(?P<number>\d+(?:\.\d+)*[a-z]{{0,2}})(?:\s?[-—–:]\s?{_YEAR})?{_END}",
        _standard,
    ),
    ("date", rf"(?<!\d){_YEAR}\s?年\s?{_MONTH}\s?月(?:\s?{_DAY}\s?[日号])?", _date),
    ("date", rf"{_HAN_YEAR}(?:{_HAN_MONTH}(?:{_HAN_DAY})?)?", _date),
    ("date", rf"(?<![\d.-]){_YEAR}([-/.]){_MONTH}\2{_DAY}(?![\d-]|\.\d)", _date),
    ("date", rf"(?<![\d.-]){_YEAR}[-/](?P<month>1[0-2]|0[1-9])(?![\d-])", _date),
    ("date", rf"(?<![\w-])--{_MONTH}(?:-{_DAY})?(?![\d-])", _date),
    ("date", rf"(?<!\d){_MONTH}\s?月(?!\w?薪)(?:\s?{_DAY}\s?[日号])?", _date),
    ("date", rf"{_LETTER}{_WORD}{_NAME}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}{_END}", _date),
    ("date", rf"{_WORD}{_DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{_NAME},?\s+{_YEAR}{_END}", _date),
    ("date", rf"{_LETTER}{_WORD}{_NAME},?\s+{_YEAR}{_END}", _date),
    ("date", rf"{_LETTER}{_WORD}{_NAME}\s+{_DAY}(?:st|nd|rd|th)?{_END}", _date),
    ("version", rf"{_WORD}(?:v\.?\s?)?(?P<figures>\d+\.\d+\.\d+(?:[.-][a-z0-9]+)*)(?![a-z0-9_])", _version),
    ("version", rf"{_WORD}v\.?\s?(?P<figures>\d+\.\d+)(?:版)?{_END}", _version),
    ("number", rf"(?<![\d.,])\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?%?{_END}(?!,\d)", _number),
    ("number", rf"{_WORD}\d+(?:\.\d+%?|%){_END}", _number),
)
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE), reading) for kind, pattern, reading in _PATTERNS)
