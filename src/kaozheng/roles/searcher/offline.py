"""The searcher's twin: the question itself as the query, a part at a time, with what it refers to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kaozheng.models.messages import Message
from kaozheng.sources.telling import telling, without_asking, without_comparing

_PART = re.compile(r"(?<=[？?；;])\s*")
_POINTING = re.compile(
    r"它|他们?|她们?|其中?|这[个些种样项家]?|那[个些种么]?(?!年)|该|上述|上面|前者|后者|刚才|继续|还有"
    r"|\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|former|latter|above|what about|how about)\b",
    re.IGNORECASE,
)
_FEW_TERMS = 5
_MOST_PARTS = 3


def queries(question: str, history: Sequence[Message], targets: Sequence[str]) -> list[str]:
    """What to look for, each query once: for a comparison one query a target; else the parts of the question, and when
    it goes on with the conversation also with what was asked before."""
    if len(targets) > 1:
        rest = without_comparing(question, targets)
        found = [f"{target} {rest}".strip() for target in targets]
    else:
        parts = [part.strip() for part in _PART.split(question.strip()) if any(map(str.isalnum, part))]
        found = parts if 1 < len(parts) <= _MOST_PARTS else [question.strip()]
        asked = next((turn.content for turn in reversed(history) if turn.role == "user" and turn.content.strip()), "")
        if asked and goes_on(question):
            found = [f"{without_asking(asked)} {question.strip()}", *found]
    return list(dict.fromkeys(found))


def goes_on(question: str) -> bool:
    """Whether the question leans on the conversation: it points back, or says too little to stand alone."""
    return _POINTING.search(question) is not None or len(telling(question)) <= _FEW_TERMS
