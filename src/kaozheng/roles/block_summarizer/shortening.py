"""Holding a limit by code: sentences are left out, none is cut."""

from __future__ import annotations

from collections.abc import Sequence

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.folding import fold
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline import extract
from kaozheng.roles.brevity import tokens_of


def within(sentences: Sequence[Sentence], most_tokens: int, language: str, focus: str = "") -> tuple[Sentence, ...]:
    """The sentences, or when they are too long those of them that are worth most, whole and in order. More than
    `most_tokens` is left only where the best one alone has more."""
    if tokens_of(sentences) <= most_tokens:
        return tuple(sentences)
    wanted = {_words(one.text) for one in extract(sentences, most_tokens, language, focus)}
    kept = tuple(one for one in sentences if _words(one.text) in wanted)
    return kept if kept and (tokens_of(kept) <= most_tokens or len(kept) == 1) else _first(sentences, most_tokens)


def _words(text: str) -> str:
    """Without markup and the stop at its end, which the choice takes from a sentence or gives to it."""
    return fold(text)[0].strip(" .")


def _first(sentences: Sequence[Sentence], most_tokens: int) -> tuple[Sentence, ...]:
    """As many of the first ones as fit, one at least."""
    kept: list[Sentence] = []
    left = most_tokens
    for one in sentences:
        left -= estimate_tokens(one.text)
        if kept and left < 0:
            break
        kept.append(one)
    return tuple(kept)
