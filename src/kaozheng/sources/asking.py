"""From a user's words to a question that an index can answer."""

from __future__ import annotations

from kaozheng.errors import ModelError, ModelRefusedError
from kaozheng.sources.fusion import Fusing
from kaozheng.sources.index import Embedded, Question, Within
from kaozheng.sources.vectors import Embedder


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
