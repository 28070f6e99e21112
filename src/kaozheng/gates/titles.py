"""Titles in 《》 that a text rests on without the number of the document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kaozheng.county.policy import Policy
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import fold
from kaozheng.gates.document_numbers import citations
from kaozheng.indicators.reason import Reason

_RESTS_ON: Final = re.compile(r"(?:根据|依据|依照|按照|遵照|落实|贯彻|执行)(?:了)?《(?P<title>[^《》\n]{2,120})》")
_WITHOUT_NUMBER: Final = re.compile(
    r"(?:(?<!办)法|条例|年鉴|公报|标准|规范|手册|目录|白皮书)(?:[(（][^()（）]{1,20}[)）])?$"
    r"|^[A-Z]{1,4}(?:/[A-Z]{1,2})?\s?\d"
)
"""Laws, books and standards (GB/T 9704—2012) have no number of a document."""
_NEAR: Final = 12


def titles_without_number(text: str, policies: Sequence[Policy]) -> Iterator[tuple[str, Span, Reason]]:
    """Titles after 根据 and its like: with what code each is wrong, where, and why. A title whose number stands beside
    it is left to the check of numbers, and one whose number stands elsewhere in the text is known."""
    cited = citations(text, policies)
    beside = {at for one in cited for at in range(max(0, one.span.start - _NEAR), one.span.start)}
    known = {one.policy.id for one in cited if one.policy}
    register = {fold(policy.title)[0]: policy for policy in policies}
    for found in _RESTS_ON.finditer(text):
        policy = register.get(fold(found["title"])[0])
        if found.end() - 1 in beside or _WITHOUT_NUMBER.search(found["title"]) or (policy and policy.id in known):
            continue
        span = Span(found.start("title") - 1, found.end())
        if policy:
            reason = Reason(f"应写明文号：{policy.number}", f"Give its number: {policy.number}.")
            yield "policy-without-number", span, reason
        else:
            reason = Reason(f"政策库中没有《{found['title']}》", f"《{found['title']}》 is not registered.")
            yield "policy-unregistered", span, reason
