"""Knowledge bases that live as long as the test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kaozheng.errors import KnowledgeBaseError
from kaozheng.sources.analyser import Analyser, exact_terms
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.fusion import Leg, fuse
from kaozheng.sources.index import (
    BaseStats,
    Embedded,
    Entry,
    Found,
    Hit,
    Question,
    Stored,
    require_fitting,
    vector_lacking,
)
from kaozheng.sources.ranking import Bm25, without_function_words

if TYPE_CHECKING:
    from kaozheng.sources.index import Vector

_Document = tuple[Entry, Sequence[Chunk], Embedded | None]


class MemoryIndex:
    """An Index in dicts; ranks with the analyser, the BM25 and the fusion of the product. `puts` counts what was really
    written."""

    def __init__(self, analyser: Analyser | None = None) -> None:
        self.kept: dict[str, dict[str, _Document]] = {}
        self.puts = 0
        self._analyser = analyser or Analyser()

    async def put(self, entry: Entry, chunks: Sequence[Chunk], embedded: Embedded | None = None) -> Stored:
        """See Index.put."""
        require_fitting(entry, chunks, embedded)
        embedded = embedded if chunks else None
        base = self.kept.get(entry.base, {})
        old = base.get(entry.name)
        if old and old[:2] == (entry, list(chunks)) and _by(old[2]) == _by(embedded):
            return Stored("unchanged", len(chunks))
        twin = next((name for name in sorted(base) if name != entry.name and _alike(base[name][0], entry)), "")
        if twin:
            base.pop(entry.name, None)
            return Stored("twin", 0, twin)
        self._require_space(entry.base, embedded, bool(chunks))
        self.kept.setdefault(entry.base, {})[entry.name] = (entry, list(chunks), embedded)
        self.puts += 1
        return Stored("replaced" if old else "added", len(chunks))

    async def delete(self, base: str, name: str) -> bool:
        """See Index.delete."""
        return self.kept.get(base, {}).pop(name, None) is not None

    async def drop(self, base: str) -> bool:
        """See Index.drop."""
        return self.kept.pop(base, None) is not None

    async def entry(self, base: str, name: str) -> Entry | None:
        """See Index.entry."""
        found = self.kept.get(base, {}).get(name)
        return found[0] if found else None

    async def entries(self, base: str) -> Sequence[Entry]:
        """See Index.entries."""
        self._require((base,))
        return [self.kept[base][name][0] for name in sorted(self.kept[base])]

    async def chunks(self, base: str, name: str) -> Sequence[Chunk]:
        """See Index.chunks."""
        found = self.kept.get(base, {}).get(name)
        return list(found[1]) if found else []

    async def vectors(self, base: str, name: str, embedder: str) -> Mapping[str, Vector]:
        """See Index.vectors."""
        _, chunks, embedded = self.kept.get(base, {}).get(name) or (None, [], None)
        if embedded is None or embedded.embedder != embedder:
            return {}
        return {chunk.searched: vector for chunk, vector in zip(chunks, embedded.vectors, strict=True)}

    async def bases(self) -> Sequence[BaseStats]:
        """See Index.bases."""
        return [
            BaseStats(name, len(of), sum(len(chunks) for _, chunks, _ in of.values()), self._embedder(name))
            for name, of in sorted(self.kept.items())
        ]

    async def search(self, question: Question) -> Found:
        """See Index.search."""
        self._require(question.within.bases)
        documents = [document for base in self.kept.values() for document in base.values()]
        chunks = [(entry, chunk) for entry, of, _ in documents for chunk in of]
        admitted = {str(place) for place, (entry, _) in enumerate(chunks) if _admits(question, entry)}
        made = [self._analyser.terms(chunk.searched) for _, chunk in chunks]
        asked = self._analyser.terms(question.text)
        legs, idf = _words("words", asked.words, [one.words for one in made], admitted, question.candidates)
        if asked.pairs:
            more, idf_of_pairs = _words(
                "pairs", asked.pairs, [one.pairs for one in made], admitted, question.candidates
            )
            legs, idf = [*legs, *more], {**idf, **idf_of_pairs}
        legs = [*legs, *self._dense(question, documents, admitted)]
        fused = fuse(legs, _exact(question.text, [one.words for one in made], admitted), question.fusing)
        best = fused.order[: question.limit]
        hits = tuple(Hit(*chunks[int(one.ref)], one.ref, one.score, one.exact, one.legs) for one in best)
        return Found(hits, tuple(legs), fused.refused, idf)

    def _dense(self, question: Question, documents: list[_Document], admitted: set[str]) -> list[Leg]:
        by = {self._embedder(base) for base in question.within.bases if any(d[1] for d in self.kept[base].values())}
        if question.embedded is None:
            reason = question.unembedded or (vector_lacking(", ".join(sorted(filter(None, by)))) if any(by) else "")
            return [Leg("dense", refused=reason)] if reason else []
        if by != {question.embedded.embedder}:
            apart = f"embedded by {', '.join(sorted(by))}, not by {question.embedded.embedder}"
            return [Leg("dense", refused=apart)] if by else []
        asked = question.embedded.vectors
        lines = [line for _, of, embedded in documents for line in _lines(of, embedded)]
        rows = {str(place): line for place, line in enumerate(lines) if str(place) in admitted}
        if any(asked.shape != (1, *line.shape) for line in rows.values()) or not asked.any():
            return [Leg("dense", refused="the question's vector does not fit")]
        scores = {ref: float(line @ asked[0]) for ref, line in rows.items()}
        best = sorted(scores.items(), key=lambda item: -item[1])
        return [Leg("dense", tuple(best[: question.candidates]), floor=min(scores.values(), default=0.0))]

    def _embedder(self, base: str) -> str:
        return next((_by(embedded) for _, chunks, embedded in self.kept[base].values() if chunks), "")

    def _require(self, bases: Sequence[str]) -> None:
        for base in bases:
            if base not in self.kept:
                raise KnowledgeBaseError(f"there is no knowledge base {base!r}")

    def _require_space(self, base: str, embedded: Embedded | None, any_chunks: bool) -> None:
        kept = [document[2] for document in self.kept.get(base, {}).values() if document[1]]
        if kept and any_chunks and _space(kept[0]) != _space(embedded):
            raise KnowledgeBaseError(f"{base}: embedded by {_by(kept[0])!r}, here are vectors of {_by(embedded)!r}")


def _by(embedded: Embedded | None) -> str:
    return embedded.embedder if embedded else ""


def _space(embedded: Embedded | None) -> tuple[str, int]:
    return (embedded.embedder, embedded.vectors.shape[1]) if embedded else ("", 0)


def _lines(chunks: Sequence[Chunk], embedded: Embedded | None) -> Sequence[Any]:
    return list(embedded.vectors) if embedded else [None] * len(chunks)


def _admits(question: Question, entry: Entry) -> bool:
    return entry.base in question.within.bases and question.within.admits(entry.labels)


def _words(
    name: str, asked: list[str], made: list[list[str]], admitted: set[str], limit: int
) -> tuple[list[Leg], dict[str, float]]:
    ranking, wanted = Bm25(made), without_function_words(asked)
    best = [(str(place), score) for place, score in ranking.best(wanted, len(made))]
    leg = Leg(name, tuple(hit for hit in best if hit[0] in admitted)[:limit])
    return [leg], {term: ranking.idf(term) for term in wanted}


def _alike(one: Entry, other: Entry) -> bool:
    return (one.sha256, one.labels) == (other.sha256, other.labels)


def _exact(text: str, words: list[list[str]], admitted: set[str]) -> list[str]:
    found: list[str] = []
    for form, tail in exact_terms(text):
        for term in (form, tail):
            rows = [str(place) for place, terms in enumerate(words) if term in terms and str(place) in admitted]
            if rows:
                found += rows
                break
    return found
