"""What a base holds while documents come and go, its twins included (`sources.twins`).

When a document goes or changes, its first twin gets its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kaozheng.errors import KnowledgeBaseError
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Embedded, Entry, Index, Labels
from kaozheng.sources.twins import twin, twins_of
from kaozheng.workflows.ingest.report import Outcome


@dataclass(slots=True)
class _Heir:
    """Who gets the text of a document that goes, and the other twins, whose document it is from then on."""

    entry: Entry
    chunks: Sequence[Chunk]
    embedded: Embedded | None
    others: Sequence[str]


class Holdings:
    """The documents of one base, as this process knows them; the index has the last word. `embedder` is the base's, ""
    when it is searched by words alone, None while there is no text that anybody could have embedded."""

    def __init__(self, index: Index, base: str, entries: Iterable[Entry] = (), embedder: str | None = None) -> None:
        self._index = index
        self._base = base
        self._entries = {entry.name: entry for entry in entries}
        self._twins = twins_of(self._entries)
        self._by_content = {_content(one): name for name, one in self._entries.items() if name not in self._twins}
        self.embedder = embedder

    @property
    def names(self) -> list[str]:
        """All documents, twins included."""
        return list(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def labels(self, name: str) -> Labels:
        """The labels that the document has; none when it is new."""
        entry = self._entries.get(name)
        return entry.labels if entry else Labels()

    def settled(self, name: str, sha256: str, labels: Mapping[str, str]) -> Outcome | None:
        """What to report when the document is here already, with this content and these labels."""
        entry, of = self._entries.get(name), self._twins.get(name, "")
        if entry is None or (self._entries[of] if of else entry).sha256 != sha256:
            return None
        if any(getattr(entry.labels, label) != value for label, value in labels.items()):
            return None
        return Outcome(name, "duplicate", duplicate_of=of) if of else Outcome(name, "unchanged")

    def as_it_is(self, outcome: Outcome) -> Outcome:
        """The outcome of a twin as it is at the end: its document may have gone or changed after it was looked at."""
        if outcome.status != "duplicate":
            return outcome
        of = self._twins.get(outcome.name, "")
        return replace(outcome, status="duplicate" if of else "unchanged", duplicate_of=of)

    def twin_of(self, entry: Entry) -> str:
        """The document that has the content and labels of this one; "" when none has."""
        of = self._by_content.get(_content(entry), "")
        return of if of != entry.name else ""

    async def store(self, entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None) -> Outcome:
        """Put the document into its place, once it is sure that no twin loses its text by that."""
        if of := self.twin_of(entry):
            return await self._store_twin(entry, of)
        heir = await self._heir_of(entry.name, entry)
        stored = await self._index.put(entry, chunks, embedded)
        if stored.outcome == "twin":  # another process was faster
            return await self._store_twin(entry, stored.of)
        self._forget(entry.name)
        self._know(entry)
        self.embedder = embedded.embedder if embedded else ""
        await self._install(heir)
        if stored.outcome == "unchanged":  # read again because that was asked for, or stored by another process
            return Outcome(entry.name, "unchanged")
        return Outcome(entry.name, stored.outcome, stored.chunks)

    async def remove(self, name: str, reason: str = "") -> Outcome:
        """Take the document out. Raises KnowledgeBaseError when it is not here."""
        heir = await self._heir_of(name)
        if not await self._index.delete(self._base, name):
            raise KnowledgeBaseError(f"{self._base} has no document {name}")
        self._forget(name)
        await self._install(heir)
        kept = f"its content stays as {heir.entry.name}" if heir else ""
        return Outcome(name, "removed", reason="; ".join(filter(None, (reason, kept))))

    async def _store_twin(self, entry: Entry, of: str) -> Outcome:
        heir = await self._heir_of(entry.name, entry)
        document = self._entries.get(of, replace(entry, name=of))
        marked = twin(entry, document)
        await self._index.put(marked, [])
        self._forget(entry.name)
        self._entries[entry.name] = marked
        self._twins[entry.name] = of
        await self._install(heir)
        return Outcome(entry.name, "duplicate", duplicate_of=of)

    async def _heir_of(self, name: str, becomes: Entry | None = None) -> _Heir | None:
        """The first twin of the document, which has the text from now on, under a hash that is not its own yet: killed
        at any moment, the base has the text at least once, and the next ingest of the twin puts the hash right."""
        twins = sorted(one for one, of in self._twins.items() if of == name)
        old = self._entries.get(name)
        if not twins or old is None or (becomes and _content(becomes) == _content(old)):
            return None
        heir, *others = twins
        chunks = [_renamed(chunk, heir) for chunk in await self._index.chunks(self._base, name)]
        embedded = await self._vectors(name, chunks)
        await self._index.put(replace(self._entries[heir], title=old.title), chunks, embedded)
        return _Heir(replace(old, name=heir), chunks, embedded, others)

    async def _install(self, heir: _Heir | None) -> None:
        if heir is None:
            return
        await self._index.put(heir.entry, heir.chunks, heir.embedded)
        self._forget(heir.entry.name)
        self._know(heir.entry)
        for name in heir.others:
            await self._store_twin(replace(heir.entry, name=name), heir.entry.name)

    async def _vectors(self, name: str, chunks: Sequence[Chunk]) -> Embedded | None:
        if not self.embedder or not chunks:
            return None
        import numpy as np

        kept = await self._index.vectors(self._base, name, self.embedder)
        return Embedded(self.embedder, np.stack([kept[chunk.searched] for chunk in chunks]))

    def _know(self, entry: Entry) -> None:
        self._entries[entry.name] = entry
        self._by_content[_content(entry)] = entry.name

    def _forget(self, name: str) -> None:
        self._twins.pop(name, None)
        old = self._entries.pop(name, None)
        if old is not None and self._by_content.get(_content(old)) == name:
            del self._by_content[_content(old)]


async def open_holdings(index: Index, base: str) -> Holdings:
    """What the base holds; nothing when it is new."""
    known = next((one for one in await index.bases() if one.name == base), None)
    if known is None:
        return Holdings(index, base)
    return Holdings(index, base, await index.entries(base), known.embedder if known.chunks else None)


def _content(entry: Entry) -> tuple[str, Labels]:
    return entry.sha256, entry.labels


def _renamed(chunk: Chunk, document: str) -> Chunk:
    id = chunk_id(document, chunk.path, chunk.ordinal, chunk.text)
    return replace(chunk, id=id, document=document)
