"""Where gates look: clauses of a text, and the words of policies in it, which a gate must not touch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kaozheng.county.policy import Policy
from kaozheng.documents.sentences import split
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import fold, narrow

SHIELD: Final = "\ufffc"
"""Stands for each character that no gate may judge by its words."""
_PIECE: Final = re.compile(r"(?:[^，,；;：:。！？!?\n]|(?<=\d),(?=\d{3})|(?<=\d):(?=\d))+")
_TITLE_OR_CODE: Final = re.compile(r"《[^《》\n]{1,120}》|`[^`\n]{1,200}`")
QUOTATION: Final = re.compile(r"“[^“”\n]{2,400}”|「[^「」\n]{2,400}」")
_AROUND: Final = 60
_TELLING: Final = 8
"""Characters in a row that two texts do not share by chance."""
_CLOSERS: Final = "）)”」』】]\"' \t。！？!?"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its clauses, as spans of the text."""

    span: Span
    pieces: tuple[Span, ...]


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, each with its clauses (what stands between commas, semicolons and colons)."""
    for span in split(text):
        found = _PIECE.finditer(text, span.start, span.end)
        yield Sentence(span, tuple(Span(*piece.span()) for piece in found if piece[0].strip()))


def inner_end(text: str, piece: Span) -> int:
    """Where words may be added at the end of a clause: before the brackets and quotes that close there."""
    end = piece.end
    while end > piece.start and text[end - 1] in _CLOSERS:
        end -= 1
    return end


class PolicyWords:
    """Knows what stands in the clauses and titles of policies: their words are quoted, not claimed."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        said = [text for policy in policies for text in (policy.title, *(clause.text for clause in policy.clauses))]
        self._plain: Final = tuple(dict.fromkeys(fold(text)[0] for text in said))

    def holds(self, quote: str) -> bool:
        """Whether a quotation stands in one of the policies, apart from width, blanks and its last mark."""
        wanted = fold(quote)[0].strip("\"'.,;:")
        return len(wanted) >= 2 and any(wanted in plain for plain in self._plain)

    def says(self, text: str, span: Span) -> bool:
        """Whether the word at `span` stands in the text with the same words around it as in a policy."""
        word = fold(text[span.start : span.end])[0]
        holding = [plain for plain in self._plain if word in plain]
        if not holding:
            return False
        start, end = max(0, span.start - _AROUND), min(len(text), span.end + _AROUND)
        before, after = fold(text[start : span.start])[0], fold(text[span.end : end])[0]
        return any(self._shares(plain, before, word, after) for plain in holding)

    @staticmethod
    def _shares(plain: str, before: str, word: str, after: str) -> bool:
        at = plain.find(word)
        while at >= 0:
            shared = len(word) + _common(plain[:at][::-1], before[::-1]) + _common(plain[at + len(word) :], after)
            if shared >= min(_TELLING, len(plain)):
                return True
            at = plain.find(word, at + 1)
        return False


def shielded(text: str, policies: PolicyWords) -> str:
    """The text in half width, of the same length, without titles in 《》, code, and quotations from policies."""
    plain = _TITLE_OR_CODE.sub(_hidden, narrow(text))
    return QUOTATION.sub(lambda found: _hidden(found) if policies.holds(found[0][1:-1]) else found[0], plain)


def _hidden(found: re.Match[str]) -> str:
    return SHIELD * len(found[0])


def _common(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
