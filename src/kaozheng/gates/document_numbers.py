"""Document numbers against the register of policies: one that is not registered is never printed.

Where the agency's short name begins cannot be seen in the text (川经信企业 contains 经, 和国办函 starts with 和): it is
the longest registered agency that ends there, whether or not that very number of it is registered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaozheng.county.policy import Policy
from kaozheng.documents.document_numbers import document_numbers, without_lead
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.numerals import chinese_number
from kaozheng.gates.finding import Action, Gate, GateFinding
from kaozheng.indicators.reason import Reason

_REGISTERED: Final = re.compile(r"(?P<agency>.+?)〔(?P<year>\d{4})〕(?P<number>\d+)号")
_HAN_FORM: Final = re.compile(
    rf"(?<=[{HAN}])\s?[〔﹝\[(【〖]\s?(?P<year>[一二][〇零一二三四五六七八九]{{3}}|\d{{4}})\s?[〕﹞\])】〗]"
    r"\s?第?\s?(?P<number>[〇零一二三四五六七八九十百千]{1,7})\s?号"
)
_ORDER: Final = re.compile(rf"[{HAN}]{{2,16}}(?:令|公告)\s?[（(]?(?:\d{{4}}年)?\s?第\s?\d{{1,5}}\s?号")
_TITLE_BEFORE: Final = re.compile(r"《(?P<title>[^《》]{2,80}(?:《[^《》]{2,80}》[^《》]{0,20})?)》\s?[(（]?\s?$")
_TITLE_AFTER: Final = re.compile(
    r"\s?[)）]?(?:文件?)?[,，]?\s?《(?P<title>[^《》]{2,80}(?:《[^《》]{2,80}》[^《》]{0,20})?)》"
)
_DATE: Final = re.compile(
    r"(?P<year>(?:19|20)\d\d)年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?)?[^，。；《》]{0,8}?(?:印发|发布"
    r"|出台|公布|下发|制定)"
)
_PROVINCES: Final = tuple("京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川黔滇藏陕甘青宁新")
_STOPS: Final = "。！？；\n"
_FORMAT: Final = re.compile(r"(?:〔\d{4}〕)?[1-9]\d*号")
_AND: Final = " 、，,;和及与或以"
_SERIAL: Final = re.compile(r"\s*[、和及与]\s*(?P<written>第?\s?(?P<number>\d{1,5})\s?号)(?![线楼院门机台])")
"""川办发〔2022〕8号、12号: the second has agency and year of the first."""
_REACH: Final = 200
_BEFORE: Final = 40
"""How many characters before its bracket the agency of a number is looked for."""
_LEAST_OF_TITLE: Final = 6


@dataclass(frozen=True, slots=True)
class Citation:
    """A document number as a text writes it; `policy` is the registered one that it stands for, None when there is
    none. `form` is the one written form of what was read."""

    span: Span
    form: str
    year: int
    policy: Policy | None


def citations(text: str, policies: Sequence[Policy]) -> list[Citation]:
    """The document numbers of a text, in order, each with its policy."""
    plain = narrow(text)
    register = _register(policies)
    found = [*_bracketed(plain, register), *_loose(plain, register), *_orders(plain, policies)]
    kept: list[Citation] = []
    for one in sorted(found, key=lambda one: (one.span.start, -one.span.end)):
        if not kept or one.span.start >= kept[-1].span.end:
            kept.append(one)
    return kept


@dataclass(frozen=True, slots=True)
class _Register:
    """`agencies`: all that have a registered number, the longest first."""

    policies: dict[tuple[str, int, int], Policy]
    agencies: tuple[str, ...]

    def agency_before(self, text: str, bracket: int) -> str:
        """The longest agency that stands there; "" for none. 川财建 is not the 财建 of the ministry."""
        end = text[max(0, bracket - _BEFORE) : bracket].rstrip()
        found = next((name for name in self.agencies if end.endswith(name)), "")
        return "" if end[: len(end) - len(found)].endswith(_PROVINCES) else found


def _register(policies: Sequence[Policy]) -> _Register:
    numbers: dict[tuple[str, int, int], Policy] = {}
    for policy in policies:
        if found := _REGISTERED.fullmatch("".join(policy.number.split())):
            numbers.setdefault((found["agency"], int(found["year"]), int(found["number"])), policy)
    return _Register(numbers, tuple(sorted({agency for agency, _, _ in numbers}, key=len, reverse=True)))


def _bracketed(plain: str, register: _Register) -> Iterator[Citation]:
    last, at = "", 0
    for one in document_numbers(plain):
        shared = one.start == one.bracket and not plain[at : one.bracket].strip(_AND)
        agency = register.agency_before(plain, one.bracket) or (last if shared else one.agency)
        last, at = agency, one.end
        yield _citation(plain, one.bracket, one.end, (one.year, one.number), register, agency)
        while agency and (serial := _SERIAL.match(plain, at)):
            start, at = serial.span("written")
            yield _citation(plain, start, at, (one.year, int(serial["number"])), register, agency)
    for found in _HAN_FORM.finditer(plain):
        year, number = (chinese_number(found[name]) or found[name] for name in ("year", "number"))
        agency = register.agency_before(plain, found.start())
        yield _citation(plain, found.start(), found.end(), (int(year), int(number)), register, agency)


def _citation(text: str, start: int, end: int, key: tuple[int, int], register: _Register, agency: str) -> Citation:
    """`start` is where it begins but for its agency, which a row says once: 财税〔2016〕36号、〔2017〕5号."""
    touching = text[max(0, start - _BEFORE) : start].rstrip()
    if agency and touching.endswith(agency):
        start = max(0, start - _BEFORE) + len(touching) - len(agency)
    policy = register.policies.get((agency, *key))
    return Citation(Span(start, end), policy.number if policy else _form(agency, key), key[0], policy)


def _form(agency: str, key: tuple[int, int]) -> str:
    return f"{agency}〔{key[0]}〕{key[1]}号"


def _loose(plain: str, register: _Register) -> Iterator[Citation]:
    """川府发2022年21号: without brackets it is known by an agency that is registered."""
    if not register.agencies:
        return
    names = "|".join(map(re.escape, register.agencies))
    for found in re.finditer(
        rf"(?P<agency>{names})\s?(?P<year>(?:19|20)\d\d)\s?[年\-/]?\s?第?\s?(?P<number>\d{{1,5}})\s?号", plain
    ):
        key = (int(found["year"]), int(found["number"]))
        yield Citation(
            Span(*found.span()), _form(found["agency"], key), key[0], register.policies.get((found["agency"], *key))
        )


def _orders(plain: str, policies: Sequence[Policy]) -> Iterator[Citation]:
    """令第341号, 公告2023年第12号."""
    for found in _ORDER.finditer(plain):
        written = "".join(found[0].split())
        policy = next((one for one in policies if written.endswith(narrow("".join(one.number.split())))), None)
        order = without_lead(written)
        start = found.start() + found[0].index(order[0]) if order else found.start()
        yield Citation(Span(start, found.end()), policy.number if policy else order or written, 0, policy)


def check_document_numbers(text: str, policies: Sequence[Policy], today: date) -> list[GateFinding]:
    """What is wrong with the document numbers of a text, for gate 2: not registered, of the future, with the title or
    date of another document. A number in other brackets, with 第 or padded is right and noted, with its one form."""
    findings = []
    for one in citations(text, policies):
        findings += list(_judged(text, one, policies, today))
    return findings


def _judged(text: str, one: Citation, policies: Sequence[Policy], today: date) -> Iterator[GateFinding]:
    quote = text[one.span.start : one.span.end]
    if one.policy is None:
        yield _finding(one, quote, *_unregistered(text, one, policies, today))
        return
    if (title := _title(text, one.span)) and not _same_title(title, one.policy.title):
        reason = Reason(
            f"{one.form} 是《{one.policy.title}》，不是《{title}》",
            f"{one.form} is 《{one.policy.title}》, not 《{title}》",
        )
        yield _finding(one, quote, "document-number-title", reason)
    if (said := _said_date(text, one.span)) and not _same_date(said, one.policy.date):
        reason = Reason(
            f"{one.form} 的日期是 {one.policy.date}，文中写的是{said[0]}",
            f"{one.form} is of {one.policy.date}, not of {said[0]}",
        )
        yield _finding(one, quote, "document-number-date", reason)
    if quote != one.form and not (one.form.endswith(quote) and _FORMAT.fullmatch(quote)):
        reason = Reason(f"规范写法是 {one.form}", f"its written form is {one.form}")
        yield GateFinding(
            Gate.EVIDENCE, "document-number-form", Action.NOTE, one.span, quote, reason, rows=(one.policy.id,)
        )


def _finding(one: Citation, quote: str, code: str, reason: Reason) -> GateFinding:
    rows = (one.policy.id,) if one.policy else ()
    return GateFinding(Gate.EVIDENCE, code, Action.SEND_BACK, one.span, quote, reason, rows=rows)


def _unregistered(text: str, one: Citation, policies: Sequence[Policy], today: date) -> tuple[str, Reason]:
    if one.year > today.year:
        return "document-number-future", Reason(
            f"{one.form} 的年份在将来", f"{one.form} is of a year that has not come"
        )
    title = _title(text, one.span)
    meant = next((policy for policy in policies if title and _same_title(title, policy.title)), None)
    if meant:
        return "document-number-unknown", Reason(
            f"政策库中没有 {one.form}；《{meant.title}》的文号是 {meant.number}",
            f"{one.form} is not registered; the number of 《{meant.title}》 is {meant.number}",
        )
    return "document-number-unknown", Reason(f"政策库中没有 {one.form}", f"{one.form} is not registered")


def _title(text: str, span: Span) -> str:
    """The title that stands right before or after the number."""
    before = _TITLE_BEFORE.search(text[max(0, span.start - _REACH) : span.start])
    found = before or _TITLE_AFTER.match(text, span.end, span.end + _REACH)
    return found["title"] if found else ""


def _same_title(written: str, title: str) -> bool:
    """Equal but for marks and blanks, or one in the other: titles are shortened, and wrapped in 关于印发…的通知."""
    mine, theirs = (re.sub(r"[\W_]+", "", narrow(one)) for one in (written, title))
    shorter, longer = sorted((mine, theirs), key=len)
    return mine == theirs or (len(shorter) >= _LEAST_OF_TITLE and shorter in longer)


def _said_date(text: str, span: Span) -> tuple[str, int, int, int] | None:
    """The date on which the text says that the document was issued, in the number's own sentence."""
    start = max(text.rfind(stop, max(0, span.start - _REACH), span.start) for stop in _STOPS) + 1
    start = max(start, span.start - _REACH, 0)
    before = list(_DATE.finditer(text[start : span.start]))
    if not before:
        return None
    found = before[-1]
    return found[0], int(found["year"]), int(found["month"] or 0), int(found["day"] or 0)


def _same_date(said: tuple[str, int, int, int], when: date) -> bool:
    _, year, month, day = said
    return year == when.year and month in (0, when.month) and day in (0, when.day)
