"""A section of the summary as it is kept: paragraphs of sentences, each with the places that carry it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from kaozheng.documents.span import Span
from kaozheng.evidence.evidence import Evidence
from kaozheng.sources.material import Material


@dataclass(frozen=True, slots=True)
class Place:
    """Characters `start` to `end` of a passage's text; `support` is the share of the sentence that stands there."""

    passage: str
    start: int
    end: int
    support: float

    @classmethod
    def of(cls, evidence: Evidence, material: Material) -> Place:
        """The place of an evidence that was cut from a passage."""
        begin = evidence.span.start - material.passage(evidence.passage).span.start
        return cls(evidence.passage, begin, begin + len(evidence.quote), evidence.support)

    def evidence(self, material: Material) -> Evidence:
        """The quote at this place."""
        passage = material.passage(self.passage)
        return Evidence.cut(passage, Span(self.start, self.end), material.source(passage.source).path, self.support)


@dataclass(frozen=True, slots=True)
class Cited:
    """One sentence. `restored`: the loss check put it back."""

    text: str
    places: tuple[Place, ...]
    restored: bool = False


@dataclass(frozen=True, slots=True)
class Removed:
    """A sentence that did not get into the summary, and why: "unsupported" or "repeated"."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section. `passages` are those that it was written from: what is lost of them goes back into it."""

    title: str
    paragraphs: tuple[tuple[Cited, ...], ...]
    removed: tuple[Removed, ...] = ()
    passages: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        """All its sentences, one after the other."""
        return joined((one.text, "") for one in self.sentences)

    @property
    def sentences(self) -> list[Cited]:
        """All its sentences in order."""
        return [one for paragraph in self.paragraphs for one in paragraph]

    def inserted(self, after: int, new: Iterable[Cited]) -> SectionText:
        """The section with sentences behind the one at `after` (-1: before the first), in its paragraph."""
        paragraphs = [list(paragraph) for paragraph in self.paragraphs] or [[]]
        left = after + 1
        for paragraph in paragraphs:
            if left <= len(paragraph):
                paragraph[left:left] = new
                break
            left -= len(paragraph)
        else:
            paragraphs[-1].extend(new)
        return replace(self, paragraphs=tuple(map(tuple, paragraphs)))

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> SectionText:
        """Back from `to_json`."""
        data = json.loads(text)
        paragraphs = tuple(tuple(map(_cited, paragraph)) for paragraph in data["paragraphs"])
        return cls(data["title"], paragraphs, tuple(Removed(**one) for one in data["removed"]), tuple(data["passages"]))


def all_sentences(sections: Iterable[SectionText]) -> Iterator[str]:
    """The texts of all sentences in order."""
    for section in sections:
        yield from (one.text for one in section.sentences)


def joined(sentences: Iterable[tuple[str, str]]) -> str:
    """Sentences one after the other, each with what follows it (its footnotes, or ""); a blank between those of scripts
    that have blanks."""
    text, last = "", ""
    for sentence, marks in sentences:
        text += (" " if last.isascii() and text else "") + sentence + marks
        last = sentence[-1:]
    return text


def _cited(data: dict[str, Any]) -> Cited:
    return Cited(data["text"], tuple(Place(**place) for place in data["places"]), data["restored"])
