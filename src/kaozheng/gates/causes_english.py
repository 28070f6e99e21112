"""Causal claims in English text: `A led to B` becomes `A is associated with B (an association only, …)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.span import Span
from kaozheng.gates.carried_claims import CausalClaim, Results
from kaozheng.gates.causes import Cause
from kaozheng.gates.places import sentences

FORMULA_EN: Final = " (an association only, to be verified on site)"
_VERB: Final = re.compile(
    r"\b(?:(?:has|have|had)\s+)?(?:(?:directly|mainly|clearly|largely|primarily|significantly)\s+)?(?:led|leads"
    r"|lead)\s+to\b"
    r"|\bresult(?:ed|s)\s+in\b|\b(?:(?:was|were|is|are|been)\s+)?caus(?:ed|es)(?:\s+by)?\b|\bbrought\s+about\b"
    r"|\b(?:(?:was|were|is|are)\s+)?driven\s+by\b|\b(?:drove|drives|boosted|boosts|spurred)\b"
    r"|\b(?:is|was|are|were)\s+(?:mainly\s+|largely\s+)?(?:due|attributable|attributed|owing)\s+to\b"
    r"|\b(?:is|was)\s+the\s+(?:\w+\s+)?(?:result|consequence|cause|reason)\s+(?:of|for)\b",
    re.IGNORECASE,
)
_PREPOSITION: Final = re.compile(
    r"\b(?:because\s+of|(?<!is )(?<!was )(?<!are )(?<!were )(?<!mainly )(?<!largely )(?:due|owing)\s+to"
    r"|thanks\s+to|as\s+a\s+(?:direct\s+)?result\s+of|on\s+account\s+of)\b",
    re.IGNORECASE,
)
_BECAUSE: Final = re.compile(r"\bbecause\b(?!\s+of\b)", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\b(?:not|never|cannot|no\s+evidence|whether|may|might|could|possibly|if|prevent\w*|avoid\w*|nor"
    r"|without)\b[^,;.]{0,60}$"
    r"|n't[^,;.]{0,60}$",
    re.IGNORECASE,
)
_TECHNICAL: Final = re.compile(
    r"rounding|revis\w+|definition|calib\w+|census|base\s+effect|missing\s+data|season\w*", re.IGNORECASE
)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]{4}")
_LONGEST: Final = 600
_INSTEAD: Final = ((_VERB, "is associated with"), (_PREPOSITION, "in association with"), (_BECAUSE, "while"))


def causes_in_english(text: str, results: Results) -> Iterator[Cause]:
    """The causal claims of the English sentences of a shielded text."""
    for sentence in sentences(text):
        start, end = sentence.span.start, sentence.span.end
        said = text[start:end]
        if _HAN.search(said) or _TECHNICAL.search(said) or FORMULA_EN.strip() in said:
            continue
        edits = sorted(_edits(text, sentence.span), key=lambda edit: edit.span)
        stop = start + len(said.rstrip(" .!?\"')"))
        formula = TextEdit(Span(stop, stop), FORMULA_EN)
        carried = results.carry(CausalClaim(said[:_LONGEST], said[:_LONGEST])) if edits else None
        for edit in edits:
            if carried:
                yield Cause(edit.span, carried, (edit, formula))


def _edits(text: str, sentence: Span) -> Iterator[TextEdit]:
    """The milder words for each causal one that is asserted; each pattern has words of its own."""
    for pattern, instead in _INSTEAD:
        for found in pattern.finditer(text, sentence.start, sentence.end):
            if not _OPEN.search(text[max(sentence.start, found.start() - 120) : found.start()]):
                yield TextEdit(Span(*found.span()), instead.capitalize() if found[0][0].isupper() else instead)
