"""Sentences that say again what an earlier one has said. What adds a word that carries meaning, or differs in a number,
date, name, direction or negation, says something of its own and is none: better said twice than lost."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from kaozheng.evidence.agreement import unsupported
from kaozheng.evidence.carrying import claimed_numbers, without_numbers
from kaozheng.evidence.clauses import clauses_of, misplaced
from kaozheng.evidence.folding import fold
from kaozheng.evidence.nearness import content_words
from kaozheng.evidence.numbers import Number
from kaozheng.evidence.proper_names import proper_names
from kaozheng.evidence.quotes import containment, features
from kaozheng.sources.ranking import stem

_CANDIDATES = 12
_NEAR = 0.7
_LIGHT_HAN = "已经仅又还更正才再便所之着过地得了至约共现目前"
_LIGHT_WORDS = "already now also still however moreover furthermore there thus so then currently again both all further"
_LIGHT = frozenset((*_LIGHT_HAN, *map(stem, _LIGHT_WORDS.split())))
"""Words that may come in when a sentence is said again."""
_LIGHT_RUN = re.compile(rf"\b(?:{_LIGHT_WORDS.replace(' ', '|')})\b|[{_LIGHT_HAN}]", re.IGNORECASE)


def repeated(sentences: Sequence[str]) -> dict[int, int]:
    """Index of a sentence that repeats an earlier one -> the index of the first that says it."""
    said = [_Said(sentence) for sentence in sentences]
    places: dict[str, list[int]] = defaultdict(list)
    found: dict[int, int] = {}
    for index, one in enumerate(said):
        shared = Counter(place for feature in one.features for place in places[feature])
        for place, _ in sorted(shared.most_common(_CANDIDATES), key=lambda item: item[0]):
            if one.repeats(said[place]):
                found[index] = place
                break
        else:
            for feature in one.features:
                places[feature].append(index)
    return found


class _Said:
    """A sentence with what is compared."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.features = features(_LIGHT_RUN.sub("", without_numbers(text)))

    @cached_property
    def folded(self) -> str:
        return fold(self.text)[0].strip(" .,;:!?\"'").casefold()

    @cached_property
    def words(self) -> frozenset[str]:
        return content_words(without_numbers(self.text))

    @cached_property
    def numbers(self) -> list[Number]:
        return list(claimed_numbers(self.text))

    @cached_property
    def names(self) -> list[str]:
        return proper_names(self.text)

    @cached_property
    def denials(self) -> int:
        return sum(clause.negated for clause in clauses_of(self.text))

    def repeats(self, earlier: _Said) -> bool:
        """Whether all that it says was said by the earlier one."""
        if self.folded == earlier.folded:
            return True
        if not self.features or not self.words - _LIGHT <= earlier.words:
            return False
        if containment(self.features, earlier.features) < _NEAR:
            return False
        return self._same_facts(earlier) and not misplaced(self.text, earlier.text)

    def _same_facts(self, earlier: _Said) -> bool:
        mine, theirs = self.numbers, earlier.numbers
        if len(mine) != len(theirs) or unsupported(mine, theirs) or unsupported(theirs, mine):
            return False
        return self.names == earlier.names and self.denials == earlier.denials
