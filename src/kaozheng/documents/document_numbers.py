"""Numbers of Chinese official documents: 川发改〔2023〕15号, in whatever brackets they are written.

The standard brackets are 〔 〕; keyboards give [ ], ( ), 【 】 and ﹝ ﹞; 第, blanks and leading zeros come in between.
In a row of numbers the agency is often said once: 财税〔2016〕36号、〔2017〕5号 are both numbers of 财税.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff〇"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
# Round and square brackets stand around years for other reasons too: there the agency touches and 号 is said.
PATTERN = re.compile(
    rf"(?<=[{_HAN}])(?:[\[［(（]|\s{{0,2}}[〔﹝【〖])\s?{_YEAR}\s?[〕﹞\]］】〗)）]\s*第?\s*(?P<number>\d{{1,5}})\s*号"
    rf"|(?<=[{_HAN}])\s?[〔﹝]\s?(?P<year_>(?:19|20)\d{{2}})\s?[〕﹞]\s*第?\s*(?P<number_>\d{{1,5}})(?!\d|\s*[、,-]?\d)"
)
_LONGEST_AGENCY = 16
_NEXT = re.compile(
    rf"\s*(?:[、,，;；和及与或]|以及)\s*(?P<at>[\[［(（〔﹝【〖]\s?{_YEAR}\s?[〕﹞\]］】〗)）]\s*第?\s*(?P<number>\d{{1,5}})\s*号)"
)
_LEAD = re.compile(
    r"^.*(?:根据|按照|依据|依照|遵照|落实|贯彻|执行|参照|参见|转发|印发|以及|和|及|与|或|按|见|《|》|的"
    r"|请问|查询|查找|查阅|查一下|找一下|看一下|关于|什么是|文件|文号|为|是|在|由)"
)
_BESIDE = 16
"""Characters that may stand beside a document's own number on its line: 签发人, 特急, a date."""
_LABEL = re.compile(r"[\W_]*(?:(?:发文)?(?:文号|字号|编号)\s*[:：]?)?[\W_]*")


@dataclass(frozen=True, slots=True)
class DocumentNumber:
    """One such number. `start` is where the agency's short name begins, `bracket` where the number behind it does; they
    are the same where the agency is that of the number before."""

    start: int
    bracket: int
    end: int
    agency: str
    year: int
    number: int

    @property
    def form(self) -> str:
        """Its one written form."""
        return f"{self.agency}〔{self.year}〕{self.number}号"


def document_numbers(text: str) -> list[DocumentNumber]:
    """All that stand in the text, in order."""
    numbers: list[DocumentNumber] = []
    for found in PATTERN.finditer(text):
        if numbers and found.start() < numbers[-1].end:
            continue
        numbers.append(number_of(text, found))
        while numbers[-1].agency and (following := _NEXT.match(text, numbers[-1].end)):
            at, end = following.span("at")
            agency, year, number = numbers[-1].agency, int(following["year"]), int(following["number"])
            numbers.append(DocumentNumber(at, at, end, agency, year, number))
    return numbers


def bears(text: str, asked: DocumentNumber) -> bool:
    """Whether the number stands on a line of its own, as a document bears its number; in a sentence it is another's."""
    for line in unicodedata.normalize("NFKC", text).split("\n"):
        label = _LABEL.match(line)
        plain = line[label.end() if label else 0 :].strip()
        for one in document_numbers(plain):
            alone = (
                not one.start
                and len(plain) - one.end <= _BESIDE
                and not re.search(r"[，。；,;]|文件", plain[one.end :])
            )
            if alone and same_number(one, asked):
                return True
    return False


def same_number(one: DocumentNumber, other: DocumentNumber) -> bool:
    """Whether both are the same number; the agency may be written with more before it on one side (发改, 川发改)."""
    if (one.year, one.number) != (other.year, other.number):
        return False
    return one.agency.endswith(other.agency) or (bool(one.agency) and other.agency.endswith(one.agency))


def without_lead(run: str) -> str:
    """A run of characters that ends in the name of an agency, without the words that lead to it: 落实川府发."""
    return _LEAD.sub("", run)


def number_of(text: str, found: re.Match[str]) -> DocumentNumber:
    """What a match of PATTERN in this text says."""
    bracket = found.start()
    run = re.search(rf"[{_HAN}]+$", text[max(0, bracket - _LONGEST_AGENCY) : bracket])
    agency = without_lead(run[0]) if run else ""
    year, number = found["year"] or found["year_"], found["number"] or found["number_"]
    return DocumentNumber(bracket - len(agency), bracket, found.end(), agency, int(year), int(number))
