"""What each statement is worth to a summary: how likely an editor would keep it, by signs that can be told."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from kaozheng.evidence.numbers import find_numbers
from kaozheng.evidence.support import is_negated
from kaozheng.roles.block_summarizer.offline.cues import CUES, DONE, LABEL, RANGE, SELF
from kaozheng.roles.block_summarizer.offline.likeness import Likeness
from kaozheng.roles.block_summarizer.offline.statements import Statement

_NUMERAL = re.compile(r"[\d一二三四五六七八九十百两]")
_QUOTED = re.compile(r"[“\"「](?P<said>[^”\"」]{10,})[”\"」]")
_SHORT: Final = 14  # tokens
_READ: Final = 1_200  # characters of a statement; what is longer is no sentence and is not said
_TOGETHER: Final = (*("decision", "conclusion", "requirement", "deadline", "figure", "currency", "negated", "event"),)
_DUE: Final = ("requirement", "ahead", "duty", "decision")
_BASE: Final = -6.1
WEIGHTS: Final[Mapping[str, float]] = {
    # what it does in its text (cues.CUES)
    **{"decision": 0.6, "denial": 0.55, "event": 0.45, "conclusion": 0.75, "stance": 0.4},
    **{"deadline": 0.4, "ahead": 0.45, "now": 1.25, "duty": 0.3, "bound": 0.6, "condition": 0.5, "contrast": 0.65},
    **{"figure": 0.35, "whole": 0.4, "risk": 0.4},
    **{"example": -0.3, "process": -1.5, "courtesy": -1.25, "background": -0.15, "said": -0.75, "named": -0.75},
    **{"scene": -0.85, "each": -0.5, "vague": -0.75, "slogan": -0.65},
    # what it holds
    **{
        "currency": 0.7,
        "share": 0.8,
        "dated": 0.5,
        "day": 0.6,
        "duration": 0.8,
        "negated": 0.65,
        "range": 1.2,
        "done": 0.8,
    },
    **{"label": -0.65, "self": -0.7, "quote": -0.3, "length": 0.3, "short": -0.45, "signs": 1.45, "due": 0.25},
    # how it stands to the rest
    **{"central": 1.3, "elsewhere": 0.2},
}
"""Fitted with a prior (what an editor's handbook would say) on ten documents whose key facts were written by hand, then
rounded; see decision 55 for what they score on those and on ten others."""


def signs(said: Sequence[Statement], likeness: Likeness) -> list[dict[str, float]]:
    """Of each statement what speaks for it and against it, by name; what has no weight of its own
    counts with others."""
    central = likeness.centrality()
    elsewhere = likeness.elsewhere([one.paragraph for one in said])
    return [
        {**_of_text(one), "central": float(central[at]), "elsewhere": float(elsewhere[at])}
        for at, one in enumerate(said)
    ]


def worth(found: Mapping[str, float]) -> float:
    """How likely an editor would keep it, 0.0 to 1.0."""
    return 1 / (1 + math.exp(-_BASE - sum(weight * found[name] for name, weight in WEIGHTS.items())))


def _of_text(one: Statement) -> dict[str, float]:
    text = one.text[:_READ]
    own = {name: float(cue.search(text) is not None) for name, cue in CUES.items()}
    own |= _of_numbers(text)
    own |= {
        "negated": float(is_negated(text)),
        "label": float(LABEL.match(text) is not None),
        "self": float(SELF.search(text) is not None),
        "range": float(RANGE.search(text) is not None),
        "done": float(DONE.search(text) is not None),
        "quote": float(_QUOTED.search(text) is not None),
        "length": math.log(max(1, one.tokens)),
        "short": float(one.tokens < _SHORT),
    }
    # The first sign tells most, the fourth hardly anything more.
    own["signs"] = math.sqrt(sum(own[name] for name in _TOGETHER))
    own["due"] = own["deadline"] * max(own[name] for name in _DUE)
    return own


def _of_numbers(text: str) -> dict[str, float]:
    numbers = find_numbers(text) if _NUMERAL.search(text) else []
    kinds = {number.dimension for number in numbers}
    dates = [number for number in numbers if number.dimension == "date"]
    return {
        "currency": float("money" in kinds),
        "share": float("ratio" in kinds),
        "dated": float(bool(dates)),
        "day": float(any(not date.unit.endswith("-00") for date in dates)),
        "duration": float("duration" in kinds),
    }
