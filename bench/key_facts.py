"""Documents with the key facts that an editor wrote down by hand, and whether a summary has kept one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import yaml

SETS = Path(__file__).resolve().parents[1] / "tests" / "summaries"


@dataclass(frozen=True, slots=True)
class KeyFact:
    """A fact, and what shows that it is told: of each of `needles` one alternative, folded."""

    say: str
    needles: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Annotated:
    """A document with its facts. `language` is "zh" or "en", `name` the file's."""

    name: str
    language: str
    text: str
    facts: tuple[KeyFact, ...]


def annotated(name: str) -> list[Annotated]:
    """The documents of a set ("own", "blind"), by name; none where the set is not here."""
    return [_read(path) for path in sorted((SETS / name).glob("*.yml"))]


def _read(path: Path) -> Annotated:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    facts = tuple(
        KeyFact(fact["say"], tuple(tuple(map(folded, one.split("|"))) for one in fact["all"])) for fact in data["facts"]
    )
    return Annotated(path.stem, data["language"], data["text"], facts)


def is_kept(fact: KeyFact, summary: Sequence[str]) -> bool:
    """Whether one sentence of a summary, or two neighbours, have an alternative of every needle of the fact."""
    plain = [folded(sentence) for sentence in summary]
    places = [*plain, *(first + second for first, second in pairwise(plain))]
    return any(all(any(one in place for one in needle) for needle in fact.needles) for place in places)


def folded(text: str) -> str:
    """Widths and case folded, without blanks."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
