"""From evidence to the sentences that carry most of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaozheng.documents.characters import HAN
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline.choosing import Told, chosen
from kaozheng.roles.block_summarizer.offline.likeness import Likeness
from kaozheng.roles.block_summarizer.offline.statements import Statement, statements
from kaozheng.roles.block_summarizer.offline.worth import signs, worth

_HAN = re.compile(f"[{HAN}]")
_FOCUS: Final = 3.0
"""Of the statement that says most of what is wanted, beside 1.0 of one that nobody would leave out: it comes first even
where it takes three times the room."""
_FOREIGN: Final = 0.7  # what a statement in another language is worth: a text in two often says the same in both


def extract(
    evidence: Sequence[Sentence], limit_tokens: int, language: str, focus: str = "", avoid: Sequence[str] = ()
) -> list[Sentence]:
    """The statements of the evidence that are worth most, whole, as they stand, in their order, each with the passages
    of its evidence. `language` ("zh", "en") is the summary's, `focus` what is wanted most, `avoid` what was said
    elsewhere and is not to be said again.

    Never above `limit_tokens` (by `documents.tokens.estimate_tokens`) unless the best single statement is; nothing
    where the evidence has no statement.
    """
    import numpy as np

    said = statements(evidence)
    if not said:
        return []
    likeness = Likeness([one.text for one in said])
    values = np.array([worth(one) for one in signs(said, likeness)])
    values *= [1.0 if _is_in(language, one) else _FOREIGN for one in said]
    if focus:
        values += _FOCUS * likeness.share_of(focus)
    told = Told(said, likeness)
    for text in avoid:
        told.add_text(text)
    return [Sentence(said[place].text, said[place].passages) for place in chosen(said, values, told, limit_tokens)]


def _is_in(language: str, one: Statement) -> bool:
    return (_HAN.search(one.text) is not None) == (language == "zh")
