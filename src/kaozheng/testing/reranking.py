"""The words of the protocols of rerankers, as a server speaks them: plain (Jina, vLLM) and DashScope's own."""

from __future__ import annotations

import json
import math
from typing import Any, Final

from kaozheng.testing.faults import Fault
from kaozheng.testing.lexical_reranker import shares

NATIVE: Final = "/api/v1/services/rerank/text-rerank/text-rerank"
PATHS: Final = ("/v1/rerank", "/compatible-api/v1/reranks", NATIVE)


def query_of(body: dict[str, Any]) -> str:
    """The question, wherever the dialect has it."""
    return str(_given(body).get("query", ""))


def ranked(path: str, body: dict[str, Any], fault: Fault | None) -> bytes:
    """The answer, spoiled by the fault: "wrong_index", "nan" or "missing"."""
    given = _given(body)
    texts = [str(text) for text in given.get("documents", [])]
    scores = sorted(enumerate(shares(query_of(body), texts)), key=lambda item: -item[1])
    top = (body.get("parameters") or body).get("top_n", len(texts))
    results: list[dict[str, Any]] = [{"index": place, "relevance_score": score} for place, score in scores[:top]]
    match fault.kind if fault else "":
        case "wrong_index":
            results[0]["index"] = len(texts)
        case "nan":
            results[0]["relevance_score"] = math.nan
        case "missing":
            results = results[1:]
    answer = {"output": {"results": results}} if path == NATIVE else {"results": results}
    return json.dumps({"model": body.get("model", ""), **answer}).encode()


def _given(body: dict[str, Any]) -> dict[str, Any]:
    given = body.get("input")
    return given if isinstance(given, dict) else body
