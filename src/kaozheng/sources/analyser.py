"""The analyser: a text as terms, the same way for what is kept and for what is asked.

Two readings of Han text, each a leg of its own in the index: words by jieba's dictionary (without its guesses at
unknown words, which come out differently in a question and in a text), and overlapping pairs of characters, which find
what the dictionary does not know. What `canonical` knows is one term in both; Latin words, numbers and identifiers are
those of `ranking.terms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

from kaozheng.documents.document_numbers import document_numbers
from kaozheng.sources.canonical import canonicals, folded, tail_term
from kaozheng.sources.ranking import terms

if TYPE_CHECKING:
    from rjieba import Jieba

_VERSION = 2  # raise when the same text gives other terms
_LONGEST = 100  # characters of a term: what is longer (a key, an image in base64) is known by its beginning


@dataclass(frozen=True, slots=True)
class Terms:
    """Both readings of one text, in its order after the canonical terms. A term has no blank in it. `pairs` is empty
    for a text without a Han character: its words say it all."""

    words: list[str]
    pairs: list[str]


class Analyser:
    """Makes terms. Safe to use from several threads."""

    @cached_property
    def name(self) -> str:
        """Names everything that the terms depend on; what was indexed under another name has to be indexed anew."""
        return f"terms-{_VERSION} rjieba-{version('rjieba')}"

    def terms(self, text: str) -> Terms:
        """Both readings of the text."""
        text = folded(text)
        found: list[str] = []
        rest: list[str] = []
        at = 0
        for place in canonicals(text):
            found.extend(place.terms)
            rest.append(text[at : place.start])
            at = place.end
        plain = " ".join((*rest, text[at:]))
        words = terms(plain, self._cut)
        twos = terms(plain) if any(map(_is_han, plain)) else []
        return Terms(_short([*found, *words]), _short([*found, *twos]) if twos else [])

    def _cut(self, run: str) -> list[str]:
        return self._jieba.cut(run, False)

    @cached_property
    def _jieba(self) -> Jieba:
        # Of its own: words that others add to the module's dictionary would make two processes cut differently.
        from rjieba import Jieba  # 0.2 s and 25 MB

        return Jieba()


def exact_terms(text: str) -> list[tuple[str, str]]:
    """For each document number of a question the term of that number, and the one of all numbers whose agency ends
    so (发改 for 川发改), to be asked for only where the first finds nothing."""
    return [(number.form, tail_term(number)) for number in document_numbers(folded(text)) if number.agency]


def _short(found: list[str]) -> list[str]:
    return [term[:_LONGEST] for term in found]


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"
