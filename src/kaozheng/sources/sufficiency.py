"""Sufficiency: whether what was found can answer the question, seen from the search alone, before any model is asked.

A threshold on the best cosine is the weakest signal there is. Four tell more, together: how far the best vector stands
out from the next nine, how much of the question's telling words one of the first three chunks has, how much of what
BM25 could give the best chunk got, and how far it stands out from the next nine. Without vectors the other three do.

Weights were fitted on one half of real questions, Chinese and English, with their passage present and removed;
`python -m bench abstention` prints what they give.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.sources.analyser import Analyser, exact_terms
from kaozheng.sources.index import Found, Hit

_LOOKED_AT = 3
_NEXT = 10
_UNKNOWN = 1.1  # what a word weighs that no chunk has, against the rarest that one has
_MOST_MISSING = 5
_FEW = 6
_USUALLY = 0.4
_ASKING_WORDS = """
什么 多少 怎么 怎样 怎么样 如何 为什么 为何 哪 哪个 哪些 哪种 哪项 哪里 哪儿 哪年 哪一年 哪位 哪家 几 几个 几年 几天
几次 几种 多久 多长 多长时间 多高 多大 多远 多少度 多少次 多少年 是否 能 能否 不能 能不能 可以 可不可以 是不是 有没有
吗 呢 需要 应该 应当 要 该 请问 谁 何 何时 何地
many much often long large quickly kind type
"""
_ASKING = frozenset(_ASKING_WORDS.split()) | {"quick", "larg", "typ"}


_UNTOLD: Final = 0.001
"""Less than this no score of words is by itself. FTS5 counts a word of half of all chunks as nothing, and in a base of
a few chunks each word of a question is one: then the share of the words that a chunk has takes the score's place."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the score. Standing out counts as far as the words are there: one chunk with one common word of the question
    stands out too. `han` and `latin` are what 95 of 100 answerable questions in Chinese and in other scripts reach."""

    margin: float
    coverage: float
    words: float
    standing_out: float
    han: float
    latin: float


WITH_VECTORS = Weights(margin=26.0, coverage=1.7, words=2.3, standing_out=4.9, han=3.9, latin=4.5)
WORDS_ALONE = Weights(margin=0.0, coverage=2.8, words=1.5, standing_out=6.3, han=3.5, latin=3.7)


@dataclass(frozen=True, slots=True)
class Signals:
    """What the score is made of.

    `margin`: best cosine minus the mean of the next nine, None without vectors. `coverage`: of the question's words, by
    how telling they are, the share that one of the first three chunks has. `words`: the best BM25 score as a share of
    all words' weight. `standing_out`: 1 minus the mean of the next nine BM25 scores over the best one.
    """

    margin: float | None
    coverage: float
    words: float
    standing_out: float


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether an answer may be tried. `score` is above 0 when it may; `missing` are the most telling words of the
    question that the first chunks do not have."""

    enough: bool
    score: float
    missing: tuple[str, ...] = ()
    signals: Signals | None = None

    @property
    def why(self) -> str:
        """The missing words in one line; "" when there are none."""
        return ", ".join(self.missing)


def sufficiency(question: str, found: Found, analyser: Analyser) -> Sufficiency:
    """Judge one search.

    A document number of the question is enough where a chunk has it, and where none has it nothing is. Made for
    questions after a fact: the parts of a comparison are judged one by one, a summary is not judged at all.
    """
    weights = _weights(found)
    if not found.hits or not weights:
        return Sufficiency(False, -math.inf, _most_telling(found.idf, weights))
    best = found.hits[:_LOOKED_AT]
    has = [_terms(hit, analyser) for hit in best]
    asked = analyser.terms(question)
    wanted = [term for term in dict.fromkeys(asked.words) if term in weights]
    missing = _most_telling([term for term in wanted if not any(term in terms for terms in has)], weights)
    signals = signals_of(found, weights, wanted, has)
    if any(hit.exact for hit in best):
        return Sufficiency(True, math.inf, missing, signals)
    if exact_terms(question):
        return Sufficiency(False, -math.inf, missing, signals)
    score = score_of(signals, han=bool(asked.pairs))
    return Sufficiency(score > 0, score, missing, signals)


def signals_of(
    found: Found, weights: Mapping[str, float], wanted: Iterable[str], has: Sequence[frozenset[str]]
) -> Signals:
    """The signals of a search for the words `wanted` whose first chunks have the terms `has`."""
    total = sum(weights.values())
    by_words = sum(weights.get(term, 0.0) for term in wanted) or total
    coverage = max(sum(weight for term, weight in weights.items() if term in terms) for terms in has) / total
    legs = {leg.name: [score for _, score in leg.hits] for leg in found.legs if not leg.refused and leg.hits}
    dense, words = legs.get("dense"), legs.get("words") or [0.0]
    following = words[1:_NEXT]
    standing_out = 1 - sum(following) / len(following) / words[0] if following and words[0] > 0 else float(words[0] > 0)
    margin = dense[0] - sum(dense[1:_NEXT]) / (len(dense[:_NEXT]) - 1) if dense and len(dense) > 1 else None
    by_score = words[0] / by_words
    if by_score < _UNTOLD:
        by_score = max(sum(weights.get(term, 0.0) for term in wanted if term in terms) for terms in has) / by_words
        # Who has hardly a rival stands out by chance.
        standing_out = _USUALLY if len(words) < _FEW else standing_out
    return Signals(margin, coverage, by_score, standing_out)


def score_of(signals: Signals, han: bool) -> float:
    """Above 0 when that is enough for a question in Chinese (`han`) or in another script."""
    by = WORDS_ALONE if signals.margin is None else WITH_VECTORS
    reached = (
        by.margin * (signals.margin or 0.0)
        + by.coverage * signals.coverage
        + by.words * signals.words
        + by.standing_out * signals.standing_out * signals.words
    )
    return reached - (by.han if han else by.latin)


def _weights(found: Found) -> dict[str, float]:
    """How telling each term is here; what no chunk has tells most."""
    most = max(found.idf.values(), default=0.0)
    if not most:
        return {}
    return {term: idf or most * _UNKNOWN for term, idf in found.idf.items() if idf or term not in _ASKING}


def _most_telling(terms: Iterable[str], weights: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(terms, key=lambda term: -weights.get(term, 0.0))[:_MOST_MISSING])


def _terms(hit: Hit, analyser: Analyser) -> frozenset[str]:
    terms = analyser.terms(hit.chunk.searched)
    return frozenset(terms.words) | frozenset(terms.pairs)
