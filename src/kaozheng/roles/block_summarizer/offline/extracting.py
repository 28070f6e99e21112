"""From evidence to the sentences that carry most of it."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline.choosing import chosen
from kaozheng.roles.block_summarizer.offline.likeness import Likeness
from kaozheng.roles.block_summarizer.offline.statements import statements
from kaozheng.roles.block_summarizer.offline.worth import signs, worth
from kaozheng.sources.ranking import terms

_FOCUS = 1.0  # of a statement that says all of what is wanted, beside 1.0 of one that nobody would leave out


def extract(
    evidence: Sequence[Sentence], limit_tokens: int, language: str, focus: str = "", avoid: Sequence[str] = ()
) -> list[Sentence]:
    """The statements of the evidence that are worth most, whole, as they stand, in their order, each with the passages
    of its evidence. `focus` is what is wanted most, `avoid` what was said elsewhere and is not to be said again.

    Never above `limit_tokens` (by `documents.tokens.estimate_tokens`) unless the best single statement is; nothing
    where the evidence has no statement.
    """
    import numpy as np

    said = statements(evidence)
    if not said:
        return []
    likeness = Likeness([terms(one.text) for one in said])
    values = np.array([worth(one) for one in signs(said, likeness)])
    if focus:
        values += _FOCUS * likeness.to_terms(terms(focus))
    told = np.zeros(len(said))
    for text in avoid:
        told = np.maximum(told, likeness.to_terms(terms(text)))
    places = chosen(said, values, likeness, limit_tokens, told)
    return [Sentence(said[at].text, said[at].passages) for at in places]
