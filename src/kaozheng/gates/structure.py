"""Gate 4: the report has the sections of its type, none of them empty, numbered as official documents are.

Headings are those of Markdown and the levels of GB/T 9704-2012, 7.3.3: 一、 above （一） above 1. above （1）.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.documents.document import Document
from kaozheng.documents.headings import strip_numbering
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import fold
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.report_types import ReportType, report_type
from kaozheng.indicators.reason import Reason

_HAN: Final = "一二三四五六七八九十"
_LEVELS: Final = (
    re.compile(rf"(?:第(?P<chapter>[{_HAN}]{{1,3}})[章部]分?|(?P<number>[{_HAN}]{{1,3}})、)"),
    re.compile(rf"[（(](?P<number>[{_HAN}]{{1,3}})[）)]"),
    re.compile(r"(?P<number>\d{1,2})[.．、](?!\d)"),
    re.compile(r"[（(](?P<number>\d{1,2})[）)]"),
)
_LONGEST_HEADING: Final = 40
_STOPS: Final = "。；，！？.;,!?:："


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading with its level from 1 and its number (0: none)."""

    span: Span
    title: str
    level: int
    number: int


def structure(text: str, ground: Ground) -> GateReport:
    """What the text lacks as a report of its type; nothing where the ground names no type."""
    if not ground.report_type:
        return GateReport(Gate.STRUCTURE, (), text)
    asked = report_type(ground.report_type)
    headings = _headings(text)
    found = [
        *_missing(text, asked, headings),
        *_too_few(text, asked, headings),
        *_slots(text, asked),
        *_empty(text, headings),
        *_numbering(headings),
    ]
    return GateReport(Gate.STRUCTURE, tuple(found), text)


def _headings(text: str) -> list[_Heading]:
    """Markdown headings, and short lines with an official number; a single Markdown heading of level 1 is the title."""
    document = Document(text)
    marked = [heading for heading in document.headings if not heading.nested]
    top = [heading for heading in marked if heading.level == 1]
    title = top[0] if len(top) == 1 and marked[0] is top[0] else None
    lowest = min((heading.level for heading in marked if heading is not title), default=1)
    found = []
    for heading in marked:
        if heading is not title:
            level, number = _numbered(heading.text)
            found.append(_Heading(heading.span, heading.text, level or heading.level - lowest + 1, number))
    taken = {document.line_of(heading.span.start) for heading in marked}
    at = 0
    for line_number, line in enumerate(document.lines, 1):
        level, number = _numbered(line.strip())
        if level and line_number not in taken and _reads_as_heading(line.strip(), level):
            found.append(_Heading(Span(at, at + len(line)), line.strip(), level, number))
        at += len(line) + 1
    return sorted(found, key=lambda one: one.span)


def _numbered(title: str) -> tuple[int, int]:
    """The level and number that an official number gives a title; 0, 0 without one."""
    for level, form in enumerate(_LEVELS, 1):
        if found := form.match(title):
            return level, _value(found["number"] or found.groupdict().get("chapter") or "0")
    return 0, 0


def _value(written: str) -> int:
    if written.isdigit():
        return int(written)
    tens, _, ones = written.rpartition("十")
    value = (_HAN.index(tens) + 1 if tens else 1) * 10 if "十" in written else 0
    return value + (_HAN.index(ones) + 1 if ones else 0)


def _reads_as_heading(line: str, level: int) -> bool:
    """A numbered line is a heading when it is short and no sentence; numbers in Arabic figures also number items."""
    return level <= 2 and len(line) <= _LONGEST_HEADING and line[-1] not in _STOPS


def _missing(text: str, asked: ReportType, headings: Sequence[_Heading]) -> Iterator[GateFinding]:
    titles = [fold(strip_numbering(heading.title))[0].casefold() for heading in headings]
    for aliases in asked.sections:
        if not any(alias.casefold() in title for alias in aliases for title in titles):
            reason = Reason(f"《{asked.zh}》缺少章节“{aliases[0]}”", f'The section "{aliases[-1]}" is missing.')
            yield _sent_back("section-missing", text, _last_line(text), reason)


def _too_few(text: str, asked: ReportType, headings: Sequence[_Heading]) -> Iterator[GateFinding]:
    count = sum(heading.level == 1 for heading in headings)
    if count < asked.min_sections and not asked.sections:
        reason = Reason(
            f"只有{count}个一级章节，至少要{asked.min_sections}个",
            f"There are {count} sections, {asked.min_sections} are asked for.",
        )
        yield _sent_back("sections-too-few", text, _last_line(text), reason)


def _slots(text: str, asked: ReportType) -> Iterator[GateFinding]:
    folded = fold(text)[0].casefold()
    for words in asked.slots:
        if not any(word.casefold() in folded for word in words):
            reason = Reason(f"缺少必备内容“{words[0]}”", f'Nothing is said of "{words[-1]}".')
            yield _sent_back("slot-missing", text, _last_line(text), reason)


def _empty(text: str, headings: Sequence[_Heading]) -> Iterator[GateFinding]:
    for index, heading in enumerate(headings):
        following = headings[index + 1] if index + 1 < len(headings) else None
        body = text[heading.span.end : following.span.start if following else len(text)]
        if not body.strip(" \n#") and not (following and following.level > heading.level):
            reason = Reason(f"“{heading.title}”下没有内容", f'Nothing stands under "{heading.title}".')
            yield _sent_back("section-empty", text, heading.span, reason)


def _numbering(headings: Sequence[_Heading]) -> Iterator[GateFinding]:
    """Numbers of one level go up by one until a heading of a higher level starts them anew."""
    counts: dict[int, int] = {}
    for heading in headings:
        for level in [level for level in counts if level > heading.level]:
            del counts[level]
        if not heading.number:
            continue
        expected = counts.get(heading.level, 0) + 1
        if heading.number != expected:
            reason = Reason(
                f"“{heading.title}”的序号应为第{expected}", f'"{heading.title}" should have the number {expected}.'
            )
            yield GateFinding(Gate.STRUCTURE, "heading-number", Action.SEND_BACK, heading.span, heading.title, reason)
        counts[heading.level] = heading.number


def _last_line(text: str) -> Span:
    end = len(text.rstrip())
    return Span(text.rfind("\n", 0, end) + 1, end)


def _sent_back(code: str, text: str, span: Span, reason: Reason) -> GateFinding:
    return GateFinding(Gate.STRUCTURE, code, Action.SEND_BACK, span, text[span.start : span.end], reason)
