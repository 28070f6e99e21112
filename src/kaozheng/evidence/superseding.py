"""Values that a later statement changes: 服务费由 0.40 元下调为 0.35 元, beside the item that still says 0.40."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from typing import Final

from kaozheng.evidence.agreement import agree
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.evidence.quotes import features
from kaozheng.evidence.support import cuts
from kaozheng.evidence.wording import tidy

_CHANGED = re.compile(
    r"(?:[上下]调|调[整高低升]|[下]?降|升|提[高前]|推迟|延[期长后]|变更|[更修]?改|减少?|增加?|缩[短减])(?:[为至到成])"
    r"|\b(?:rais|lower|reduc|increas|chang|postpon|extend|cut|moved?|revis)\w*\b[^.;]{0,60}?\bto\b",
    re.I,
)
_BEFORE = re.compile(
    r"(?:自|从|由|将|于|拟|已|预计|目前|现)|\b(?:will|is|are|was|were|has|have|from|on|since)\b|\d", re.I
)
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)、]) ?")
_SHARED: Final = 0.5
_FEWEST: Final = 2
Value = tuple[str, str, str]
"""Label, value as written, sentence."""


def superseded(bundle: EvidenceBundle) -> Iterator[tuple[str, Value, Value]]:
    """The subject, the newer value, and the older one of another item: of the same thing, in the same unit."""
    for newer, older in permutations(bundle.items, 2):
        for sentence in _sentences(newer):
            change = _CHANGED.search(sentence)
            subject = _subject(sentence) if change else ""
            asked = features(subject)
            if change is None or len(asked) < _FEWEST:
                continue
            new = next((one for one in find_numbers(sentence) if one.span.start >= change.end() - 1), None)
            if new is None or not new.dimension:
                continue
            for said in _sentences(older):
                if (old := _value(said, new)) is None or _CHANGED.search(said):
                    continue
                if _of_other_years(_years(newer, sentence), _years(older, said)):
                    continue
                has = features(said)
                if sum(one in has for one in asked) >= _SHARED * len(asked):
                    yield subject, (newer.label, new.text.strip(), sentence), (older.label, old.text.strip(), said)


def _sentences(item: EvidenceItem) -> list[str]:
    texts = (item.text[span.start : span.end] for span in cuts(item.passage))
    return [_BULLET.sub("", narrow(" ".join(text.split()))) for text in texts]


def _years(item: EvidenceItem, sentence: str) -> frozenset[str]:
    """The years that a sentence names; where it names none, those of what stands above it."""
    for text in (sentence, " ".join((item.title, *item.path))):
        if found := frozenset(one.unit[:4] for one in find_numbers(text) if one.dimension == "date") - {"0000"}:
            return found
    return frozenset()


def _of_other_years(newer: frozenset[str], older: frozenset[str]) -> bool:
    """Whether both name years and none is the same: what was one year is not what is changed in another."""
    return bool(newer and older) and newer.isdisjoint(older)


def _subject(sentence: str) -> str:
    """What is changed: the words before the change, the day and the old value."""
    end = min(found.start() for found in (_BEFORE.search(sentence, 1), _CHANGED.search(sentence)) if found is not None)
    return tidy(sentence[:end])


def _value(sentence: str, new: Number) -> Number | None:
    """The one value of a sentence that stands against the new one; None where there is none, or several."""
    alike = [
        one
        for one in find_numbers(sentence)
        if one.dimension == new.dimension and (one.dimension == "date" or one.unit == new.unit)
    ]
    if len(alike) != 1 or agree(alike[0], new) or agree(new, alike[0]):
        return None
    return alike[0]
