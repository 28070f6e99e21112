"""The searcher's twin: the question itself as the query, a part at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kaozheng.sources.comparing import without_comparing

_PART = re.compile(r"(?<=[？?；;])\s*")
_MOST_PARTS = 3


def queries(question: str, targets: Sequence[str]) -> list[str]:
    """What to look for, each query once: for a comparison one query a target; else the parts of the question, which
    stands alone already."""
    if len(targets) > 1:
        rest = without_comparing(question, targets)
        found = [f"{target} {rest}".strip() for target in targets]
    else:
        parts = [part.strip() for part in _PART.split(question.strip()) if any(map(str.isalnum, part))]
        found = parts if 1 < len(parts) <= _MOST_PARTS else [question.strip()]
    return list(dict.fromkeys(found))
