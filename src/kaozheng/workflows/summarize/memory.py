"""What was summarised so far, to be found again: by words, and by meaning too where an embedder is at hand."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from kaozheng.errors import MissingExtraError, ModelError
from kaozheng.evidence.sentence import Sentence
from kaozheng.sources.fusion import Fusing, Leg, fuse
from kaozheng.sources.ranking import Bm25, terms, without_function_words
from kaozheng.sources.vectors import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

SECTION: Final = -1
"""The level of a section that was written: it is no summary of a block."""
_WORDS, _DENSE = "words", "dense"
_FUSING = Fusing(weights={_WORDS: 0.3, _DENSE: 0.7})  # as in a search, its two word legs taken together
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """The summary of a block ("M0.12": level 0, index 12, both from 0) or a section that was written ("S2", level
    SECTION). `path`: the headings above what it sums up. `by` and `reason`: who said it, and why not a model."""

    id: str
    level: int
    index: int
    path: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    by: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """Its sentences one after the other; a blank between them where their script has blanks."""
        text = ""
        for sentence in self.sentences:
            apart = text and text[-1].isascii() and sentence.text[:1].isascii()
            text += f" {sentence.text}" if apart else sentence.text
        return text

    @property
    def passages(self) -> frozenset[str]:
        """The passages that any of its sentences rests on."""
        return frozenset(passage for sentence in self.sentences for passage in sentence.passages)

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Back from `as_dict`, also by way of JSON."""
        sentences = tuple(Sentence(one["text"], tuple(one["passages"])) for one in data["sentences"])
        return cls(**{**data, "path": tuple(data["path"]), "sentences": sentences})


def to_json(entries: Iterable[MemoryEntry]) -> str:
    """Entries as JSON, in order."""
    return json.dumps({"format": _FORMAT, "entries": [entry.as_dict() for entry in entries]}, ensure_ascii=False)


def from_json(text: str) -> list[MemoryEntry]:
    """Back from `to_json`. Raises ValueError when the text is no memory in this format."""
    data = json.loads(text)
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise ValueError("not a memory, or one in another format")
    return [MemoryEntry.from_dict(entry) for entry in data["entries"]]


class Memory:
    """Entries in the order in which they came. `vectors`: a row an entry, each of length 1; None ranks by words alone.
    `note` says why words alone are left ("" when nothing failed)."""

    def __init__(self, entries: Sequence[MemoryEntry] = (), vectors: Vector | None = None, note: str = "") -> None:
        """Raises ValueError when an id stands twice, or vectors and entries are not as many."""
        if vectors is not None and len(vectors) != len(entries):
            raise ValueError(f"{len(entries)} entries but {len(vectors)} vectors")
        self.note = note
        self._entries: dict[str, MemoryEntry] = {}
        self._vectors: dict[str, Vector] = {}
        self._terms: list[list[str]] = []
        for number, entry in enumerate(entries):
            self._keep(entry, vectors[number] if vectors is not None else None)
        self._words = Bm25(self._terms)

    @property
    def entries(self) -> list[MemoryEntry]:
        """All entries in the order in which they came."""
        return list(self._entries.values())

    def __getitem__(self, id: str) -> MemoryEntry:
        """The entry with this id. Raises KeyError."""
        return self._entries[id]

    @property
    def has_vectors(self) -> bool:
        """Whether a question's vector is of any use here."""
        return bool(self._vectors)

    def copy(self) -> Memory:
        """The same entries, to be added to without touching this one."""
        twin = Memory(note=self.note)
        twin._entries, twin._vectors, twin._terms = dict(self._entries), dict(self._vectors), list(self._terms)
        twin._words = self._words
        return twin

    def add(self, entry: MemoryEntry, vector: Vector | None = None) -> None:
        """Keep one more, to be found from now on; without a vector by its words alone. Raises ValueError when the id is
        known already."""
        self._keep(entry, vector)
        self._words = Bm25(self._terms)

    def nearest(
        self, query: str, vector: Vector | None = None, k: int = 3, but: Collection[str] = ()
    ) -> list[MemoryEntry]:
        """At most `k` entries that are nearest to the question, best first; fewer when no others share a word with it
        and there is no vector.

        Left out: the entries that `but` names, and summaries that tell of the same passages as one of these or as a
        nearer one on another level of summaries, for it would be evidence that stands there twice.
        """
        told = _Told()
        for id in but:
            if id in self._entries:
                told.add(self._entries[id])
        found: list[MemoryEntry] = []
        for ref in self._ranked(query, vector):
            if len(found) >= k:
                break
            entry = self._entries[ref]
            if ref not in but and not told.elsewhere(entry):
                found.append(entry)
                told.add(entry)
        return found

    def _keep(self, entry: MemoryEntry, vector: Vector | None) -> None:
        if entry.id in self._entries:
            raise ValueError(f"{entry.id} is in this memory already")
        self._entries[entry.id] = entry
        self._terms.append(terms(" ".join((*entry.path, entry.text))))
        if vector is not None:
            self._vectors[entry.id] = vector

    def _ranked(self, query: str, vector: Vector | None) -> list[str]:
        ids = list(self._entries)
        asked = without_function_words(terms(query))
        hits = self._words.best(asked, len(ids))
        legs = [Leg(_WORDS, tuple((ids[place], score) for place, score in hits))]
        if vector is not None and self._vectors:
            legs.append(self._dense(vector))
        return [scored.ref for scored in fuse(legs, how=_FUSING).order]

    def _dense(self, vector: Vector) -> Leg:
        import numpy as np

        scores = np.stack(list(self._vectors.values())) @ vector
        ranked = sorted(zip(self._vectors, map(float, scores), strict=True), key=lambda hit: -hit[1])
        return Leg(_DENSE, tuple(ranked), floor=ranked[-1][1])


async def remembered(entries: Sequence[MemoryEntry], embedder: Embedder | None) -> Memory:
    """A memory of the entries, with their vectors where there is an embedder. One that fails is no error: the memory is
    searched by its words alone, and its `note` says why."""
    if embedder is None or not entries:
        return Memory(entries)
    rows, note = await _embedded([entry.text for entry in entries], embedder, query=False)
    return Memory(entries, rows, note)


async def recalled(
    memory: Memory, query: str, embedder: Embedder | None, k: int = 3, but: Collection[str] = ()
) -> list[MemoryEntry]:
    """`memory.nearest`, with the question's vector where there is an embedder and the memory has vectors. When the
    embedder fails it goes by words, and the memory's `note` says why."""
    rows = None
    if embedder is not None and memory.has_vectors:
        rows, note = await _embedded([query], embedder, query=True)
        memory.note = memory.note or note
    return memory.nearest(query, rows[0] if rows is not None else None, k, but)


async def written_back(memory: Memory, entry: MemoryEntry, embedder: Embedder | None) -> None:
    """`memory.add`, with a vector where the memory has vectors; when the embedder fails without, and the memory's
    `note` says why."""
    rows = None
    if embedder is not None and memory.has_vectors:
        rows, note = await _embedded([entry.text], embedder, query=False)
        memory.note = memory.note or note
    memory.add(entry, rows[0] if rows is not None else None)


async def _embedded(texts: Sequence[str], embedder: Embedder, *, query: bool) -> tuple[Vector | None, str]:
    """The rows, or None and why there are none."""
    try:
        return await embedder.embed(texts, "query" if query else "passage"), ""
    except (ModelError, MissingExtraError) as error:
        return None, f"{embedder.name} does not answer, memories are found by their words: {error}"


class _Told:
    """The passages that summaries tell of, by level."""

    def __init__(self) -> None:
        self._by_level: dict[int, set[str]] = {}

    def add(self, entry: MemoryEntry) -> None:
        if entry.level != SECTION:
            self._by_level.setdefault(entry.level, set()).update(entry.passages)

    def elsewhere(self, entry: MemoryEntry) -> bool:
        """Whether another level tells of a passage of this summary."""
        levels = [told for level, told in self._by_level.items() if level != entry.level]
        return bool(levels) and entry.level != SECTION and any(map(entry.passages.intersection, levels))
