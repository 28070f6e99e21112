"""Whether a model's reply can be a summary of its evidence at all. What cannot is told to the model, and written by the
twin when the model does not better itself; what its sentences say is judged elsewhere, each against the evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kaozheng.documents.characters import HAN
from kaozheng.documents.sentences import split
from kaozheng.evidence.folding import fold
from kaozheng.evidence.quotes import containment, features, locate_folded
from kaozheng.evidence.refusals import is_refusal
from kaozheng.evidence.sentence import Sentence
from kaozheng.models.messages import Message
from kaozheng.roles.answerer.orders import is_order
from kaozheng.roles.brevity import tokens_of
from kaozheng.roles.labels import labelled_sentences, labels_in
from kaozheng.roles.section_writer.usable import unusable

_LEAST_TOKENS: Final = 5
_LEAST_SHARE: Final = 20  # a summary has a twentieth of what it may have
_LEAST_SHARED: Final = 0.2
"""Of its words and pairs of words. Facts told by hand have .68 of their document's at least, those of other documents
about .15."""
_SHORT_TOKENS: Final = 200  # evidence so short has few words to share: half of it will do
_CHINESE: Final = 0.3
_HAN = re.compile(f"[{HAN}]")
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z]")
_LATIN_A_HAN = 4  # as much is said by so many Latin letters
_OBJECT = re.compile(r"\s*(?:```\w*\s*)?\{")
_DECLINES = re.compile(
    r"作为(?:一[个名款])?(?:AI|人工智能|大?语言模型)|^我(?:无法|不能)(?:协助|帮|满足|提供|处理|总结|完成|继续)"
    r"|\bas an? (?:AI|artificial|large language|language) |\bI(?: am|['’]m) (?:not able|unable) to\b"
    r"|^I (?:can(?:no|['’])t|won['’]t) (?:assist|help|comply|fulfil|summari[sz]e|provide|process|continue|do)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """How replies to one call are read: the evidence that stood under its labels, the message that told the model what
    to do, and what may be said at most."""

    evidence: Sequence[Sentence]
    system: Message
    most_tokens: int
    language: str

    def sentences(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of a reply, without those of our own message said again, and orders of the evidence or what
        these wanted to be said."""
        return tuple(
            one
            for one in labelled_sentences(text, self.evidence)
            if not is_order(one.text) and not self._echoes(one.text) and not locate_folded(one.text, self._orders)
        )

    def complaints(self, text: str, sentences: Sequence[Sentence]) -> list[str]:
        """What makes the reply unusable, [] when nothing does. `sentences` are those read from `text`."""
        if fault := unusable(text):
            return [fault]
        if _OBJECT.match(text):
            return ["the reply is an object; write prose"]
        labels = labels_in(text)
        if labels and not any(1 <= label <= len(self.evidence) for label in labels):
            named = ", ".join(f"[E{label}]" for label in sorted(labels)[:5])
            return [f"none of the labels {named} stands in the evidence"]
        said = " ".join(one.text for one in sentences)
        if not sentences or is_refusal(said) or _DECLINES.search(sentences[0].text):
            return ["the reply does not retell the evidence in sentences; write it in prose, from what is there"]
        least = max(_LEAST_TOKENS, min(self.most_tokens, tokens_of(self.evidence)) // _LEAST_SHARE)
        if tokens_of(sentences) < least:
            return ["the reply is too short to be a summary of the evidence"]
        return self._foreign(said)

    def _foreign(self, said: str) -> list[str]:
        """In another language than was asked for and the evidence is in, or on something else."""
        wanted, given = self.language == "zh", _is_chinese(self._all)
        if _is_chinese(said) not in (wanted, given):
            return [f"the reply is not in {'Chinese' if wanted else 'English'}"]
        alike = _is_chinese(said) == given
        least = _LEAST_SHARED / (2 if tokens_of(self.evidence) < _SHORT_TOKENS else 1)
        if alike and containment(features(said), features(self._all)) < least:
            return ["the reply has next to no word of the evidence; retell what stands there, in its language"]
        return []

    def _echoes(self, sentence: str) -> bool:
        return bool(locate_folded(sentence, self._told)) and not locate_folded(sentence, self._folded)

    @cached_property
    def _all(self) -> str:
        return "\n".join(one.text for one in self.evidence)

    @cached_property
    def _orders(self) -> tuple[str, list[int]]:
        parts = (one.text[span.start : span.end] for one in self.evidence for span in split(one.text))
        return fold("\n".join(part for part in parts if is_order(part)))

    @cached_property
    def _told(self) -> tuple[str, list[int]]:
        return fold(self.system.content)

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return fold(self._all)


def _is_chinese(text: str) -> bool:
    """By the share of Han among letters; Japanese, which has about as many kana, is not."""
    han, latin = len(_HAN.findall(text)), len(_LATIN.findall(text))
    others = len(_LETTER.findall(text)) - han - latin
    return han >= _CHINESE * (han + latin / _LATIN_A_HAN + 2 * others) and han > 0
