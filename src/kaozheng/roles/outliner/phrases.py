"""A name for a group of passages that has no heading: the phrase that it repeats and the other groups do not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_HAN_RUN = re.compile(r"[\u4e00-\u9fff]{2,}")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9.+#-]{2,}")
_LONGEST = 6
_STOP_CHARACTERS = frozenset(
    "的了是在和与及或有被把对将为以于从到由向就都也还很更不没会能可要这那其之我们你他它个每各该此并而但如若则等中上下前后里时"
)
_STOP_WORDS = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "that",
        "this",
        "from",
        "are",
        "was",
        "were",
        "have",
        "has",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
        "not",
        "but",
        "they",
        "their",
        "there",
        "which",
        "when",
        "what",
        "who",
        "how",
        "why",
        "all",
        "any",
        "each",
        "more",
        "most",
        "other",
        "some",
        "such",
        "than",
        "then",
        "them",
        "these",
        "those",
        "into",
        "over",
        "under",
        "our",
        "your",
        "its",
        "about",
        "also",
    ]
)


def key_phrases(groups: Sequence[str], wanted: int = 2) -> list[list[str]]:
    """For each group its `wanted` best phrases: frequent there, rare elsewhere, the longer of two that nest. May be fewer, or none."""
    counts = [_phrases(text) for text in groups]
    spread = Counter(phrase for count in counts for phrase in count)
    named = []
    for count in counts:
        scored = sorted(count, key=lambda phrase: (-count[phrase] * _length(phrase) / spread[phrase], phrase))
        chosen: list[str] = []
        for phrase in scored:
            if not any(phrase in other or other in phrase for other in chosen):
                chosen.append(phrase)
            if len(chosen) == wanted:
                break
        named.append(chosen)
    return named


def _phrases(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for run in _HAN_RUN.findall(text):
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + _LONGEST) + 1):
                if not _STOP_CHARACTERS.intersection(run[start:end]):
                    found[run[start:end]] += 1
    repeated = Counter({phrase: number for phrase, number in found.items() if number > 1})
    nested = {
        phrase[a:b]
        for phrase in repeated
        for a in range(len(phrase))
        for b in range(a + 2, len(phrase) + 1)
        if b - a < len(phrase)
    }
    for phrase in nested & repeated.keys():
        if any(
            phrase in longer and repeated[longer] >= repeated[phrase]
            for longer in repeated
            if len(longer) > len(phrase)
        ):
            del repeated[phrase]
    words = Counter(word for word in _WORD.findall(text) if word.lower() not in _STOP_WORDS)
    repeated.update({word: number for word, number in words.items() if number > 1})
    return repeated


def _length(phrase: str) -> float:
    return min(len(phrase), 4) if "\u4e00" <= phrase[0] <= "\u9fff" else min(len(phrase) / 3, 2)
