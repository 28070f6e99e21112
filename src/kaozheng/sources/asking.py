"""From a user's words to a question that an index can answer, and to the chunks that answer it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kaozheng.errors import ModelError, ModelRefusedError
from kaozheng.sources.fusion import Fusing
from kaozheng.sources.index import Embedded, Found, Hit, Index, Question, Within
from kaozheng.sources.reranking import Reranker
from kaozheng.sources.vectors import Embedder

RERANKED: Final = 30
"""How many chunks a reranker reads: more find little and cost time."""
RERANK: Final = "rerank"
"""The reranker's place among the legs: its scores in hits, its reason in what was refused."""


async def question_of(
    text: str, within: Within, embedder: Embedder | None, limit: int = 5, fusing: Fusing | None = None
) -> Question:
    """The question with its vector. An embedder that does not answer leaves it without one, and the question says why;
    one that refuses for good (a wrong key, an unknown model) raises ModelRefusedError."""
    embedded, reason = None, ""
    if embedder is not None:
        try:
            embedded = Embedded(embedder.name, await embedder.embed([text], "query"))
        except ModelRefusedError:
            raise
        except ModelError as error:
            reason = f"{embedder.name} does not answer: {error}"
    return Question(text, within, embedded, reason, limit, fusing=fusing or Fusing())


async def search_best(index: Index, question: Question, reranker: Reranker | None, reads: int = RERANKED) -> Found:
    """What `index.search` finds, the best `question.limit` of the first `reads` chunks as the reranker orders them.

    Chunks in which a document number of the question stands stay first. A reranker that does not answer leaves the
    fused order, and `refused["rerank"]` says why. Raises as `Index.search`.
    """
    if reranker is None:
        return await index.search(question)
    found = await index.search(replace(question, limit=max(reads, question.limit)))
    hits, refused = found.hits, found.refused
    if len(hits) > 1:
        try:
            hits = await _reranked(question.text, hits, reranker)
        except ModelError as error:
            refused = {**refused, RERANK: f"{reranker.name}: {error}"}
    return replace(found, hits=hits[: question.limit], refused=refused)


async def _reranked(text: str, hits: Sequence[Hit], reranker: Reranker) -> tuple[Hit, ...]:
    scored = await reranker.rerank(text, [hit.chunk.searched for hit in hits], len(hits))
    read = [replace(hits[place], legs={**hits[place].legs, RERANK: score}) for place, score in scored]
    return tuple(sorted(read, key=lambda hit: not hit.exact))
