"""Which places carry a sentence that was put together from several: one quote where one has it all, else a few that
together have every number, date and name of it and most of its words, and say it the same way round."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from kaozheng.documents.span import Span
from kaozheng.evidence.carrying import Ground, look_up, without_numbers
from kaozheng.evidence.clauses import denial_dropped, misplaced, reversed_in, unbound
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.key_statements import statement_spans
from kaozheng.evidence.naming import names_name
from kaozheng.evidence.proper_names import proper_names
from kaozheng.evidence.quotes import words_of
from kaozheng.evidence.support import Supporter, names_of
from kaozheng.sources.passage import Passage

MOST_QUOTES = 4
_HALF = 0.5
_MOST_PIECES = 12
_LITTLE = 0.04
_FACT_COUNTS = 0.5
_LIST_ITEMS = 8
"""Items of one list that a sentence may sum up in one quote."""


@dataclass(frozen=True)
class _Piece:
    """A sentence, list item or row of a passage."""

    passage: Passage
    place: int
    span: Span

    @cached_property
    def text(self) -> str:
        return self.passage.text[self.span.start : self.span.end]

    @property
    def listed(self) -> bool:
        return self.passage.kind in ("list", "table")

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(words_of(without_numbers(self.text)))

    @cached_property
    def ground(self) -> Ground:
        return Ground(self.text)


class Covering:
    """Finds the evidence of sentences in the passages of a Supporter; what is worked out about a passage is kept."""

    def __init__(self, supporter: Supporter) -> None:
        self._supporter = supporter
        self._pieces: dict[str, list[_Piece]] = {}

    def of(self, sentence: str, marked: Sequence[str] = ()) -> list[Evidence]:
        """The quotes that carry `sentence`, most telling first, at most MOST_QUOTES: of the passages whose ids are
        `marked` if they carry it, else of any. Empty when nothing does."""
        whole = self._supporter.best(sentence, marked)
        if whole is not None and self._is_sound(sentence, whole):
            return [whole]
        named = [passage for id in dict.fromkeys(marked) if (passage := self._supporter.passage(id)) is not None]
        found = self._together(sentence, named) if named else []
        if found:
            return found
        others = [passage for passage in self._supporter.near(sentence) if passage not in named]
        return self._together(sentence, [*named, *others])

    def _is_sound(self, sentence: str, quote: Evidence) -> bool:
        passage = self._supporter.passage(quote.passage)
        if passage is None:
            return False
        start, end = quote.span.start - passage.span.start, quote.span.end - passage.span.start
        cut = [piece for piece in self._pieces_of(passage) if piece.span.start < end and start < piece.span.end]
        said = "\n".join(piece.text for piece in cut) or quote.quote
        # What was cut word for word may have left the denial in front of it behind.
        return not reversed_in(sentence, said) if quote.support == 1.0 else _carries(sentence, said, [passage])

    def _together(self, sentence: str, passages: Sequence[Passage]) -> list[Evidence]:
        pieces = list(chain.from_iterable(self._pieces_of(passage) for passage in passages))
        wanted = _Wanted.of(sentence, pieces)
        chosen = wanted.choose(pieces)
        while chosen:
            quotes = list(_merged(chosen))
            if len(quotes) <= MOST_QUOTES:
                break
            chosen.pop()
        else:
            return []
        text = "\n".join(passage.text[span.start : span.end] for passage, span in quotes)
        share = wanted.share(chosen)
        used = list({passage.id: passage for passage, _ in quotes}.values())
        known = frozenset(chain.from_iterable(map(self._supporter.names_around, used)))
        if share < _HALF or not all(_is_known(name, known) for name in names_of(sentence)):
            return []
        # A passage nearby that denies it outweighs quotes that only do not.
        if not _carries(sentence, text, used) or reversed_in(sentence, "\n".join(piece.text for piece in pieces)):
            return []
        return [self._supporter.cut(passage, span, share) for passage, span in quotes]

    def _pieces_of(self, passage: Passage) -> list[_Piece]:
        if passage.id not in self._pieces:
            spans = list(statement_spans(passage)) or [Span(0, len(passage.text))]
            self._pieces[passage.id] = [_Piece(passage, place, span) for place, span in enumerate(spans)]
        return self._pieces[passage.id]


@dataclass(frozen=True)
class _Wanted:
    """What the pieces must have: the words of the sentence with their weights, its figures and its names."""

    weights: dict[str, float]
    figures: frozenset[str]
    names: tuple[str, ...]

    @classmethod
    def of(cls, sentence: str, pieces: Sequence[_Piece]) -> _Wanted:
        counts = Counter(word for piece in pieces for word in piece.words)
        words = dict.fromkeys(words_of(without_numbers(sentence)))
        weights = {word: math.log(2 + len(pieces) / (1 + counts[word])) for word in words}
        figures = frozenset(f"{one.dimension} {one.unit} {one.value}" for one in Ground(sentence).numbers)
        return cls(weights, figures, tuple(proper_names(sentence)))

    def choose(self, pieces: Sequence[_Piece]) -> list[_Piece]:
        """The pieces that add most to what is had already, most telling first."""
        total = sum(self.weights.values()) or 1.0
        chosen: list[_Piece] = []
        left, figures, names = dict(self.weights), set(self.figures), set(self.names)
        rest = [piece for piece in pieces if not piece.words.isdisjoint(left) or self._figures(piece)]
        while rest and len(chosen) < _MOST_PIECES and sum(not piece.listed for piece in chosen) < MOST_QUOTES:
            gains = [
                sum(left[word] for word in piece.words if word in left) / total
                + _FACT_COUNTS * len(figures & self._figures(piece))
                + _FACT_COUNTS * sum(names_name(name, piece.text) for name in names)
                for piece in rest
            ]
            best = max(range(len(rest)), key=lambda place: gains[place])
            if gains[best] < _LITTLE:
                break
            piece = rest.pop(best)
            chosen.append(piece)
            left = {word: weight for word, weight in left.items() if word not in piece.words}
            figures -= self._figures(piece)
            names = {name for name in names if not names_name(name, piece.text)}
        return chosen

    def share(self, chosen: Sequence[_Piece]) -> float:
        """The weighted share of the words that the pieces have together."""
        have = frozenset(chain.from_iterable(piece.words for piece in chosen))
        total = sum(self.weights.values())
        return sum(weight for word, weight in self.weights.items() if word in have) / total if total else 1.0

    def _figures(self, piece: _Piece) -> frozenset[str]:
        return self.figures & {f"{one.dimension} {one.unit} {one.value}" for one in piece.ground.numbers}


def _merged(chosen: Sequence[_Piece]) -> Iterator[tuple[Passage, Span]]:
    """The chosen pieces as quotes: neighbours in one, and in a list all from the first to the last."""
    by_passage: dict[str, list[_Piece]] = {}
    for piece in chosen:
        by_passage.setdefault(piece.passage.id, []).append(piece)
    for pieces in by_passage.values():
        passage, ordered = pieces[0].passage, sorted(pieces, key=lambda piece: piece.place)
        gap = _LIST_ITEMS if pieces[0].listed else 1
        run = [ordered[0]]
        for piece in ordered[1:]:
            if piece.place - run[-1].place > gap:
                yield passage, Span(run[0].span.start, run[-1].span.end)
                run = []
            run.append(piece)
        yield passage, Span(run[0].span.start, run[-1].span.end)


def _carries(sentence: str, text: str, passages: Sequence[Passage]) -> bool:
    """Whether a text has every number, date and name of a sentence, each said of the same, and does not deny it."""
    headings = " ".join(chain.from_iterable(passage.path for passage in passages))
    around = "\n".join((headings, *(passage.text for passage in passages)))
    listed = [passage for passage in passages if passage.kind in ("list", "item", "table")]
    counted = len(list(chain.from_iterable(map(statement_spans, listed))))
    looked = look_up(sentence, Ground(f"{text}\n{headings}"), Ground(""), counted)
    if looked.faults or misplaced(sentence, text) or unbound(sentence, text):
        return False
    if reversed_in(sentence, text) or denial_dropped(sentence, text):
        return False
    return all(names_name(name, around) for name in proper_names(sentence) if not _is_opening(name, sentence))


def _is_known(name: str, known: frozenset[str]) -> bool:
    """Whether it stands there, or is joined by hyphens (full-year) from what stands there."""
    return name in known or ("-" in name and all(part in known for part in name.split("-") if part))


def _is_opening(name: str, sentence: str) -> bool:
    """A capital at the beginning of a sentence, or of a title's every word, may make no name."""
    return narrow(sentence).lstrip().startswith(name) and " " not in name and name.isascii() and name.isalpha()
