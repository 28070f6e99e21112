"""How rerankers are asked: three dialects of one question.

plain       POST …/v1/rerank                           Jina, Cohere, vLLM, llama.cpp
compatible  POST …/compatible-api/v1/reranks           DashScope: qwen3-rerank; the words of "plain"
native      POST …/api/v1/services/rerank/…            DashScope: gte-rerank-v2; question and texts under "input"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

Body = dict[str, Any]
_NATIVE_MODELS: Final = "gte-rerank"
_DASHSCOPE: Final = "dashscope"


@dataclass(frozen=True, slots=True)
class Dialect:
    """`url` makes the address from the operator's; `body` what is sent; `results` finds the list in what comes back."""

    url: Callable[[str], str]
    body: Callable[[str, str, Sequence[str], int], Body]
    results: Callable[[Body], Any]


def dialect_of(prefix: str, model: str) -> Dialect:
    """The dialect of this provider for this model."""
    if prefix != _DASHSCOPE:
        return PLAIN
    return NATIVE if model.startswith(_NATIVE_MODELS) else COMPATIBLE


def _beside(base_url: str) -> str:
    parts = urlsplit(base_url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/rerank"))


def _at(path: str) -> Callable[[str], str]:
    """Another path at the same host: the operator's address is that of chat and embeddings."""
    return lambda base_url: urlunsplit(urlsplit(base_url)._replace(path=path))


def _flat(model: str, query: str, texts: Sequence[str], top: int) -> Body:
    return {"model": model, "query": query, "documents": list(texts), "top_n": top}


def _nested(model: str, query: str, texts: Sequence[str], top: int) -> Body:
    given = {"query": query, "documents": list(texts)}
    return {"model": model, "input": given, "parameters": {"top_n": top, "return_documents": False}}


def _inner(answer: Body) -> Any:
    output = answer.get("output")
    return output.get("results") if isinstance(output, dict) else None


PLAIN: Final = Dialect(_beside, _flat, lambda answer: answer.get("results"))
COMPATIBLE: Final = Dialect(_at("/compatible-api/v1/reranks"), _flat, lambda answer: answer.get("results"))
NATIVE: Final = Dialect(_at("/api/v1/services/rerank/text-rerank/text-rerank"), _nested, _inner)
