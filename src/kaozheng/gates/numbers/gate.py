"""The gate itself: paragraphs in, findings out. What cannot be traced is sent back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.numbers import Number
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.numbers.candidates import Candidate, of_sheet
from kaozheng.gates.numbers.claims import Claim, claims
from kaozheng.gates.numbers.figures import TITLE, figures_of
from kaozheng.gates.numbers.matching import PLACES, matches
from kaozheng.gates.numbers.other_evidence import cited, in_clause, of_result, spoken_of
from kaozheng.gates.numbers.periods import whens
from kaozheng.gates.numbers.places import wheres
from kaozheng.gates.numbers.said import Said
from kaozheng.gates.numbers.scopes import with_scopes
from kaozheng.gates.numbers.tables import Cell, cells, tables
from kaozheng.gates.numbers.vocabulary import GAP, Vocabulary, What
from kaozheng.gates.numbers.why_not import WhyNot, why_not, wrong_turn
from kaozheng.indicators.period import Period

_EMPHASIS: Final = re.compile(r"\*{1,3}|__|~~|`+")
_GAP_REACH: Final = 3
_REGIONS: Final = frozenset({"县", "市"})
_AMONG: Final = re.compile(r"(?:县|市|区|地区)")


@dataclass(frozen=True, slots=True)
class Judged:
    """A number and what carries it: names of rows, or the id of a clause or result; `why_not` when nothing does."""

    span: Span
    text: str
    sources: tuple[str, ...]
    why_not: WhyNot | None = None
    wide: Span | None = None
    """With the word of direction that is wrong."""


def numbers(text: str, ground: Ground) -> GateReport:
    """Gate 1 over a finished text (Markdown, or what was read back from a file): the numbers that nothing carries."""
    findings = tuple(_finding(one, text) for one in judged(text, ground) if one.why_not)
    return GateReport(Gate.NUMBERS, findings, text)


def _finding(one: Judged, text: str) -> GateFinding:
    why = one.why_not
    assert why is not None
    span = one.wide or one.span
    return GateFinding(
        Gate.NUMBERS, why.code, Action.SEND_BACK, span, text[span.start : span.end], why.reason, rows=why.rows
    )


def judged(text: str, ground: Ground) -> list[Judged]:
    """All numbers of a text, in order, each with what carries it."""
    return list(_Judge(ground).all(text))


class _Judge:
    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.candidates = of_sheet(ground.facts)
        self.by_indicator: dict[str, list[Candidate]] = {}
        for candidate in self.candidates:
            self.by_indicator.setdefault(candidate.fact.indicator.key, []).append(candidate)
        self.vocabulary = Vocabulary(ground.facts.indicators)
        self.own = self.region = ground.region.code if ground.region else ""
        self.regions = frozenset(row.region for row in ground.facts.facts)
        self.counties = frozenset(one.code for one in ground.gazetteer.counties(ground.today.year))
        self.period = ground.period
        self.what: What | None = None

    def all(self, text: str) -> Iterator[Judged]:
        at, above = 0, ""
        left = tables(text)
        for line in text.split("\n"):
            end = at + len(line)
            if left and left[0].start <= at and end <= left[0].end:
                if at <= left[0].start:
                    yield from self._table(text, left[0], above)
                if end >= left[0].end:
                    left.pop(0)
            else:
                yield from self._line(line, at)
                above = line if line.strip() else above
            at = end + 1

    def _table(self, text: str, table: Span, caption: str) -> Iterator[Judged]:
        for cell in cells(text, table, caption):
            for one in self._line(cell.sentence, 0):
                if one.span.start >= cell.at:
                    yield _placed(one, cell)

    def _line(self, line: str, at: int) -> Iterator[Judged]:
        read, places = _as_read(line)
        plain = narrow(read)
        said = self._said(plain, figures_of(read, [policy.title for policy in self.ground.policies]))
        if line.lstrip().startswith("#"):
            self._inherit(said)
        if not said.numbers:
            return
        policies = cited(read, self.ground.policies)
        outcomes = [key for what in said.whats for key in (*what.levels, *what.growths)]
        results = spoken_of(plain, self.ground.results, outcomes)
        carried: list[tuple[Claim, Judged]] = []
        for claim in claims(said):
            found = self._judge(claim, said)
            if found.why_not and (clause := in_clause(claim, policies)):
                found = replace(found, sources=(clause.id,), why_not=None)
            elif found.why_not and (result := of_result(claim, results)):
                found = replace(found, sources=(result.id,), why_not=None)
            elif found.why_not and (sources := _gap(claim, carried)):
                found = replace(found, sources=sources, why_not=None)
            if not found.why_not:
                carried.append((claim, found))
            yield _moved(found, places, at)

    def _said(self, plain: str, figures: Sequence[Number]) -> Said:
        year = self.period.year if self.period else self.ground.today.year
        outside = TITLE.sub(lambda found: "\ufffc" * len(found[0]), plain)
        whats = self.vocabulary.whats(outside)
        named = [what.span for what in whats]
        said = Said(
            plain,
            figures,
            whens(outside, self.period),
            wheres(outside, year, self.ground.gazetteer, self.region, self.own, named),
            whats,
            self.region,
            self.period,
            self.what,
            self.counties,
        )
        return with_scopes(said)

    def _inherit(self, said: Said) -> None:
        """What a heading names holds for what stands below it; what it does not name is the report's."""
        places = [where for where in said.wheres if len(where.codes) == 1]
        self.region = next(iter(places[-1].codes)) if places else self.own
        self.period = _plainest(said) or self.ground.period
        self.what = said.whats[-1] if said.whats else None

    def _listed(self, claim: Claim, said: Said) -> tuple[str, ...]:
        """What a number counts in the text, a rank or the sheet (两县, 在三个县中), or the region of its code."""
        if claim.number.text in self.regions and not claim.number.dimension:
            return (claim.number.text,)
        count, behind = claim.number.value, claim.sentence.partition(claim.number.text)[2]
        if not (claim.number.unit in _REGIONS or (claim.number.unit == "个" and _AMONG.match(behind))):
            return ()
        named = frozenset[str]().union(*(where.codes for where in said.wheres))
        for counted in (named, self.regions):
            if len(counted) == count:
                return tuple(sorted(counted))
        ranks = (one for one in self.candidates if one.operation in PLACES and len(one.inputs) == count)
        return next((one.rows for one in ranks), ())

    def _judge(self, claim: Claim, said: Said) -> Judged:
        span, text = claim.number.span, claim.number.text
        keys = sorted(claim.levels | claim.growths)
        for candidate in chain.from_iterable(self.by_indicator.get(key, ()) for key in keys):
            if matches(claim, candidate):
                wrong = wrong_turn(claim, candidate, self.ground.facts)
                return Judged(span, text, candidate.rows, wrong, claim.span if wrong else None)
        if rows := self._listed(claim, said):
            return Judged(span, text, rows)
        why = why_not(claim, self.candidates, self.ground.facts)
        return Judged(span, text, (), why, claim.span if why.code == "number-direction" else None)


def _gap(claim: Claim, carried: Sequence[tuple[Claim, Judged]]) -> tuple[str, ...]:
    """What two numbers are apart that stand right before it and are carried: 目标230家，现有207家，还差23家."""
    if claim.changes or not GAP.search(claim.clause):
        return ()
    for (first, one), (second, other) in combinations(carried[-_GAP_REACH:], 2):
        same = first.number.unit == second.number.unit == claim.number.unit
        if same and abs(first.value - second.value) == claim.number.value:
            return (*one.sources, *other.sources)
    return ()


def _plainest(said: Said) -> Period | None:
    """The period of a heading: the shortest name of its last stretch."""
    if not said.whens:
        return None
    return min(said.whens[-1].stretches[-1], key=lambda period: (period.month > 0, period.quarter > 0))


def _placed(one: Judged, cell: Cell) -> Judged:
    """Where it stands in the table: without the words of row and column and without their unit."""
    start = cell.span.start + one.span.start - cell.at
    span = Span(start, min(start + len(one.span), cell.span.end))
    return replace(one, span=span, text=one.text[: len(span)], wide=None)


def _moved(one: Judged, places: Sequence[int], by: int) -> Judged:
    """Where it stands in the text, of which the line was read without its marks of emphasis."""

    def there(span: Span) -> Span:
        return Span(places[span.start] + by, places[span.end - 1] + 1 + by)

    return replace(one, span=there(one.span), wide=there(one.wide) if one.wide else None)


def _as_read(line: str) -> tuple[str, Sequence[int]]:
    """A line without marks of emphasis, and where each of its characters stands."""
    marks = [found.span() for found in _EMPHASIS.finditer(line)]
    if not marks:
        return line, range(len(line))
    hidden = {place for start, end in marks for place in range(start, end)}
    places = [place for place in range(len(line)) if place not in hidden]
    return "".join(line[place] for place in places), places
