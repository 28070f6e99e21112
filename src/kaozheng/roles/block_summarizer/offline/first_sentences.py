"""What is said of a text in which no sentence may stand by itself: its own words, as they are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline.statements import statements

_WORD = re.compile(r"[^\W\d_]")
_CODE = re.compile(r"[{};]\s*$|\w\([^)\s]*\)|\s(?:[-+*/]?=|==|=>|->|&&|\|\|)\s|^\s*(?:import|from|#include|return)\b")
_LONGEST: Final = 1_200  # characters: what is longer without a stop is no sentence


def first_sentences(evidence: Sequence[Sentence], limit_tokens: int) -> list[Sentence]:
    """The first sentences of the evidence with words in them, a greeting or a question too, in at most `limit_tokens`
    unless the first alone has more; nothing where there is only code."""
    kept: list[Sentence] = []
    room = limit_tokens
    for one in statements(evidence):
        if not _WORD.search(one.text) or len(one.text) > _LONGEST or _CODE.search(one.text):
            continue
        room -= one.tokens
        if kept and room < 0:
            break
        kept.append(Sentence(one.text, one.passages))
    return kept
