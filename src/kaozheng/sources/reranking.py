"""Rerankers: who reads a question and each text together, and says which texts answer it best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores texts by how well they answer a question; slower and finer than vectors, so for few texts."""

    @property
    def name(self) -> str:
        """Names the model, for the result."""
        ...

    async def rerank(self, query: str, texts: Sequence[str], top: int) -> list[tuple[int, float]]:
        """The best `top` texts, or all when there are fewer, best first: (place in `texts`, score). Scores of different
        questions cannot be compared.

        Raises ModelError when the model does not answer, or not with these texts.
        """
        ...
