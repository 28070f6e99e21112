"""Grounding: what code says of an answer, sentence by sentence, against the bundle that it was written from.

No model is asked. A sentence's numbers, dates, quotes and document numbers are looked up in the items that it cites (in
all of them where it cites none) and in the question; its wording gets a score and the place that carries it best.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from kaozheng.documents.sentences import split
from kaozheng.documents.span import Span
from kaozheng.evidence.answer_text import AnswerText, Said
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.carrying import Fault, Ground, Looked, look_up, missing_numbers, without_amounts, without_numbers
from kaozheng.evidence.citations import unknown_marks
from kaozheng.evidence.derived import Derived
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.nearness import NEAR_ENOUGH, Near, nearest, swapped, wording
from kaozheng.evidence.quotes import similarity
from kaozheng.evidence.refusals import is_refusal, says_nothing_found
from kaozheng.evidence.support import Supporter, names_known, names_of
from kaozheng.sources.tables import is_head

Code = Literal[
    "answer_empty",
    "unknown_citation",
    "citation_required",
    "citation_coverage",
    "number_unsupported",
    "quote_unsupported",
    "document_number_unsupported",
    "support_low",
]
BLOCKING: frozenset[Code] = frozenset({"answer_empty", "unknown_citation"})
"""What blocks an answer when it is still there after the one revision."""
MENDED: frozenset[Code] = frozenset({"number_unsupported", "quote_unsupported", "document_number_unsupported"})
"""What is asked to be revised once, and is then taken out by code."""
_CODE_OF: dict[str, Code] = {
    "number": "number_unsupported",
    "date": "number_unsupported",
    "quote": "quote_unsupported",
    "document_number": "document_number_unsupported",
    "support": "support_low",
}
_ORDER: tuple[Code, ...] = (
    "answer_empty",
    "unknown_citation",
    "citation_required",
    "citation_coverage",
    "number_unsupported",
    "quote_unsupported",
    "document_number_unsupported",
    "support_low",
)
_LONGEST_PART = 600
_PART = re.compile(rf".{{1,{_LONGEST_PART}}}(?:[，、；,;\s]|$)|.{{1,{_LONGEST_PART}}}", re.DOTALL)
_CLAUSE = re.compile(r"[，；;]|,\s|、(?=[^、]{4})")
_ABBREVIATED = re.compile(r"\b(?:i\.e\.|e\.g\.|etc\.|vs\.|cf\.)", re.IGNORECASE)
_YES_NO = re.compile(
    r"(?:是的?|不是|否|能|不能|可以|不可以|不行|会|不会|有|没有|对|不对|需要|不需要"
    r"|yes|no|not (?:yet|quite)|correct|certainly)[。.!！，,]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceReport:
    """One sentence (or row of a table). `text` and `span` are those of the report's text; `marks` are the labels it
    names; `support` is the share of its words that the evidence has, 0.0 to 1.0; `evidence` is cut by code, labelled,
    best first, none where nothing carries it; `nearest` is what stands closest to a sentence that has to go; `derived`
    are the numbers that it worked out; `claims` is False for what needs no evidence (an honest gap, a lead-in)."""

    text: str
    span: Span
    marks: tuple[str, ...]
    support: float
    evidence: tuple[Evidence, ...] = ()
    faults: tuple[Fault, ...] = ()
    derived: tuple[Derived, ...] = ()
    nearest: Evidence | None = None
    claims: bool = True
    row: bool = False

    @property
    def hard(self) -> tuple[Fault, ...]:
        """The faults for which the sentence has to go: all but those of the wording."""
        return tuple(fault for fault in self.faults if fault.kind != "support")

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only."""
        return {
            "text": self.text,
            "span": [self.span.start, self.span.end],
            "marks": list(self.marks),
            "support": round(self.support, 3),
            "evidence": [one.as_dict() for one in self.evidence],
            "faults": [{"kind": fault.kind, "said": fault.said} for fault in self.faults],
            "derived": [{"said": one.said, "how": one.how} for one in self.derived],
        }


@dataclass(frozen=True, slots=True)
class GroundingReport:
    """What code says of an answer. `text` is the answer with its marks in one form; `blocks` counts the paragraphs,
    list items and tables that need a mark, `covered` those that have a known one; `labels` are those of the bundle, and
    `unknown` the marks that lead nowhere, as written."""

    text: str
    codes: tuple[Code, ...]
    sentences: tuple[SentenceReport, ...]
    blocks: int
    covered: int
    labels: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    refusal: bool = False

    @property
    def coverage(self) -> float:
        """The share of blocks with a mark; 1.0 where none needs one."""
        return self.covered / self.blocks if self.blocks else 1.0

    @property
    def valid(self) -> bool:
        """No code but that of low support, which paraphrase and translation raise too."""
        return not set(self.codes) - {"support_low"}

    @property
    def blocking(self) -> bool:
        """Whether the answer must not go out if a revision has not helped."""
        return bool(BLOCKING.intersection(self.codes))

    @property
    def revise(self) -> bool:
        """Whether a revision is worth its one call."""
        return bool((BLOCKING | MENDED).intersection(self.codes))

    @property
    def unsupported(self) -> tuple[SentenceReport, ...]:
        """The sentences that nothing carries, to be listed beside the answer."""
        return tuple(one for one in self.sentences if one.claims and not one.evidence and not one.derived)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only; stored with the answer."""
        return {
            "codes": list(self.codes),
            "valid": self.valid,
            "blocking": self.blocking,
            "blocks": self.blocks,
            "covered": self.covered,
            "coverage": round(self.coverage, 3),
            "unknown": list(self.unknown),
            "refusal": self.refusal,
            "sentences": [one.as_dict() for one in self.sentences],
        }


def check(answer: str, bundle: EvidenceBundle, question: str = "") -> GroundingReport:
    """Look an answer up in its bundle. Numbers, quotes and document numbers of the question may be said again."""
    said = AnswerText.of(answer)
    if said.empty:
        return GroundingReport(said.text, ("answer_empty",), (), 0, 0, bundle.labels)
    if is_refusal(answer):
        return GroundingReport(said.text, (), (), 0, 0, bundle.labels, refusal=True)
    checker = _Checker(bundle, question)
    sentences = tuple(checker.sentence(sentence) for sentence in said.sentences)
    blocks = [block for block in said.blocks if any(sentences[index].claims for index in block)]
    unknown = tuple(mark.written for mark in unknown_marks(answer, bundle))
    known = set(bundle.labels)
    covered = sum(any(known.intersection(sentences[index].marks) for index in block) for block in blocks)
    marked = sum(any(said.sentences[index].marked for index in block) for block in blocks)
    codes: set[Code] = {_CODE_OF[fault.kind] for one in sentences for fault in one.faults}
    if unknown:
        codes.add("unknown_citation")
    if blocks and not marked:
        codes.add("citation_required")
    elif marked < len(blocks):
        codes.add("citation_coverage")
    ordered = tuple(code for code in _ORDER if code in codes)
    return GroundingReport(said.text, ordered, sentences, len(blocks), covered, bundle.labels, unknown)


class _Checker:
    """Looks sentences up in one bundle; what can be worked out about an item is worked out once."""

    def __init__(self, bundle: EvidenceBundle, question: str) -> None:
        self._bundle = bundle
        self._given = Ground(question)
        self._supporter = Supporter(bundle.passages)
        self._grounds: dict[tuple[str, ...], Ground] = {}

    def sentence(self, said: Said) -> SentenceReport:
        """The report of one sentence."""
        report = SentenceReport(said.text, said.span, said.labels, 0.0, row=said.row)
        if not re.search(r"\w", said.plain) or _YES_NO.fullmatch(said.plain.strip()):
            return replace(report, claims=False)
        named = [self._bundle.item(label) for label in said.labels]
        cited = [item for item in named if item is not None]
        if not said.row and is_head(said.plain, (item.text for item in cited or self._bundle.items)):
            return replace(report, faults=(Fault("support", said.plain.strip()),))
        certain = len(cited) == len(named) and not said.foreign
        looked = self._look_up(said, cited if certain else ())
        if looked.faults and cited and certain and len(said.plain) <= _LONGEST_PART:
            looked, cited = self._elsewhere(said, cited, looked)
        lead_in = said.opens and not said.marked
        if not looked.faults and (lead_in or says_nothing_found(said.plain)):
            return replace(report, claims=False)
        short = replace(said, plain=said.plain[:_LONGEST_PART])
        return self._weighed(replace(report, faults=looked.faults, derived=looked.derived), short, cited)

    def _look_up(self, said: Said, items: Sequence[EvidenceItem]) -> Looked:
        """In these items, in all where there are none."""
        ground = self._ground(items or self._bundle.items)
        looked = [look_up(part, ground, self._given, said.counted, said.row) for part in _parts(said.plain)]
        return Looked(
            tuple(fault for one in looked for fault in one.faults),
            tuple(number for one in looked for number in one.derived),
        )

    def _ground(self, items: Sequence[EvidenceItem]) -> Ground:
        key = tuple(item.label for item in items)
        if key not in self._grounds:
            self._grounds[key] = Ground("\n".join(_text_of(item) for item in items))
        return self._grounds[key]

    def _elsewhere(self, said: Said, cited: list[EvidenceItem], looked: Looked) -> tuple[Looked, list[EvidenceItem]]:
        """A sentence that another item carries, alone or together with those cited, has a wrong mark or one too few,
        and no wrong number; but the value of another thing (F90, not X200) carries nothing."""
        subjects = frozenset(name for fault in looked.faults for name in names_of(_clause_with(said.plain, fault.said)))
        others = [item for item in self._bundle.items if item not in cited and subjects <= names_known(_text_of(item))]
        near = [(nearest(said.plain, item.passage, self._given.text), item) for item in others]
        close = [(place.score, item) for place, item in near if place is not None and place.score >= NEAR_ENOUGH]
        for _, item in sorted(close, key=lambda pair: -pair[0]):
            for items in ([item], [*cited, item]):
                again = self._look_up(said, items)
                if not again.faults and not again.derived:
                    return again, items
        return looked, cited

    def _weighed(self, report: SentenceReport, said: Said, cited: Sequence[EvidenceItem]) -> SentenceReport:
        if report.faults:
            near = self._near(without_numbers(said.plain), cited or self._bundle.items, widest=1)
            place = near[0] if near and near[0].score >= NEAR_ENOUGH else None
            score = max((similarity(said.plain, item.text) for item in cited or self._bundle.items), default=0.0)
            return replace(report, support=score, nearest=place.evidence if place else None)
        if report.derived:
            items = cited or self._bundle.items
            return replace(report, support=1.0, evidence=tuple(_parts_in(items, report.derived)))
        name = swapped(said.plain, self._ground(cited or self._bundle.items).text)
        score, found = (0.0, []) if name else self._evidence(said, cited)
        if not found:
            return replace(report, support=score, faults=(Fault("support", name or said.plain.strip()),))
        # An item that the sentence does not name is the right one for it: its mark is wrong, not its wording.
        wrong = bool(cited) and not {one.label for one in found} & set(report.marks)
        faults = (Fault("support", said.plain.strip()),) if wrong else ()
        return replace(report, support=score, evidence=tuple(found), faults=faults)

    def _evidence(self, said: Said, cited: Sequence[EvidenceItem]) -> tuple[float, list[Evidence]]:
        """The place that carries the sentence, or the places that do together; none where its words are not there."""
        exact = self._supporter.best(said.plain, [item.label for item in cited])
        if exact is not None and (not cited or exact.passage in {item.label for item in cited}):
            return exact.support, [exact.labelled(exact.passage)]
        near = self._near(said.plain, cited or self._bundle.items)
        if not near:
            return 0.0, []
        if not cited:
            near = near[:1]
        items = cited or [item for item in self._bundle.items if item.label == near[0].evidence.label]
        score = wording(said.plain, "\n".join(_text_of(item) for item in items), self._given.text)
        unknown = not names_of(_ABBREVIATED.sub(" ", without_amounts(said.plain))) <= names_known(
            "\n".join(_text_of(item) for item in items)
        )
        missing = missing_numbers(said.plain, self._ground(items), self._given) if not cited else []
        if near[0].score >= NEAR_ENOUGH and near[0].reversed:
            return near[0].score, []
        if score < NEAR_ENOUGH or unknown or missing:
            return min(score, NEAR_ENOUGH), []
        return score, [place.evidence for place in near]

    def _near(self, sentence: str, items: Sequence[EvidenceItem], widest: int = 3) -> list[Near]:
        """The nearest place of each item, best first."""
        places = [nearest(sentence, item.passage, self._given.text, widest) for item in items]
        return sorted((place for place in places if place is not None), key=lambda place: -place.score)


def _clause_with(sentence: str, value: str) -> str:
    """The clause in which the value stands."""
    return next((clause for clause in _CLAUSE.split(sentence) if value.strip() in clause), sentence)


def _parts(sentence: str) -> list[str]:
    """What runs on without a stop is read in parts that end at a comma or blank: patterns of numbers take the square of
    its length."""
    return [found[0] for found in _PART.finditer(sentence)] if len(sentence) > _LONGEST_PART else [sentence]


def _parts_in(items: Sequence[EvidenceItem], worked_out: Sequence[Derived]) -> Iterator[Evidence]:
    """The sentences that have the numbers which others were worked out from."""
    for item in items:
        for span in split(item.text):
            text = item.text[span.start : span.end]
            if any(part.strip() in text for one in worked_out for part in one.parts):
                yield Evidence.cut(item.passage, span).labelled(item.label)


def _text_of(item: EvidenceItem) -> str:
    """All that an item says: its titles and file name too."""
    return "\n".join((item.document, item.title, " > ".join(item.path), item.prefix, item.text))
