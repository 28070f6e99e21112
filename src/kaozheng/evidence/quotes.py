"""Finding a quote in a text, and how much of one sentence stands in another."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise

from kaozheng.documents.span import Span
from kaozheng.evidence.agreement import unsupported
from kaozheng.evidence.folding import HAN, fold, narrow
from kaozheng.evidence.numbers import find_numbers
from kaozheng.sources.ranking import stem

NUMBERS_DIFFER = 0.3
_FIRST_HAN = "\u3400"
_stem = cache(stem)
_UNIT = re.compile(rf"[{HAN}]|[A-Za-z][A-Za-z'’]*|\d+(?:[.,]\d+)*")
_QUIET_WORDS = """
的 了 是 在 和 与 及 等 为 对 也 都 就 而 并 且 或 之 其 这 那 该 此
a an the is are was were be been of to in on at for and or by with as it its this that these those has have had which
will would can also then
"""
_QUIET = frozenset(_QUIET_WORDS.split())


def locate(quote: str, text: str) -> Span | None:
    """The first place in `text` where `quote` stands word for word, apart from width, blanks, quote marks and markup.
    None when it does not stand there or has no letter or digit."""
    return locate_folded(quote, fold(text))


def locate_folded(quote: str, text: tuple[str, list[int]]) -> Span | None:
    """As `locate`, in a text that `fold` has brought to one form: one in which many quotes are looked for."""
    wanted, _ = fold(quote)
    wanted = wanted.strip(" .,;:!?\"'")
    if not any(character.isalnum() for character in wanted):
        return None
    folded, places = text
    at = folded.find(wanted)
    while at >= 0 and _inside_word(folded, at, at + len(wanted)):
        at = folded.find(wanted, at + 1)
    return Span(places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None


def _inside_word(text: str, start: int, end: int) -> bool:
    """Whether a word or number of ASCII characters goes on beyond the match: "5 天" in "15 天" is no quote."""
    return _runs_on(text[max(0, start - 1) : start], text[start]) or _runs_on(text[end - 1], text[end : end + 1])


def _runs_on(left: str, right: str) -> bool:
    return (left + right).isascii() and left.isalnum() and right.isalnum()


def features(text: str) -> Counter[str]:
    """What is compared: Han pairs, stemmed words and pairs of them; function words count for nothing."""
    words = [
        word if word >= _FIRST_HAN else _stem(word)
        for word in _UNIT.findall(narrow(text).casefold())
        if word not in _QUIET
    ]
    found = Counter(map(" ".join, pairwise(words)))
    found.update(word for word in words if word < _FIRST_HAN)
    if len(words) == 1:
        found[words[0]] = 1
    return found


def words_of(text: str) -> list[str]:
    """The words of a text, stemmed, and the pairs of its Han characters, in order; function words are left out."""
    return [feature for feature in features(text) if " " not in feature or feature > _FIRST_HAN]


def containment(claim: Counter[str], text: Counter[str]) -> float:
    """The share of the claim's features that the text has, 0.0 to 1.0."""
    total = claim.total()
    return sum(min(count, text[feature]) for feature, count in claim.items()) / total if total else 0.0


def similarity(claim: str, text: str) -> float:
    """How much of `claim` stands in `text`, 0.0 to 1.0. At most NUMBERS_DIFFER when a number, date, version or
    document number of the claim does not stand there."""
    share = containment(features(claim), features(text))
    if share > NUMBERS_DIFFER and unsupported(find_numbers(claim), find_numbers(text)):
        return NUMBERS_DIFFER
    return share
