"""What each statement is worth to a summary: one number, a weighted sum of signs that can be told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kaozheng.evidence.numbers import find_numbers
from kaozheng.evidence.support import is_negated, names_of
from kaozheng.roles.block_summarizer.offline.cues import CUES, LABEL, SPEECH
from kaozheng.roles.block_summarizer.offline.statements import Statement

if TYPE_CHECKING:
    from kaozheng.roles.block_summarizer.offline.likeness import Floats

_TITLE = re.compile(r"《[^》]{1,40}》")
_NUMERAL = re.compile(r"[\d一二三四五六七八九十百两]")
WEIGHTS: Final[Mapping[str, float]] = {
    "central": 1.0, "thread": 0.5, "opens": 0.0, "first": 0.0, "last": 0.0, "ends": 0.0, "currency": 0.5, "share": 0.4, "measure": 0.3, "counted": 0.2,
    "date": 0.4, "names": 0.15, "negated": 0.4, "decision": 0.6, "event": 0.3, "conclusion": 0.4, "requirement": 0.5, "deadline": 0.5, "ahead": 0.3,
    "duty": 0.4, "condition": 0.4, "contrast": 0.2, "change": 0.3, "money": 0.2, "risk": 0.3, "example": -0.6, "process": -0.3,
    "courtesy": -0.8, "background": -0.5, "label": -0.6, "speech": -0.3, "quote": -0.3, "item": 0.1, "focus": 3.0,
}
_LEAST: Final = 0.05


def signs(said: Sequence[Statement], central: Floats, focus: Floats) -> list[dict[str, float]]:
    """Of each statement what speaks for it and against it, by the names of WEIGHTS."""
    size = len(said)
    found = []
    for at, one in enumerate(said):
        text = one.text
        numbers = find_numbers(text) if _NUMERAL.search(text) else []
        own = {name: float(cue.search(text) is not None) for name, cue in CUES.items()}
        own |= {
            "central": float(central[at]),
            "focus": float(focus[at]),
            "opens": max(0.0, 1 - at / max(1.0, 0.08 * size)),
            "ends": max(0.0, 1 - (size - 1 - at) / max(1.0, 0.08 * size)),
            "first": float(one.nth == 0),
            "last": float(one.nth == one.of - 1 and one.of > 1),
            "thread": 0.0,
            "currency": float(any(number.dimension == "money" for number in numbers)),
            "share": float(any(number.dimension == "ratio" for number in numbers)),
            "measure": float(any(number.is_quantity and number.dimension not in ("", "count", "money", "ratio") for number in numbers)),
            "counted": float(any(number.dimension == "count" and any(c.isdigit() for c in number.text) for number in numbers)),
            "quote": float(any(len(q)>=10 for q in re.findall(r"[“\"「]([^”\"」]+)[”\"」]", text))),
            "date": float(any(number.dimension in ("date", "clock") for number in numbers)),
            "names": min(3, len(names_of(text)) + len(_TITLE.findall(text))) / 3,
            "negated": float(is_negated(text)),
            "label": float(LABEL.match(text) is not None),
            "speech": float(SPEECH.search(text) is not None),
            "item": float(one.kind == "item"),
        }
        found.append(own)
    return found


def worth(found: Mapping[str, float]) -> float:
    """The number; above 0."""
    return max(_LEAST, sum(WEIGHTS[name] * value for name, value in found.items()))
