"""Summaries in another language than their text: no word can be compared, figures and dates can.

A translated sentence stands on the passages that it names itself, and only when these have all its numbers and dates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaozheng.documents.document import language_of
from kaozheng.documents.span import Span
from kaozheng.evidence.agreement import agree, unsupported
from kaozheng.evidence.evidence import Evidence
from kaozheng.evidence.key_facts import KeyFact, kind_of, numbers_in
from kaozheng.evidence.key_statements import KeyStatement
from kaozheng.evidence.losing import Loss
from kaozheng.evidence.numbers import find_numbers
from kaozheng.sources.passage import Passage

MOST_QUOTES: Final = 4


def is_translated(sentence: str, passages: Sequence[Passage]) -> bool:
    """Whether the sentence is in another language than the passages together."""
    said, given = language_of(sentence), language_of("\n".join(passage.text for passage in passages))
    return said is not None and given is not None and said != given


def carried_across(sentence: str, named: Sequence[Passage]) -> list[Evidence]:
    """The passages that a translated sentence names, whole, at most MOST_QUOTES; none when one of its numbers or dates
    stands in none of them."""
    quoted = named[:MOST_QUOTES]
    text = "\n".join(passage.text for passage in quoted)
    if unsupported(find_numbers(sentence), find_numbers(text)):
        return []
    return [Evidence.cut(passage, Span(0, len(passage.text)), support=0.0) for passage in quoted]


def figures_lost(statements: Sequence[KeyStatement], summary: Sequence[str]) -> list[Loss]:
    """The statements of which a number or date stands nowhere in the translated summary, in the order given. Names,
    negations and conclusions cannot be compared."""
    said = find_numbers("\n".join(summary))
    losses = []
    for statement in statements:
        found = numbers_in(statement.text, row=True)
        gone = [number for number in found if not any(agree(number, other) for other in said)]
        missing = {KeyFact(kind_of(number), number.text.strip()) for number in gone}
        if facts := tuple(fact for fact in statement.facts if fact in missing):
            losses.append(Loss(statement, facts))
    return losses
