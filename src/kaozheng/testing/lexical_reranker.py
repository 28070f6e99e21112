"""A reranker that needs no model: texts by the share of the question's words that they have."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.errors import ModelError
from kaozheng.sources.ranking import terms


def shares(query: str, texts: Sequence[str]) -> list[float]:
    """For each text, how much of the question's terms it has, 0 to 1."""
    asked = set(terms(query))
    return [len(asked & set(terms(text))) / max(len(asked), 1) for text in texts]


class LexicalReranker:
    """A Reranker; `asked` is every (question, texts) given, `fails` is raised instead of an answer."""

    def __init__(self, name: str = "lexical", fails: ModelError | None = None) -> None:
        self.name = name
        self.asked: list[tuple[str, list[str]]] = []
        self._fails = fails

    async def rerank(self, query: str, texts: Sequence[str], top: int) -> list[tuple[int, float]]:
        self.asked.append((query, list(texts)))
        if self._fails:
            raise self._fails
        scores = enumerate(shares(query, texts))
        return sorted(scores, key=lambda item: -item[1])[: max(top, 0)]
