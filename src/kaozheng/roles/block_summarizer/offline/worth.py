"""What each statement is worth to a summary: how likely an editor would keep it, by signs that can be told."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from kaozheng.evidence.numbers import find_numbers
from kaozheng.evidence.support import is_negated
from kaozheng.roles.block_summarizer.offline.cues import CUES, DONE, RANGE, SELF
from kaozheng.roles.block_summarizer.offline.likeness import Likeness
from kaozheng.roles.block_summarizer.offline.statements import Statement

_NUMERAL = re.compile(r"[\d一二三四五六七八九十百两]")
_SHORT: Final = 14  # tokens
_READ: Final = 1_200  # characters of a statement; what is longer is no sentence and is not said
_TOGETHER: Final = ("decision", "conclusion", "requirement", "deadline", "figure", "currency", "negated", "event")
BASE: Final = -4.9
WEIGHTS: Final[Mapping[str, float]] = {
    # what it does in its text (cues.CUES)
    **{"decision": 0.7, "event": 0.45, "conclusion": 0.45, "deadline": 0.6, "ahead": 0.5, "now": 0.7},
    **{"bound": 0.6, "condition": 0.6, "figure": 0.15},
    **{"process": -0.75, "courtesy": -0.95, "said": -0.75, "named": -1.2, "scene": -0.7, "vague": -0.65},
    # what it holds
    **{"currency": 0.7, "share": 0.8, "day": 0.9, "duration": 0.65, "negated": 0.35, "negated_late": 0.25},
    **{"range": 0.9, "done": 0.4, "self": -0.65, "length": 0.3, "short": -0.7, "signs": 1.0},
    # how it stands to the rest
    **{"central": 1.45, "goes_on": 1.6},
}
"""By bench/summary_weights.py: all alike before (PRIOR there), moved by what the twenty documents of tests/summaries
say as far as that holds for a document that was left out, then rounded; decision 55 has the figures."""


def signs(said: Sequence[Statement], likeness: Likeness) -> list[dict[str, float]]:
    """Of each statement what speaks for it and against it, by name; what has no weight of its own
    counts with others."""
    central = likeness.centrality()
    previous = likeness.to_previous([one.paragraph for one in said])
    return [
        {**_of_text(one), "central": float(central[at]), "goes_on": float(previous[at])} for at, one in enumerate(said)
    ]


def worth(found: Mapping[str, float]) -> float:
    """How likely an editor would keep it, 0.0 to 1.0."""
    return 1 / (1 + math.exp(-BASE - sum(weight * found[name] for name, weight in WEIGHTS.items())))


def _of_text(one: Statement) -> dict[str, float]:
    text = one.text[:_READ]
    own = {name: float(cue.search(text) is not None) for name, cue in CUES.items()}
    own |= _of_numbers(text)
    own |= {
        "negated": float(is_negated(text)),
        "negated_late": float(is_negated(text[len(text) // 2 :])),
        "self": float(SELF.search(text) is not None),
        "range": float(RANGE.search(text) is not None),
        "done": float(DONE.search(text) is not None),
        "length": math.log(max(1, one.tokens)),
        "short": float(one.tokens < _SHORT),
    }
    # The first sign tells most, the fourth hardly anything more.
    own["signs"] = math.sqrt(sum(own[name] for name in _TOGETHER))
    return own


def _of_numbers(text: str) -> dict[str, float]:
    numbers = find_numbers(text) if _NUMERAL.search(text) else []
    kinds = {number.dimension for number in numbers}
    return {
        "currency": float("money" in kinds),
        "share": float("ratio" in kinds),
        "day": float(any(one.dimension == "date" and not one.unit.endswith("-00") for one in numbers)),
        "duration": float("duration" in kinds),
    }
