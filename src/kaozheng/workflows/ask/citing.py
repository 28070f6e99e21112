"""What is shown with an answer: the places that its marks lead to, and what could be asked next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, Literal

from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.citations import citations_of
from kaozheng.evidence.conflicts import Conflict
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.grounding import GroundingReport
from kaozheng.evidence.quotes import locate
from kaozheng.roles.titles import clean_title
from kaozheng.sources.places import is_place
from kaozheng.workflows.ask.quoting import quoted

_QUOTE_CHARS: Final = 300
_MOST_FOLLOW_UPS: Final = 3
_FOLLOW_UP: Final = {
    "zh": ("《{title}》还说了什么？", "《{title}》的“{heading}”部分还说了什么？"),
    "en": ("What else does “{title}” say?", "What else does “{title}” say under “{heading}”?"),
}
_QUESTION = re.compile(r"[？?]\s*$")


def cited(
    answer: str, bundle: EvidenceBundle, report: GroundingReport | None, conflicts: Sequence[Conflict] = ()
) -> list[dict[str, Any]]:
    """An entry for each label of the answer, in the order in which the labels first stand there; none for a refusal.

    The quote is the place that code found to carry the sentences, with its lines; of a side of
    a conflict that the answer does not tell, the sentence that states it; where there is none, the beginning of the
    passage.
    """
    carrying = {**_stated(conflicts, bundle), **_carrying(report)}
    entries: dict[str, dict[str, Any]] = {}
    for citation in citations_of(answer, bundle):
        if citation.label not in entries:
            entries[citation.label] = _entry(citation.item, carrying.get(citation.label, ()))
    return list(entries.values())


def _carrying(report: GroundingReport | None) -> dict[str, list[tuple[str, Evidence]]]:
    """For each label the sentences that cite it, with the evidence that carries each."""
    carried: dict[str, list[tuple[str, Evidence]]] = {}
    for sentence in report.sentences if report else ():
        for evidence in sentence.evidence:
            if evidence.label in sentence.marks:
                carried.setdefault(evidence.label, []).append((sentence.text, evidence))
    return carried


def _stated(conflicts: Sequence[Conflict], bundle: EvidenceBundle) -> dict[str, list[tuple[str, Evidence]]]:
    """For each label the sentence with its side of a conflict, where it stands."""
    stated: dict[str, list[tuple[str, Evidence]]] = {}
    for one in (side for conflict in conflicts for side in conflict.values):
        item = bundle.item(one.label)
        if item is not None and (span := locate(one.sentence, item.text)) is not None:
            stated.setdefault(one.label, [(one.sentence, Evidence.cut(item.passage, span))])
    return stated


def _entry(item: EvidenceItem, carried: Sequence[tuple[str, Evidence]]) -> dict[str, Any]:
    quote, lines = quoted(item, carried) if carried else (item.text, item.lines)
    if item.base and not item.chunk:  # computed over all these lines
        lines = item.lines
    return {
        "label": item.label,
        "base": item.base,
        "document": item.document,
        "title": item.title,
        "path": list(item.path),
        "lines": [lines.start, lines.end],
        "quote": quote.strip()[:_QUOTE_CHARS],
        "score": round(item.score, 4),
        "place": next(filter(is_place, reversed(item.path)), ""),
    }


def follow_ups(question: str, bundle: EvidenceBundle, used: Sequence[str], language: str) -> list[str]:
    """Up to three questions from headings of the passages that the answer cites, where the question does not name them;
    none where there is no such heading: what merely was found beside need not have to do with the question."""
    plain = _letters(question)
    asked: dict[str, None] = {}
    for item in bundle.items:
        above = [part for part in item.path if not is_place(part)] if item.label in used else []
        heading = clean_title(above[-1]) if above else ""
        if len(heading) > 1 and _letters(heading) not in plain:
            asked.setdefault(_about(heading, clean_title(item.title), "zh" if language == "zh" else "en"))
    return list(asked)[:_MOST_FOLLOW_UPS]


def _about(heading: str, title: str, language: Literal["zh", "en"]) -> str:
    if _QUESTION.search(heading):
        return heading
    whole, part = _FOLLOW_UP[language]
    if not title or _letters(title) == _letters(heading):
        return whole.format(title=heading)
    return part.format(title=title, heading=heading)


def _letters(text: str) -> str:
    return "".join(text.casefold().split())
