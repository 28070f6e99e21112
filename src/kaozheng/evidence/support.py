"""Which place of which passage carries a sentence. A model may name a passage; the quote is always cut here."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kaozheng.documents.sentences import split
from kaozheng.documents.span import Span
from kaozheng.evidence.agreement import unsupported
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.folding import HAN, fold, narrow
from kaozheng.evidence.numbers import Number, find_numbers
from kaozheng.evidence.quotes import features, locate
from kaozheng.sources.passage import Passage

THRESHOLD = 0.6
_CANDIDATES = 8
_WINDOW = 3
_LONGER = 0.02
_SAME = 0.75
_NEARLY_ALL = 0.9
_NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
NEGATION = re.compile(
    r"不(?![仅但同断少过久易止论管足错得妨已懈忘锈动超满到低高大小晚迟])|不得(?![超少低高大小晚迟])|未(?![来必满])|没有?"
    r"|无(?!论|数|限|线|缝|服|状|锡|障碍|纸化|人机|人驾|人值守|人图|人超|人店)|非(?!常|洲)|禁止|拒绝"
    r"|\b(?:not(?! (?:more|less|fewer|later|only|exceed))|"
    r"no(?! (?:longer|more|less|fewer|later|earlier|greater|higher|lower))"
    r"|never|none|neither|nor|without|cannot|exclud\w+|prohibit\w*|forbid\w*|refus\w+)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What denies or forbids; bounds (不超过, no more than) do not."""
_NOTE = re.compile(r"\[\^[^\]\s]+\]|\[[ES]\d+(?::\d+)?\]")


@dataclass(frozen=True)
class _Piece:
    """A sentence, list line or table row of a passage, with what is compared, worked out once."""

    span: Span
    text: str

    @cached_property
    def features(self) -> Counter[str]:
        return features(self.text)

    @cached_property
    def numbers(self) -> list[Number]:
        return find_numbers(self.text)

    @cached_property
    def negated(self) -> bool:
        return NEGATION.search(self.text) is not None


@dataclass(frozen=True)
class _Claim:
    """What a sentence asks of its evidence."""

    text: str
    features: Counter[str]
    numbers: list[Number]
    names: frozenset[str]
    negated: bool

    @classmethod
    def of(cls, sentence: str) -> _Claim:
        text = _NOTE.sub("", sentence)
        return cls(text, features(text), find_numbers(text), names_of(text), NEGATION.search(text) is not None)


class _Weighted:
    """A claim with the weight of each of its features in the collection at hand."""

    def __init__(self, claim: _Claim, weights: Mapping[str, float]) -> None:
        self.claim = claim
        self._weights = weights
        self._total = sum(count * weights[feature] for feature, count in claim.features.items())

    def shared(self, text: Counter[str]) -> dict[str, int]:
        """The claim's features that stand in a text, with how often they stand there."""
        return {feature: text[feature] for feature in self.claim.features if feature in text}

    def share(self, *shared: Mapping[str, int]) -> float:
        """The weighted share of the claim that several texts have together, 0.0 to 1.0."""
        have = 0.0
        for feature, count in self.claim.features.items():
            found = sum(part.get(feature, 0) for part in shared)
            have += min(count, found) * self._weights[feature]
        return have / self._total if self._total else 0.0


class Supporter:
    """Finds evidence for sentences in passages; what can be worked out about a passage is worked out once.

    `paths` gives the path to show for a source id. A sentence is supported when a quote of up to three neighbouring
    sentences of one passage has it word for word, or has at least `threshold` of its words, all its numbers, dates
    and document numbers, and is not the negation of it; the names in it must stand in the passage or its headings.
    """

    def __init__(
        self, passages: Sequence[Passage], paths: Mapping[str, str] | None = None, threshold: float = THRESHOLD
    ) -> None:
        self._passages = list(passages)
        self._paths = dict(paths or {})
        self._threshold = threshold
        self._by_id = {passage.id: index for index, passage in enumerate(self._passages)}
        self._pieces: dict[int, list[_Piece]] = {}
        self._known: dict[int, frozenset[str]] = {}
        self._folded: dict[int, str] = {}

    def best(self, sentence: str, marked: Sequence[str] = ()) -> Evidence | None:
        """The best evidence for `sentence`, in the passages whose ids are `marked` if it is there, else in all.
        None when nothing carries it."""
        claim = _Claim.of(sentence)
        if not claim.features:
            return None
        named = [self._by_id[id] for id in marked if id in self._by_id]
        found = self._best_of(claim, named)
        return found or self._best_of(claim, [index for index in self._candidates(claim) if index not in named])

    def passage(self, id: str) -> Passage | None:
        """The passage of this id, None when it is not among those that are looked through."""
        index = self._by_id.get(id)
        return None if index is None else self._passages[index]

    def near(self, sentence: str, most: int = _CANDIDATES) -> list[Passage]:
        """The passages that share the most telling words with a sentence, most first; those that share none are
        left out."""
        scores = self._scores(_Claim.of(sentence))
        return [self._passages[index] for index in sorted(scores, key=lambda index: (-scores[index], index))[:most]]

    def cut(self, passage: Passage, span: Span, support: float) -> Evidence:
        """The text of a passage at `span` (offsets within it) as evidence, with the path of its source."""
        return Evidence.cut(passage, span, self._paths.get(passage.source, ""), min(1.0, support))

    def names_around(self, passage: Passage) -> frozenset[str]:
        """What `names_of` may find in a sentence that rests on this passage: the names in it and in its headings."""
        return self._names_of(self._by_id[passage.id])

    def _best_of(self, claim: _Claim, candidates: Sequence[int]) -> Evidence | None:
        weighted = _Weighted(claim, {feature: self._weight(feature) for feature in claim.features})
        shared = {index: [weighted.shared(piece.features) for piece in self._pieces_of(index)] for index in candidates}
        whole = {index: weighted.share(*shared[index]) for index in candidates}
        for index in candidates:
            if whole[index] >= _NEARLY_ALL and (exact := self._verbatim(claim, index)):
                return exact
        best: tuple[float, float, int, Span] | None = None
        for index in sorted(candidates, key=lambda index: -whole[index]):
            if whole[index] < max(self._threshold, best[0] if best else 0.0):
                break
            if not claim.names <= self._names_of(index):
                continue
            for score, share, span in self._windows(weighted, index, shared[index]):
                if best is None or score > best[0] + 1e-9:
                    best = (score, share, index, span)
        return self._cut(best[2], best[3], best[1]) if best else None

    def _verbatim(self, claim: _Claim, index: int) -> Evidence | None:
        if index not in self._folded:
            self._folded[index] = fold(self._passages[index].text)[0]
        wanted = fold(claim.text)[0].strip(" .,;:!?\"'")
        if wanted not in self._folded[index]:
            return None
        span = locate(claim.text, self._passages[index].text)
        return self._cut(index, span, 1.0) if span else None

    def _windows(
        self, weighted: _Weighted, index: int, shared: Sequence[Mapping[str, int]]
    ) -> Iterator[tuple[float, float, Span]]:
        """(score, share, span) of every run of neighbouring pieces that carries the claim; longer runs score less."""
        pieces = self._pieces_of(index)
        claim = weighted.claim
        for first in range(len(pieces)):
            for last in range(first, min(first + _WINDOW, len(pieces))):
                own = weighted.share(shared[last])
                if own >= _SAME and unsupported(claim.numbers, pieces[last].numbers):
                    break  # the claim but for a number: the right number in a neighbour must not repair that
                share = weighted.share(*shared[first : last + 1])
                window = pieces[first : last + 1]
                if share >= self._threshold and _agrees(claim, window):
                    yield share - _LONGER * (last - first), share, Span(window[0].span.start, window[-1].span.end)

    def _cut(self, index: int, span: Span, support: float) -> Evidence:
        return self.cut(self._passages[index], span, support)

    def _candidates(self, claim: _Claim) -> list[int]:
        """The passages that share the most telling features with the claim, best first."""
        scores = self._scores(claim)
        enough = (self._threshold - 0.1) * sum(map(self._weight, claim.features))
        kept = [index for index, score in scores.items() if score >= enough]
        return sorted(kept, key=lambda index: (-scores[index], index))[:_CANDIDATES]

    def _scores(self, claim: _Claim) -> dict[int, float]:
        scores: dict[int, float] = defaultdict(float)
        for feature in claim.features:
            weight = self._weight(feature)
            for index in self._postings.get(feature, ()):
                scores[index] += weight
        return scores

    def _weight(self, feature: str) -> float:
        """Words that few passages have, names above all, tell more than words that all have."""
        return math.log(1 + len(self._passages) / (1 + len(self._postings.get(feature, ()))))

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        postings: dict[str, list[int]] = defaultdict(list)
        for index, passage in enumerate(self._passages):
            for feature in features(passage.text):
                postings[feature].append(index)
        return postings

    def _pieces_of(self, index: int) -> list[_Piece]:
        if index not in self._pieces:
            passage = self._passages[index]
            self._pieces[index] = [_Piece(span, passage.text[span.start : span.end]) for span in cuts(passage)]
        return self._pieces[index]

    def _names_of(self, index: int) -> frozenset[str]:
        if index not in self._known:
            passage = self._passages[index]
            everything = " ".join([*passage.path, passage.text, self._paths.get(passage.source, "")])
            self._known[index] = names_known(everything)
        return self._known[index]


def _agrees(claim: _Claim, pieces: Sequence[_Piece]) -> bool:
    """Whether the pieces have every number of the claim and are not its negation."""
    if claim.negated != any(piece.negated for piece in pieces):
        return False
    return not claim.numbers or not unsupported(claim.numbers, [number for piece in pieces for number in piece.numbers])


def is_negated(text: str) -> bool:
    """Whether a text denies or forbids something; bounds (不超过, no more than) do not."""
    return NEGATION.search(text) is not None


def match(sentence: str, passages: Sequence[Passage], marked: Sequence[str] = ()) -> Evidence | None:
    """The evidence for one sentence; for many sentences over the same passages keep a Supporter."""
    return Supporter(passages).best(sentence, marked)


def cuts(passage: Passage) -> list[Span]:
    """The pieces of a passage that are compared: sentences of prose; lines of lists, tables and code, each
    line cut into its sentences."""
    if passage.kind not in ("list", "table", "code"):
        return split(passage.text)
    spans: list[Span] = []
    at = 0
    for line in passage.text.split("\n"):
        spans += [Span(at + span.start, at + span.end) for span in split(line)]
        at += len(line) + 1
    return spans


def names_known(text: str) -> frozenset[str]:
    """What a text has of the words that `names_of` may find in a sentence."""
    return frozenset(_words(text))


def _words(text: str) -> Iterator[str]:
    for found in _NAME.finditer(narrow(text)):
        yield found[0].casefold()
        if "-" in found[0] or "." in found[0]:
            yield from (part.casefold() for part in re.split(r"[.-]", found[0]) if part)


def names_of(text: str) -> frozenset[str]:
    """The names in a sentence: Latin words within Chinese; capitalised words that do not open the sentence and
    identifiers within English."""
    plain = narrow(text)
    chinese = len(re.findall(f"[{HAN}]", plain)) >= 4
    found = set()
    for place in _NAME.finditer(plain):
        word = place[0]
        inner = re.search(r"[A-Za-z0-9,;)\"'] $", plain[max(0, place.start() - 2) : place.start()]) is not None
        identifier = not word.isalpha() or any(character.isupper() for character in word[1:])
        if len(word) > 1 and (chinese or identifier or (inner and word[0].isupper())):
            found.add(word.casefold())
    return frozenset(found)
