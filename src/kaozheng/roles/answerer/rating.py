"""How well each statement of the evidence answers a question: one number, made of parts that can be told."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kaozheng.evidence.support import names_of
from kaozheng.roles.answerer.cues import Cues
from kaozheng.roles.answerer.statements import Said, announced, statements
from kaozheng.sources.ranking import terms
from kaozheng.sources.telling import lacking, telling

if TYPE_CHECKING:
    from kaozheng.evidence.bundle import EvidenceItem

# What a question's words are worth, by where they stand. Fitted on half of the questions of `bench answers` (which
# statement has the answer), then rounded.
_ABOVE: Final = 0.6
_PASSAGE: Final = 0.45
_FIRST: Final = 0.4
_MERELY_CODE: Final = 0.1
_NO_WORD: Final = 0.15  # of what has no word of the question itself and is not of its kind


@dataclass(frozen=True, slots=True)
class Rated:
    """A statement. `own` is the share of the question's words, weighed by how rare they are in the evidence, that stand
    in it, `passage` the share that stands in its passage with the headings above; `has` are its own words, `rank` its
    passage's place."""

    said: Said
    rank: int
    score: float
    own: float
    passage: float
    has: frozenset[str]

    @property
    def carried(self) -> float:
        """How much of the question it has, 0.0 to 1.0: itself, and by where it stands."""
        return (self.own + self.passage) / 2


def rated(question: str, items: Sequence[EvidenceItem]) -> list[Rated]:
    """Every statement that may answer, best first. Code is none where no command and no example is asked for, nor is a
    sentence that only leads into code; nor is anything of a passage that has none of the names in the question."""
    asked, cues = telling(question), Cues(question)
    names = {term for name in names_of(question) for term in terms(name)}
    of_item = [(rank, statements(item)) for rank, item in enumerate(items)]
    bags = {(rank, said.place): set(terms(said.text)) for rank, found in of_item for said in found}
    df = Counter(term for bag in bags.values() for term in bag)
    weights = {term: math.log(1 + (len(bags) + 1) / (df[term] + 0.5)) for term in asked}
    result = []
    for rank, found in of_item:
        item = items[rank]
        above = set(terms(" ".join((item.title, *item.path, item.prefix))))
        whole = above.union(*(bags[rank, said.place] for said in found))
        if names and not names & whole:
            continue
        passage = _share(asked, whole, weights)
        for said in found:
            if not cues.code and (said.kind == "code" or any(one.kind == "code" for one in announced(said, found))):
                continue
            bag = bags[rank, said.place]
            if said.kind == "code" and said.place:  # the sentence before says what it is
                bag = bag | bags[rank, said.place - 1]
            own = _share(asked, bag, weights)
            both = _share(asked, bag | above, weights)
            if not both:
                continue
            worth = cues.worth(said.text)
            score = own + _ABOVE * (both - own) + _PASSAGE * passage + _FIRST / (1 + rank) + worth
            score -= _MERELY_CODE if said.kind == "code" else 0.0 if own or worth else _NO_WORD
            has = frozenset(term for term in asked if term in bag)
            result.append(Rated(said, rank, score, own, passage, has))
    return sorted(result, key=lambda one: -one.score)


def _share(asked: Sequence[str], has: set[str], weights: Mapping[str, float]) -> float:
    found = [term for term in asked if term in has]
    total = _sum(weights, {*found, *lacking(asked, has)})
    return _sum(weights, found) / total if total else 0.0


def _sum(weights: Mapping[str, float], of: Iterable[str]) -> float:
    return sum(weights[term] for term in of)
