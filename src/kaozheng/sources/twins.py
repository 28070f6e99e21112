"""Twins: documents that have the content and labels of another document of their base.

An index keeps such a text once. Of the twin it keeps an entry without chunks, whose title is the name of the other
document and whose hash is made of that document's hash and the twin's own name, so that it can be taken neither for a
document nor for the twin of something else. Who lists the entries of a base looks at them through here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from kaozheng.sources.index import Entry


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a base; `duplicate_of` names the one whose content it shares."""

    entry: Entry
    duplicate_of: str = ""


def documents_of(entries: Iterable[Entry]) -> list[Document]:
    """The entries of one base, those of twins with the title and hash of what they are twins of."""
    by_name = {entry.name: entry for entry in entries}
    twins = twins_of(by_name)
    return [
        Document(replace(entry, title=by_name[of].title, sha256=by_name[of].sha256), of)
        if (of := twins.get(name))
        else Document(entry)
        for name, entry in by_name.items()
    ]


def originals_of(entries: Iterable[Entry]) -> list[Entry]:
    """The entries of one base that have a text of their own."""
    return [document.entry for document in documents_of(entries) if not document.duplicate_of]


def twins_of(by_name: Mapping[str, Entry]) -> dict[str, str]:
    """Of the entries of one base those of twins, and what they are twins of."""
    return {
        name: entry.title
        for name, entry in by_name.items()
        if (of := by_name.get(entry.title)) and entry.sha256 == _mark(of.sha256, name)
    }


def twin(entry: Entry, of: Entry) -> Entry:
    """The entry to keep for this document, which has the content of that one."""
    return replace(entry, title=of.name, sha256=_mark(of.sha256, entry.name))


def _mark(sha256: str, name: str) -> str:
    return hashlib.sha256(f"twin {sha256} {name}".encode("utf-8", "surrogatepass")).hexdigest()
