"""Handler: how one kind of task is given evidence, and when that is too little to generate from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.models.messages import Effort
from kaozheng.roles.planner import TaskRequest
from kaozheng.sources.ranking import terms, without_function_words
from kaozheng.sources.source import Source
from kaozheng.workflows.ask.numbered import has_number, numbers_in
from kaozheng.workflows.ask.state import Direct

_SPEAKS: Final = 0.6


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is needed for a task: queries to make, each for one thing of a comparison or for all (""), passages at hand
    that need no search, the title of a document that is wanted whole."""

    queries: tuple[tuple[str, str], ...] = ()
    items: tuple[EvidenceItem, ...] = ()
    document: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found for a task, with what to say when it is too little, in which language: the queries, and the bases
    by their names, None where those are not the asker's own words for them."""

    task: TaskRequest
    bundle: EvidenceBundle
    enough: bool
    language: Literal["zh", "en"]
    searched: Sequence[str]
    bases: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Handler:
    """`prepare` says what is needed (of the open article, None when there is none), `too_little` answers in place of
    a model, or None. `effort` is how hard the model shall think, `limit` how many chunks a query gives. `grounded`:
    the answer is checked against evidence."""

    prepare: Callable[[TaskRequest, Source | None], Preparation]
    too_little: Callable[[Judged], Direct | None]
    effort: Effort = "none"
    limit: int = 6
    grounded: bool = True


def speaks_of(item: EvidenceItem, thing: str) -> bool:
    """Whether a passage, or what stands above it, names the thing; a document number as a whole, because other numbers
    have its words too."""
    if numbers := numbers_in(thing):
        return any(has_number(item, one) for one in numbers)
    said = " ".join((item.title, item.document, *item.path, item.prefix, item.text))
    if thing.casefold() in said.casefold():
        return True
    wanted = set(without_function_words(terms(thing))) or set(terms(thing))
    return bool(wanted) and len(wanted & set(terms(said))) >= _SPEAKS * len(wanted)
