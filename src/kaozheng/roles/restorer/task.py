"""What is to be restored, and the answer."""

from __future__ import annotations

from dataclasses import dataclass

from kaozheng.evidence.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Restoring:
    """A section that lost something. `lost` are the sentences of the source whose facts it does not say."""

    purpose: str
    title: str
    sentences: tuple[Sentence, ...]
    lost: tuple[Sentence, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Insertion:
    """A sentence to put behind the sentence at place `after` of the section, -1 before the first. `lost` are the places
    in `Restoring.lost` of what it restores."""

    after: int
    sentence: Sentence
    lost: tuple[int, ...]
