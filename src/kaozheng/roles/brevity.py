"""How long a text may be, in the measure that a model counts in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.sentence import Sentence

_TOKENS_A_UNIT: Final = {"zh": 0.85, "en": 1.5}
"""Of a Han character; of an English word with the blank behind it."""
_ROUND: Final = 10
_LEAST: Final = 20  # nobody says anything in less


def told_limit(most_tokens: int, language: str) -> int:
    """`most_tokens` in characters (zh) or words (en), rounded down to tens, 20 at least."""
    units = int(most_tokens / _TOKENS_A_UNIT["zh" if language == "zh" else "en"])
    return max(_LEAST, units - units % _ROUND)


def tokens_of(sentences: Iterable[Sentence]) -> int:
    """Estimated tokens of sentences, labels not counted."""
    return sum(estimate_tokens(one.text) for one in sentences)
