"""What of a sentence can be looked up: its numbers, dates, quotes and document numbers, in the text it rests on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from kaozheng.documents.document_numbers import DocumentNumber, document_numbers
from kaozheng.evidence.agreement import agree, unsupported
from kaozheng.evidence.derived import Derived, derived
from kaozheng.evidence.folding import HAN, fold, narrow
from kaozheng.evidence.number_words import number_words
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.evidence.numerals import CHARACTERS
from kaozheng.evidence.quotes import locate_folded
from kaozheng.sources.canonical import canonicals, folded

Kind = Literal["number", "date", "quote", "document_number", "support"]
_QUOTE = re.compile(r"[“「『](?P<inner>[^“”「」『』\n]{2,400})[”」』]|(?<![\w\"])\"(?P<plain>[^\"\n]{2,400})\"(?!\w)")
_LEFT_OUT = re.compile(r"…+|\.{3,}")
_FEWEST_HAN, _FEWEST_WORDS = 4, 3
_ENUMERATOR = re.compile(
    r"^[\W_]*(?:\d{1,3}|[一二三四五六七八九十]{1,3})[.)）、．]?[\W_]*$|^第[一二三四五六七八九十\d]{1,3}[，,、：:]?$"
)
_KINDS = frozenset("级类种点步层门块段")
_SMALL = 10
_ONE = r"一\s?{0}|\b(?:one|an?|single)\s(?:\w+\s)?{0}"
_SCALE_WORD = re.compile(r"(?:hundred|thousand|million|billion|trillion)\b", re.IGNORECASE)
_HALF = re.compile(r" and a half\b", re.IGNORECASE)
_QUARTER = re.compile(r"[ -]quarters?\b(?= of|\s?\()", re.IGNORECASE)
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_DIGITS = re.compile(rf"[\d０-９{CHARACTERS}][\d０-９.,，{CHARACTERS}]*[%％]?")


@dataclass(frozen=True, slots=True)
class Fault:
    """What the evidence does not have, as the sentence says it. `support`: the sentence as a whole."""

    kind: Kind
    said: str


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found wanting in a sentence, and the numbers that it worked out itself."""

    faults: tuple[Fault, ...]
    derived: tuple[Derived, ...]


@dataclass(frozen=True)
class Ground:
    """The text that sentences may rest on: that of the evidence with its titles, and that of the question."""

    text: str

    @cached_property
    def numbers(self) -> list[Number]:
        """All numbers of the text, those too that English spells out."""
        spelled = _in_digits(self.text)
        return find_numbers(self.text) + (find_numbers(spelled) if spelled != self.text else [])

    @cached_property
    def document_numbers(self) -> list[DocumentNumber]:
        """All numbers of official documents."""
        return document_numbers(self.text)

    @cached_property
    def standards(self) -> frozenset[str]:
        """The canonical terms of standards, each with its wider ones."""
        return frozenset(
            term for place in canonicals(folded(self.text)) if place.kind == "standard" for term in place.terms
        )

    @cached_property
    def squeezed(self) -> str:
        """Without blanks and case, to look names with digits up."""
        return _squeezed(self.text)

    @cached_property
    def narrowed(self) -> str:
        """With half-width digits."""
        return narrow(self.text)

    @cached_property
    def for_quotes(self) -> tuple[str, list[int]]:
        """In one written form, with where each character stood, to look quotes up."""
        return fold(self.text)

    @cached_property
    def for_quotes_in_any_case(self) -> tuple[str, list[int]]:
        """As `for_quotes`, without case."""
        return fold(self.text.casefold())


def look_up(sentence: str, cited: Ground, given: Ground, counted: int = 0, row: bool = False) -> Looked:
    """Everything in a sentence (without marks) that neither the cited text nor the question has.

    `counted` is how many items the list has that the sentence opens; a count that says so needs no evidence. The
    cells of a `row` have their units in the head of the table.
    """
    quotes = list(_of_quotes(sentence, cited, given))
    faults = [*_of_document_numbers(sentence, cited, given)]
    worked_out: list[Derived] = []
    rest = sentence
    for quote in quotes:  # a number in an invented quote is no second fault
        rest = rest.replace(quote.said, " ")
    for number in missing_numbers(rest, cited, given):
        if number.dimension == "count" and _counts_itself(number, rest, counted):
            continue
        if row and any(same_figure(number, source) for source in cited.numbers):
            continue
        how = derived(number, rest, cited.numbers) if number.is_quantity else None
        if how is not None:
            worked_out.append(how)
        else:
            faults.append(Fault("date" if number.dimension == "date" else "number", number.text.strip()))
    return Looked((*faults, *quotes), tuple(worked_out))


def missing_numbers(sentence: str, cited: Ground, given: Ground) -> list[Number]:
    """The numbers and dates of a sentence that neither text has; what only numbers the points of a list is none."""
    taken = [place.span for place in _documents(sentence)]
    claims = [
        number
        for number in claimed_numbers(sentence)
        if not any(span[0] < number.span.end and number.span.start < span[1] for span in taken)
        and number.dimension != "docnum"
        and not (number.dimension == "id" and _enumerates(number, sentence))
    ]
    if not claims:
        return []
    sources = [*cited.numbers, *given.numbers]
    said = Counter((number.dimension, number.unit, number.value) for number in claims)
    known = {(number.dimension, number.unit, number.value) for number in sources}
    missing = [
        number
        for number in unsupported(claims, sources)
        if not (said[key := (number.dimension, number.unit, number.value)] > 1 and key in known)  # said twice
        and not _carried(number, sources, cited, given)
        and not _stands_as_written(number, cited)
    ]
    carried = [number for number in claims if number not in missing]
    return [number for number in missing if not any(_converted(number, other) for other in carried)]


def without_numbers(sentence: str) -> str:
    """The words of a sentence alone: a number in another form would be other words."""
    if _DIGITS.search(sentence) is None:  # most clauses; reading numbers is the dearest thing here
        return sentence
    parts, at = [], 0
    for number in find_numbers(sentence):
        start, end = number.span.start, number.span.end
        parts += [sentence[at:start], _DIGITS.sub(" ", sentence[start:end])]
        at = end
    return "".join((*parts, sentence[at:]))


def without_amounts(sentence: str) -> str:
    """The words of a sentence without its numbers and their units."""
    parts, at = [], 0
    for number in find_numbers(sentence):
        if number.is_quantity:
            parts += [sentence[at : number.span.start], " "]
            at = number.span.end
    return "".join((*parts, sentence[at:]))


def claimed_numbers(sentence: str) -> Iterator[Number]:
    """The numbers of a sentence. Small counts that are spelled out (两级, three classes) say what one sees: they are
    no claims, unless they measure something (fifteen days) or count what is more than a kind."""
    for number in find_numbers(sentence):
        spelled = not any(character.isdigit() for character in narrow(number.text))
        if not (spelled and number.dimension == "count" and number.unit in _KINDS and abs(number.value) <= _SMALL):
            yield number
    spelled_out = _in_digits(sentence)
    if spelled_out != sentence:
        plain = {(number.unit, number.value) for number in find_numbers(sentence)}
        for number in find_numbers(spelled_out):
            measures = number.is_quantity and (number.value > _SMALL or number.dimension not in ("", "count"))
            if measures and (number.unit, number.value) not in plain:
                yield number


def _in_digits(text: str) -> str:
    """The text with the numbers that English spells out in digits, halves and quarters too."""
    parts, at = [], 0
    for span, value in number_words(text):
        if _SCALE_WORD.match(text, span.start):  # the million of 1.25 million is no number of its own
            continue
        half = _HALF.match(text, span.end)
        quarter = _QUARTER.match(text, span.end) if value in (1, 3) else None
        end = half.end() if half else quarter.end() if quarter else span.end
        said = f"{value}.5" if half else f"{int(value) * 25}%" if quarter else str(value)
        parts += [text[at : span.start], said]
        at = end
    return "".join((*parts, text[at:]))


def _enumerates(number: Number, sentence: str) -> bool:
    following = sentence[number.span.end : number.span.end + 1]
    if number.text.startswith("第"):
        return following in "，,、：:" and _ENUMERATOR.match(number.text.strip()) is not None
    return _ENUMERATOR.match(number.text.strip()) is not None


def _stands_as_written(number: Number, cited: Ground) -> bool:
    """Whether the evidence has it in the same characters, or a bare figure among any others (a year, a size in a name),
    however it is read there."""
    place = locate_folded(number.text, cited.for_quotes)
    if place is not None and cited.text[max(0, place.start - 1) : place.start] not in tuple(CHARACTERS):
        return True
    if number.dimension or not number.is_quantity or number.value != number.value.to_integral_value():
        return False
    return re.search(rf"(?<![\d.,]){number.value:f}(?![\d,]|\.\d)", cited.narrowed) is not None


def _converted(number: Number, other: Number) -> bool:
    """300秒，即5分钟: the same amount again in another unit."""
    same = (number.dimension, number.unit, number.value) == (other.dimension, other.unit, other.value)
    return same and bool(number.dimension) and number.is_quantity


def _carried(number: Number, sources: Sequence[Number], cited: Ground, given: Ground) -> bool:
    """Whether a text has the number after all: roughly, in parts, or letter by letter."""
    if number.dimension == "date":  # one date of the source may carry several: its year, its day
        return any(agree(number, source) for source in sources) or _date_in_parts(number, sources)
    if not number.is_quantity:
        written = _squeezed(number.text)
        if written in cited.squeezed or written in given.squeezed:
            return True
        # H2O, 3D: the digits of a name agree with its digits wherever they stand
        return number.dimension == "id" and any(agree(number, source) for source in sources)
    if number.about and any(roughly(number, source) for source in sources):
        return True
    if number.dimension and any(_in_column(number, source, cited) for source in sources):
        return True
    if number.value == 1 and number.dimension == "count":  # 一个 is not read as a number
        return re.search(_ONE.format(re.escape(number.unit)), cited.text, re.IGNORECASE) is not None
    return number.dimension == "count" and any(_counted_alike(number, source) for source in sources)


def _in_column(number: Number, source: Number, cited: Ground) -> bool:
    """52.3万人 for 52.3 in a table whose head says 人口（万人）."""
    written = narrow(number.text).replace(",", "")
    figure = _FIGURE.search(written)
    if figure is None or source.dimension or abs(source.written) != Decimal(figure[0]):
        return False
    unit = re.escape(written[figure.end() :].strip())
    return re.search(rf"(?:[(（:：]|单位)\s?{unit}(?![{HAN}])", cited.text) is not None


def same_figure(number: Number, source: Number) -> bool:
    """215.6 in a cell, 215.6万人次 in the evidence."""
    figure = _FIGURE.search(narrow(source.text).replace(",", ""))
    bare = not number.dimension and narrow(number.text).strip()[-1:].isdigit()
    return bare and figure is not None and Decimal(figure[0]) == abs(number.written)


def roughly(number: Number, source: Number) -> bool:
    """约130亿, 超过120亿 and 近130亿 for 128.46亿: within one of its last digit that is not 0."""
    if (number.dimension, number.unit) != (source.dimension, source.unit) and number.dimension and source.dimension:
        return False
    mine, other = (
        (abs(number.value), abs(source.value))
        if number.dimension and source.dimension
        else (abs(number.written), abs(source.written))
    )
    if not mine:
        return False
    room = number.step
    while mine % (room * 10) == 0 and room * 10 < mine:
        room *= 10
    if number.about == "~":
        return abs(mine - other) <= room / 2
    return mine <= other < mine + room if number.about == ">" else mine - room < other <= mine


def _counted_alike(number: Number, source: Number) -> bool:
    """5名, 5位 and 5人 count persons."""
    persons = {"人", "名", "位"}
    return number.unit in persons and source.unit in persons and number.value == source.value


def _date_in_parts(date: Number, sources: Sequence[Number]) -> bool:
    """Whether its year and its day stand in two places: the year is often said once, in a title or
    an earlier sentence."""
    year, month, day = date.unit.split("-")
    if not int(year):
        return False
    others = [number.unit.split("-") for number in sources if number.dimension == "date"]
    has_year = any(other[0] == year for other in others) or any(
        number.dimension in ("", "id") and number.written == Decimal(year) for number in sources
    )
    if not int(month):
        return has_year
    return has_year and any(
        not int(other[0]) and other[1] == month and (not int(day) or other[2] == day) for other in others
    )


@dataclass(frozen=True, slots=True)
class _Named:
    """A document number or standard of a sentence."""

    span: tuple[int, int]
    said: str
    number: DocumentNumber | None
    term: str = ""


def _documents(sentence: str) -> Iterator[_Named]:
    for number in document_numbers(sentence):
        yield _Named((number.start, number.end), sentence[number.start : number.end], number)
    plain = narrow(sentence)
    for place in canonicals(plain):
        if place.kind == "standard":
            yield _Named((place.start, place.end), sentence[place.start : place.end], None, place.form)


def _of_document_numbers(sentence: str, cited: Ground, given: Ground) -> Iterator[Fault]:
    for named in _documents(sentence):
        if named.number is None:
            known = named.term in cited.standards or named.term in given.standards
        else:
            known = any(
                _same_document(named.number, other) for other in (*cited.document_numbers, *given.document_numbers)
            )
        if not known:
            yield Fault("document_number", named.said.strip())


def _same_document(one: DocumentNumber, other: DocumentNumber) -> bool:
    """The same year and number, of agencies whose names may be cut short or run into the words before them."""
    if (one.year, one.number) != (other.year, other.number):
        return False
    return one.agency.endswith(other.agency) or other.agency.endswith(one.agency)


def _of_quotes(sentence: str, cited: Ground, given: Ground) -> Iterator[Fault]:
    for found in _QUOTE.finditer(sentence):
        quote = found["inner"] or found["plain"]
        parts = [part for part in _LEFT_OUT.split(quote) if part.strip()]
        if _is_long(quote) and not all(_stands(part, cited) or _stands(part, given) for part in parts):
            yield Fault("quote", quote.strip())


def _is_long(quote: str) -> bool:
    han = len(re.findall(f"[{HAN}]", quote))
    return han >= _FEWEST_HAN or len(re.findall(r"[A-Za-z]{2,}", quote)) >= _FEWEST_WORDS


def _stands(part: str, ground: Ground) -> bool:
    if (
        locate_folded(part, ground.for_quotes) is not None
        or locate_folded(part.casefold(), ground.for_quotes_in_any_case) is not None
    ):
        return True
    return not any(character.isalnum() for character in part)


def _counts_itself(number: Number, sentence: str, counted: int) -> bool:
    """它分为三类：甲、乙、丙 and the sentence that opens a list count what the reader sees."""
    if number.value == counted and counted:
        return True
    rest = sentence[number.span.end :].rstrip("。.；;！!")
    parts = re.split(r"、|；|;|，(?:以及|和|及)?|,\s?(?:and )?|\s?(?:以及|和|与|及|\band\b)\s?", rest)
    return 1 < len(parts) == int(number.value) if number.value == int(number.value) else False


def _squeezed(text: str) -> str:
    return re.sub(r"[\s\-_]+", "", folded(text)).casefold()
