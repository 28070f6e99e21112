"""Rewrites a question that found nothing of use into a better query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kaozheng.aside import aside
from kaozheng.evidence.bundle import EvidenceItem
from kaozheng.evidence.listing import listed
from kaozheng.models.answer import Answer, text_or
from kaozheng.models.messages import Call
from kaozheng.models.model import Model
from kaozheng.roles.prompts import prompt, quoted, unfenced
from kaozheng.roles.rewriter import offline
from kaozheng.tools.search_knowledge import MOST_CHARS

__all__ = ["RewriteTask", "is_tried", "rewrite"]

_SHOWN_ITEMS: Final = 4
_SHOWN_CHARS: Final = 2_000
_PREFACE = re.compile(
    r"^\s*(?:(?:[-*>•]|\d+[.)、])\s*)?"
    r"(?:(?:(?:改写后的?|新的?|更好的)?(?:查询|问题|检索词|搜索词|关键词)"
    r"|(?:rewritten |new |better )?(?:query|question))"
    r"\s*[:：]\s*)?",
    re.IGNORECASE,
)
_QUOTES = "\"'“”‘’「」『』`《》"


@dataclass(frozen=True, slots=True)
class RewriteTask:
    """`tried` are the queries so far, `items` what the last of them found, `idf` how telling each known term is."""

    question: str
    tried: Sequence[str]
    items: Sequence[EvidenceItem]
    language: Literal["zh", "en"]
    idf: Mapping[str, float]
    purpose: str = "rewrite"


async def rewrite(model: Model | None, task: RewriteTask) -> Answer[str]:
    """The new query; "" when there is none that was not tried: the loop is at its end then. Offline: the question's
    known terms with telling ones of the best passages. Raises ModelRefusedError (key, unknown model)."""

    def twin() -> str:
        return offline.rewrite(task)

    if model is None:
        return Answer(await aside(twin), "offline")
    shown = quoted("evidence", listed(task.items[:_SHOWN_ITEMS])[:_SHOWN_CHARS]) if task.items else ""
    messages = prompt(
        "rewriter",
        task.language,
        question=unfenced(task.question),
        tried="\n".join(f"- {unfenced(query)}" for query in task.tried),
        evidence=shown,
    )
    answer = await text_or(model, Call("rewriter", task.purpose, messages, temperature=0.3, weight="light"), twin)
    query = _query(answer.value) if answer.by == "model" else answer.value
    return answer.carrying("" if is_tried(query, task.tried) else query)


def is_tried(query: str, tried: Sequence[str]) -> bool:
    """Whether the query says nothing that was not asked before: marks, case and blanks aside."""
    return _plain(query) in {"", *map(_plain, tried)}


def _plain(query: str) -> str:
    return re.sub(r"[\W_]+", "", query).casefold()


def _query(reply: str) -> str:
    """The query of a reply that may bring a preface, quotation marks or an explanation below."""
    for line in reply.split("\n"):
        bare = _PREFACE.sub("", line, count=1).strip().strip(_QUOTES).strip()
        if any(map(str.isalnum, bare)):
            return bare[:MOST_CHARS]
    return ""
