"""The grader's twin: how much of what the question is about stands in what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kaozheng.sources.ranking import terms
from kaozheng.sources.telling import telling

if TYPE_CHECKING:
    from kaozheng.roles.grader import Grade, GradeTask

ENOUGH = 0.6
"""The share of the question's terms, weighed by how telling they are, that one passage must have."""
_UNKNOWN_TERM = 6.0  # a term that no chunk has is as telling as one of a few chunks among a thousand
_SHOWN_TERMS = 6


def grade(task: GradeTask) -> Grade:
    """ "yes" when a passage with its headings covers enough; what it lacks is named."""
    from kaozheng.roles.grader import Grade

    asked = telling(task.question)
    weights = {term: task.idf.get(term) or _UNKNOWN_TERM for term in asked}
    total = sum(weights.values()) or 1.0
    best, lacking = 0.0, asked
    for item in task.items:
        has = set(terms(" ".join((item.title, *item.path, item.prefix, item.text))))
        covered = sum(weight for term, weight in weights.items() if term in has) / total
        if covered > best:
            best, lacking = covered, [term for term in asked if term not in has]
    return Grade("yes") if best >= ENOUGH else Grade("no", f"not found: {', '.join(lacking[:_SHOWN_TERMS])}")
