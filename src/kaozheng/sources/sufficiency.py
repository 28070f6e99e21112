"""Sufficiency: whether what was found can answer the question, seen from the search alone, before any model is asked.

A threshold on the best cosine is the weakest signal there is. Three tell more, together: how far the best vector stands
out from the next nine, how much of the question's telling words one of the first three chunks has, and how much of what
BM25 could give the best chunk got, as far as it stands out from the next nine. Without vectors the other two do.

Words that only ask tell nothing, whether a chunk has them or not, nor do pairs of characters across them (么时 in
培训什么时候开始): a short question is half made of them.

Weights were fitted on one half of real questions, Chinese and English, with their passage present and removed;
`python -m bench abstention` prints what they give.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kaozheng.sources.analyser import Analyser, Terms, exact_terms
from kaozheng.sources.index import Found, Hit
from kaozheng.sources.telling import ASKING_TERMS, with_asking_blank

_LOOKED_AT = 3
_NEXT = 10
_UNKNOWN = 1.1  # what a word weighs that no chunk has, against the rarest that one has
_HARDLY_A_WORD = 0.8  # the same of a lone character (买: the text says 采购) and of a pair across two words
_ALL = 0.999
_MOST_MISSING = 5
_FEW = 6
_USUALLY = 0.4

_UNTOLD: Final = 0.001
"""Less than this no score of words is by itself. FTS5 counts a word of half of all chunks as nothing, and in a base of
a few chunks each word of a question is one: then the share of the words that a chunk has takes the score's place."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the score. Standing out counts as far as the words are there: one chunk with one common word of the question
    stands out too; beyond that the words say nothing that `coverage` has not said. `han` and `latin` are what 95 of 100
    answerable questions in Chinese and in other scripts reach."""

    margin: float
    coverage: float
    standing_out: float
    han: float
    latin: float


WITH_VECTORS = Weights(margin=26.1, coverage=3.6, standing_out=4.9, han=3.5, latin=4.1)
WORDS_ALONE = Weights(margin=0.0, coverage=3.4, standing_out=6.3, han=3.2, latin=3.2)


@dataclass(frozen=True, slots=True)
class Signals:
    """What the score is made of.

    `margin`: best cosine minus the mean of the next nine, None without vectors. `coverage`: of the question's telling
    terms, by how telling they are, the share that one of the first three chunks has. `words`: the best BM25 score as a
    share of the weight of all words that were searched for. `standing_out`: 1 minus the mean of the next nine BM25
    scores over the best one.
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
    asked = _asked(question, found, analyser)
    if not found.hits or not asked.weights:
        return Sufficiency(False, -math.inf, _most_telling(found.idf, asked.weights))
    best = found.hits[:_LOOKED_AT]
    has = [_terms(hit, analyser) for hit in best]
    missing = _most_telling([word for word in asked.words if not any(word in terms for terms in has)], asked.weights)
    signals = _signals(found, asked, has)
    if any(hit.exact for hit in best):
        return Sufficiency(True, math.inf, missing, signals)
    if exact_terms(question):
        return Sufficiency(False, -math.inf, missing, signals)
    score = _score_of(signals, han=asked.han)
    return Sufficiency(score > 0, score, missing, signals)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as this base sees it: what each telling term weighs, the words among them, and what the words that
    only ask could add to a BM25 score, which counts them."""

    weights: Mapping[str, float]
    words: Sequence[str]
    besides: float
    han: bool

    def weight(self, terms: Iterable[str]) -> float:
        return sum(self.weights[term] for term in terms)


def _asked(question: str, found: Found, analyser: Analyser) -> _Asked:
    """What no chunk has tells most. A question that only asks is taken by all of its terms."""
    whole = analyser.terms(question)
    most = max(found.idf.values(), default=0.0)
    if not most:
        return _Asked({}, (), 0.0, bool(whole.pairs))
    apart = analyser.terms(with_asking_blank(question))
    telling = [term for term in (*apart.words, *apart.pairs) if term in found.idf and term not in ASKING_TERMS]
    unknown = {term: most * (_UNKNOWN if solid else _HARDLY_A_WORD) for term, solid in _solid(apart).items()}
    weights = {term: found.idf[term] or unknown.get(term, most * _UNKNOWN) for term in telling or found.idf}
    searched = dict.fromkeys(word for word in whole.words if word in found.idf)
    words = [word for word in dict.fromkeys((*searched, *apart.words)) if word in weights]
    return _Asked(weights, words, sum(found.idf[word] for word in searched if word not in weights), bool(whole.pairs))


def _solid(terms: Terms) -> dict[str, bool]:
    """Of each term, whether it is a word or stands inside of one."""
    inside = {pair for word in terms.words for pair in map("".join, pairwise(word))}
    solid = {pair: pair in inside for pair in terms.pairs}
    return solid | {word: len(word) > 1 or word.isascii() for word in terms.words}


def _signals(found: Found, asked: _Asked, has: Sequence[frozenset[str]]) -> Signals:
    coverage = max(asked.weight(asked.weights.keys() & terms) for terms in has) / asked.weight(asked.weights)
    of_words = asked.weight(asked.words) or asked.weight(asked.weights)
    legs = {leg.name: [score for _, score in leg.hits] for leg in found.legs if not leg.refused and leg.hits}
    dense, words = legs.get("dense"), legs.get("words") or [0.0]
    following = words[1:_NEXT]
    standing_out = 1 - sum(following) / len(following) / words[0] if following and words[0] > 0 else float(words[0] > 0)
    margin = dense[0] - sum(dense[1:_NEXT]) / (len(dense[:_NEXT]) - 1) if dense and len(dense) > 1 else None
    by_score = words[0] / (of_words + asked.besides)
    if by_score < _UNTOLD:
        by_score = max(asked.weight(word for word in asked.words if word in terms) for terms in has) / of_words
        # Who has hardly a rival stands out by chance.
        standing_out = _USUALLY if len(words) < _FEW else standing_out
    if coverage >= _ALL:  # that another chunk says the same takes nothing away
        standing_out = max(standing_out, _USUALLY)
    return Signals(margin, coverage, by_score, standing_out)


def _score_of(signals: Signals, han: bool) -> float:
    """Above 0 when that is enough for a question in Chinese (`han`) or in another script."""
    by = WORDS_ALONE if signals.margin is None else WITH_VECTORS
    reached = (
        by.margin * (signals.margin or 0.0)
        + by.coverage * signals.coverage
        + by.standing_out * signals.standing_out * signals.words
    )
    return reached - (by.han if han else by.latin)


def _most_telling(terms: Iterable[str], weights: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(terms, key=lambda term: -weights.get(term, 0.0))[:_MOST_MISSING])


def _terms(hit: Hit, analyser: Analyser) -> frozenset[str]:
    terms = analyser.terms(hit.chunk.searched)
    return frozenset(terms.words) | frozenset(terms.pairs)
