"""The rewriter's twin: feedback. What the best passages have in common with the question tells which of its words the
bases know; their own telling words are added, a few more each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kaozheng.sources.ranking import TfIdf, surface_forms, terms
from kaozheng.sources.telling import telling, without_asking

if TYPE_CHECKING:
    from kaozheng.roles.rewriter import RewriteTask

_FEEDBACK = 3
_ADDED = 3


def rewrite(task: RewriteTask) -> str:
    """First the question without the words that only ask; then its known words with the next words of the passages;
    "" when there is nothing new to say."""
    from kaozheng.roles.rewriter import is_tried

    bare = without_asking(task.question)
    if not is_tried(bare, task.tried):
        return bare
    known = [term for term in telling(task.question) if task.idf.get(term)]
    said = " ".join(task.tried)
    candidates = [phrase for phrase in _phrases(task) if phrase.casefold() not in said.casefold()]
    query = " ".join([_joined(known) or bare, *candidates[:_ADDED]]).strip()
    return "" if not candidates or is_tried(query, task.tried) else query


def _phrases(task: RewriteTask) -> list[str]:
    """Telling words and phrases of the best passages, the best first."""
    texts = [" ".join((*item.path, item.text)) for item in task.items[: 2 * _FEEDBACK]]
    if not texts:
        return []
    table = TfIdf([terms(text) for text in texts], surface_forms(texts))
    found = [phrase for place in range(min(_FEEDBACK, len(texts))) for phrase in table.keywords(place, 2 * _ADDED)]
    return list(dict.fromkeys(found))


def _joined(found: list[str]) -> str:
    """Overlapping pairs as the phrase that they were made of."""
    parts: list[str] = []
    for term in found:
        if parts and len(term) == 2 and term[0] == parts[-1][-1] and "\u3400" <= term[0] <= "\u9fff":
            parts[-1] += term[1]
        else:
            parts.append(term)
    return " ".join(parts)
