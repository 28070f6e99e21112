"""The summary writer's twin: the sentences of the evidence that are worth most, in paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.answerer.orders import without_orders
from kaozheng.roles.block_summarizer.offline import extract, first_sentences

if TYPE_CHECKING:
    from kaozheng.roles.summary_writer import Writing

_ENOUGH_TOKENS: Final = 120  # a paragraph that has so many ends where the next passage begins
_MOST_TOKENS: Final = 240


def write(task: Writing) -> list[list[Sentence]]:
    """Paragraphs in the order of the section's own evidence; what earlier sections say is left out as long as anything
    else is there. [] when the evidence has no sentence."""
    # What stands near to it is another section's to say: said here, it would be missing there.
    own = task.evidence[: task.own or None]
    evidence = [Sentence(without_orders(one.text), one.passages) for one in own]
    language = task.language
    found = extract(evidence, task.limit_tokens, language, task.focus, task.earlier)
    if not found and task.earlier:
        found = extract(evidence, task.limit_tokens, language, task.focus)
    return _paragraphs(found or first_sentences(evidence, task.limit_tokens))


def _paragraphs(sentences: list[Sentence]) -> list[list[Sentence]]:
    """A new one where another source begins, or another passage once there is enough."""
    paragraphs: list[list[Sentence]] = []
    tokens = 0
    for one in sentences:
        last = paragraphs[-1][-1] if paragraphs else None
        if last is None or _source(last) != _source(one) or _is_full(tokens, last, one):
            paragraphs.append([])
            tokens = 0
        paragraphs[-1].append(one)
        tokens += estimate_tokens(one.text)
    return paragraphs


def _is_full(tokens: int, last: Sentence, following: Sentence) -> bool:
    return tokens >= _MOST_TOKENS or (tokens >= _ENOUGH_TOKENS and last.passages[:1] != following.passages[:1])


def _source(sentence: Sentence) -> str:
    return sentence.passages[0].partition(":")[0] if sentence.passages else ""
