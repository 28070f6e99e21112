"""Fusion: several rankings of the same chunks made one.

By scores (the default): each leg's scores are stretched to 0..1 and added with weights; measured better than ranks.
By ranks: reciprocal rank fusion with k = 60. A broken leg is refused with its reason, never fused: half of a ranking
by chance is worse than none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

Method = Literal["scores", "ranks"]

RANK_K = 60
WEIGHTS = {"words": 0.2, "pairs": 0.1, "dense": 0.7}
_FLAT_FROM = 10


@dataclass(frozen=True, slots=True)
class Leg:
    """One ranking: (reference, score), best first, higher is better. `floor` is the score of what is least alike (0 for
    words; the lowest of all chunks that were compared for vectors). `refused` says why it must not be fused."""

    name: str
    hits: tuple[tuple[str, float], ...] = ()
    floor: float = 0.0
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Fusing:
    """How to fuse. A leg without a weight counts nothing by scores and as any other by ranks."""

    method: Method = "scores"
    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk's place in the fused order: `exact` ones (a document number of the question stands in them) come first.
    `legs` are its scores there before fusion."""

    ref: str
    score: float
    exact: bool
    legs: dict[str, float]


@dataclass(frozen=True, slots=True)
class Fused:
    """All chunks of all legs, best first, and for each refused leg its name and reason."""

    order: tuple[Scored, ...]
    refused: dict[str, str]


def fuse(legs: Sequence[Leg], exact: Sequence[str] = (), how: Fusing | None = None) -> Fused:
    """Make the rankings one. Ties go to the chunk that an earlier leg names earlier; `exact` chunks stand first even
    where no leg has them, in the order of their scores and then their own."""
    how = how or Fusing()
    reasons = {leg.name: fault for leg in legs if (fault := leg.refused or _fault(leg))}
    sound = [leg for leg in legs if leg.name not in reasons and leg.hits]
    scores: dict[str, float] = {}
    raw: dict[str, dict[str, float]] = {}
    # Legs that are absent take no share: the others are weighed among themselves.
    total = sum(how.weights.get(leg.name, 0.0) for leg in sound) or 1.0
    for leg in sound:
        points = _by_rank(leg) if how.method == "ranks" else _by_score(leg, how.weights.get(leg.name, 0.0) / total)
        for (ref, score), point in zip(leg.hits, points, strict=True):
            scores[ref] = scores.get(ref, 0.0) + point
            raw.setdefault(ref, {})[leg.name] = score
    wanted = dict.fromkeys(exact)
    for ref in wanted:
        scores.setdefault(ref, 0.0)
    ranked = sorted(scores, key=lambda ref: (ref not in wanted, -scores[ref]))
    return Fused(tuple(Scored(ref, scores[ref], ref in wanted, raw.get(ref, {})) for ref in ranked), reasons)


def _by_rank(leg: Leg) -> list[float]:
    return [1 / (RANK_K + place) for place in range(1, len(leg.hits) + 1)]


def _by_score(leg: Leg, weight: float) -> list[float]:
    top = leg.hits[0][1]
    floor = min(leg.floor, leg.hits[-1][1])
    width = top - floor
    return [weight * ((score - floor) / width if width > 0 else 1.0) for _, score in leg.hits]


def _fault(leg: Leg) -> str:
    """Why the hits are no ranking; "" when they are one."""
    scores = [score for _, score in leg.hits]
    if not all(map(math.isfinite, scores)) or not math.isfinite(leg.floor):
        return "a score is no number"
    if any(later > earlier for earlier, later in pairwise(scores)):
        return "its scores do not fall"
    if len({ref for ref, _ in leg.hits}) < len(leg.hits):
        return "it names a chunk twice"
    if len(scores) >= _FLAT_FROM and scores[0] <= leg.floor:
        return f"it tells nothing apart: its best {len(scores)} chunks are no better than its worst"
    return ""
