"""The bundle: what a question has for evidence, under labels that hold within one answer and are stored with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from kaozheng.documents.span import LineRange, Span
from kaozheng.sources.index import Hit
from kaozheng.sources.passage import Kind, Passage

State = Literal["ok", "partial", "error", "empty"]
_LINED = re.compile(r"\s*(?:\||[-*+] |\d{1,3}[.)、] ?)")


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A chunk with its label ("E1"). `text` is exactly the document's text at `span` and stands on `lines`;
    `path` holds the headings above it; `prefix` was searched with it and is no part of it; `score` is
    that of the search; `chunk` is the chunk's id; `targets` are the things to be compared that it was
    found for, none in other tasks."""

    label: str
    base: str
    document: str
    title: str
    path: tuple[str, ...]
    lines: LineRange
    span: Span
    text: str
    prefix: str = ""
    score: float = 0.0
    chunk: str = ""
    targets: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The first of the things to be compared that it was found for; "" in other tasks."""
        return self.targets[0] if self.targets else ""

    @property
    def passage(self) -> Passage:
        """The item for what reads passages (Supporter): its id is the label. The document's title counts as a heading,
        so that a name that stands only there is a known one."""
        headings = (self.title, *self.path) if self.title else self.path
        return Passage(self.label, self.document, self.span, self.lines, _kind(self.text), self.text, headings)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only."""
        return {
            "label": self.label,
            "base": self.base,
            "document": self.document,
            "title": self.title,
            "path": list(self.path),
            "lines": [self.lines.start, self.lines.end],
            "span": [self.span.start, self.span.end],
            "text": self.text,
            "prefix": self.prefix,
            "score": self.score,
            "chunk": self.chunk,
            "targets": list(self.targets),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> EvidenceItem:
        """What `as_dict` gave. Raises ValueError for anything else."""
        try:
            said = {field.name: given[field.name] for field in fields(cls)}
            said["lines"], said["span"] = LineRange(*said["lines"]), Span(*said["span"])
            said["path"], said["targets"] = tuple(said["path"]), tuple(said["targets"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"no item of a bundle: {error}") from error
        return cls(**said)


@dataclass(frozen=True, slots=True)
class EvidenceBundle:
    """The items in the order of their labels, and how the search went: ok; partial (items, but a search failed); error
    (no item, and a search failed); empty (searched, nothing found). `failures` say what failed, a line each."""

    items: tuple[EvidenceItem, ...]
    state: State
    failures: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """E1, E2, …"""
        return tuple(item.label for item in self.items)

    @property
    def passages(self) -> list[Passage]:
        """The items for what reads passages; their ids are the labels."""
        return [item.passage for item in self.items]

    def item(self, label: str) -> EvidenceItem | None:
        """The item of this label, None when there is none. Labels are never positions: E3 stays E3."""
        return next((item for item in self.items if item.label == label), None)

    def of_target(self, target: str) -> tuple[EvidenceItem, ...]:
        """The items that were found for one of the things to be compared."""
        return tuple(item for item in self.items if target in item.targets)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values only; stored with the answer, whose marks mean nothing without it."""
        return {
            "items": [item.as_dict() for item in self.items],
            "state": self.state,
            "failures": list(self.failures),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> EvidenceBundle:
        """What `as_dict` gave. Raises ValueError for anything else."""
        try:
            items = tuple(EvidenceItem.from_dict(item) for item in given["items"])
            state, failures = given["state"], tuple(given["failures"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"no bundle: {error}") from error
        if state not in get_args(State):
            raise ValueError(f"no state of a bundle: {state!r}")
        return cls(items, state, failures)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one query found, best first; `target` is the thing to be compared that it asked for, "" in other tasks."""

    hits: Sequence[Hit]
    target: str = ""


def bundle_of(gathered: Iterable[Gathered], failures: Iterable[str] = ()) -> EvidenceBundle:
    """The hits of all queries as one bundle: query by query, each chunk once and each text once, labelled in that
    order. A chunk found again keeps its place and gains the target and the better score."""
    kept: dict[str, EvidenceItem] = {}
    by_text: dict[str, str] = {}
    for query in gathered:
        for hit in query.hits:
            key = by_text.setdefault(" ".join(hit.chunk.text.split()), hit.chunk.id)
            if not hit.chunk.text.strip():
                continue
            item = kept.get(key) or _item(hit, f"E{len(kept) + 1}")
            targets = dict.fromkeys((*item.targets, query.target) if query.target else item.targets)
            kept[key] = replace(item, score=max(item.score, hit.score), targets=tuple(targets))
    said = tuple(failures)
    state: State = ("partial" if said else "ok") if kept else ("error" if said else "empty")
    return EvidenceBundle(tuple(kept.values()), state, said)


def _item(hit: Hit, label: str) -> EvidenceItem:
    entry, chunk = hit.entry, hit.chunk
    return EvidenceItem(
        label,
        entry.base,
        entry.name,
        entry.title,
        chunk.path,
        chunk.lines,
        chunk.span,
        chunk.text,
        chunk.prefix,
        hit.score,
        chunk.id,
    )


def _kind(text: str) -> Kind:
    """Whether the text is read line by line (rows, list items) or as prose that may wrap."""
    lines = [line for line in text.splitlines() if line.strip()]
    return "list" if sum(_LINED.match(line) is not None for line in lines) * 2 > len(lines) else "paragraph"
