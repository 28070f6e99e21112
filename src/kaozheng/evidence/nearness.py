"""How near the wording of a sentence is to its evidence, where it is said in other words.

A paraphrase keeps the words that carry meaning, in any order. So single words (Han characters, stemmed English words)
are counted, numbers that were looked up count for two, and a word of the question that the evidence does not have
counts neither way. Whether the sentence turns the evidence round is seen from its negations, where the wording is near
enough for that to mean anything; a county, bureau or company in the place of another from its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from kaozheng.documents.span import Span
from kaozheng.evidence.carrying import without_numbers
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.folding import HAN, narrow
from kaozheng.evidence.numbers import find_numbers
from kaozheng.evidence.quotes import containment, features
from kaozheng.evidence.support import cuts, is_negated
from kaozheng.sources.passage import Passage
from kaozheng.sources.ranking import stem

NEAR_ENOUGH = 0.5
_NUMBER_COUNTS = 2
_WINDOW = 3
_LONGEST = 1_000  # characters: what is longer is no sentence, and its beginning tells what it is like
_LONGER = 0.04
_SAME_WORDS = 0.55
_UNIT = re.compile(rf"[{HAN}]|[A-Za-z][A-Za-z'’]*")
_EMPTY_WORDS = """
的 了 是 在 和 与 及 等 为 对 也 都 就 而 并 且 或 之 其 这 那 该 此 须 应 可 以 要 能 会 将 把 被 由 从 到 按 于
个 每 共 约 达 至 则 即 若 如 它 他 她 们 有
a an the is are was were be been of to in on at for and or by with as it its this that these those has have had which
will would can also then may could should must do does did their his her our they them if when so only than more
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
_stem = cache(stem)
_CLAUSE = re.compile(r"[，；。！？、,;!?]|\.\s")
_NAMED = re.compile(
    rf"(?=(?P<name>[{HAN}]{{2}}(?P<kind>县|市|省|镇|乡|村|局|厅|委|港|桥|公司|集团|银行|医院|大学|中学|法院|街道)))"
)
_NOT_NAMED = re.compile("[全该本我各此两某每个所在和与及由的是为]")


@dataclass(frozen=True, slots=True)
class Near:
    """The place of a passage that is nearest to a sentence: the share of its words there, and whether it is turned
    round there."""

    evidence: Evidence
    score: float
    reversed: bool


def wording(sentence: str, text: str, question: str = "") -> float:
    """The share of a sentence's words that a text has, 0.0 to 1.0. Its numbers count as found: they are looked up
    elsewhere."""
    return _Asked.of(sentence, question).share(text)


def nearest(sentence: str, passage: Passage, question: str = "", widest: int = _WINDOW) -> Near | None:
    """Up to `widest` neighbouring sentences of a passage that have most of the words; None for an empty one."""
    pieces = cuts(passage)
    asked = _Asked.of(sentence, question)
    best: tuple[float, Span] | None = None
    for length, span in _windows(pieces, widest):
        score = asked.share(passage.text[span.start : span.end]) - _LONGER * (length - 1)
        if best is None or score > best[0] + 1e-9:
            best = (score, span)
    if best is None:
        return None
    text = passage.text[best[1].start : best[1].end]
    score = asked.share(text)
    turned = _turned_round(sentence, text)
    return Near(Evidence.cut(passage, best[1], "", score).labelled(passage.id), score, turned)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A sentence to be found in texts: its words, those that the question brings, and what its numbers count for."""

    words: frozenset[str]
    given: frozenset[str]
    numbers: int

    @classmethod
    def of(cls, sentence: str, question: str) -> _Asked:
        plain = sentence[:_LONGEST]
        return cls(
            content_words(without_numbers(plain)), content_words(question), _NUMBER_COUNTS * len(find_numbers(plain))
        )

    def share(self, text: str) -> float:
        found = self.words & content_words(text)
        missing = self.words - found - self.given
        return (len(found) + self.numbers) / max(1, len(found) + len(missing) + self.numbers)


def swapped(sentence: str, text: str) -> str:
    """The name of a place, office or company in a sentence that the text does not have while it names another one of
    that kind; "" when there is none."""
    theirs = list(_names(text))
    for name, kind in _names(sentence):
        if name not in text and any(other[1] == kind and other[0] not in sentence for other in theirs):
            return name
    return ""


def _turned_round(sentence: str, text: str) -> bool:
    """Whether one of both denies what the other says, in the clauses of the text that the sentence speaks of."""
    if containment(features(without_numbers(sentence)), features(text)) < _SAME_WORDS:
        return False
    mine = content_words(sentence)
    clauses = [
        clause
        for clause in _CLAUSE.split(text)
        if (said := content_words(clause)) and len(said & mine) * 2 >= len(said)
    ]
    return bool(clauses) and is_negated(sentence) != any(map(is_negated, clauses))


def _windows(pieces: Sequence[Span], widest: int) -> Iterator[tuple[int, Span]]:
    for length in range(1, widest + 1):
        for first in range(len(pieces) - length + 1):
            yield length, Span(pieces[first].start, pieces[first + length - 1].end)


@lru_cache(maxsize=2048)
def content_words(text: str) -> frozenset[str]:
    """The words that carry meaning: Han characters one by one and stemmed English words; no digits."""
    found = _UNIT.findall(narrow(text).casefold())
    return frozenset(word if word >= "\u3400" else _stem(word) for word in found if word not in _EMPTY)


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Names by their last two characters before the word for their kind: where a longer one begins cannot be told."""
    for found in _NAMED.finditer(text):
        if not _NOT_NAMED.search(found["name"][:2]):
            yield found["name"], found["kind"]
