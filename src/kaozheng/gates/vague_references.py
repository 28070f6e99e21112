"""References to a policy that nobody can look up: 根据国家有关政策规定, with no number and no title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.document_numbers import PATTERN
from kaozheng.documents.span import Span
from kaozheng.gates.places import SHIELD, sentences

_WHOSE: Final = "国家|中央|党中央|国务院|上级|省委|省级?|市级?|县级?|各级|地方|本地|政府|主管部门|部门"
_WHAT: Final = "政策|文件|规定|法规|法律|办法|意见|通知|条例|细则|文件精神|政策措施|扶持措施"
_LEAD: Final = "根据|依据|依照|按照|遵照|参照|落实|贯彻|执行|按|据"
_VAGUE: Final = re.compile(
    rf"(?:(?P<lead>{_LEAD})了?)?(?:(?:{_WHOSE})[、和及]?(?:的)?){{0,3}}"
    rf"(?:有关|相关|某(?:项|些|个|一|类)?|一系列|若干)(?:的)?(?:部门|方面)?(?:的)?"
    rf"(?:[\u4e00-\u9fff]{{0,6}}?)(?:{_WHAT})(?:{_WHAT}|要求|精神)?"
    rf"(?(lead)|(?=[\u4e00-\u9fff]{{0,4}}?(?:规定|要求|明确|提出|支持|允许|指出|鼓励)))"
    rf"|(?:{_LEAD})(?:(?:{_WHOSE})[、和及]?(?:的)?){{1,3}}(?:[\u4e00-\u9fff]{{0,4}}?)(?:{_WHAT})(?:{_WHAT}|要求"
    rf"|精神)?"
    r"|\b(?:under|according to|in line with|pursuant to|based on)\s+(?:the\s+)?(?:relevant|applicable|certain|some|"
    r"national|state|higher-level|existing)\s+(?:national\s+|state\s+)?(?:polic(?:y|ies)|regulations?|rules"
    r"|documents?|laws)\b"
    r"|\bthe relevant (?:polic(?:y|ies)|regulations|documents)\b",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(f"{SHIELD}+")
_NAMED_AFTER: Final = 24
"""Characters after the phrase within which the number or title that it means may stand."""
_ANNEX: Final = re.compile(r"附件|附表|附录|\bannex\b", re.IGNORECASE)
_DENIED: Final = re.compile(r"没有|尚无|缺少|缺乏|不得以|不以")


def vague_references(text: str) -> Iterator[Span]:
    """Places of the shielded text that point at a policy without number or title beside them."""
    for sentence in sentences(text):
        start, end = sentence.span.start, sentence.span.end
        for found in _VAGUE.finditer(text, start, end):
            until = min(end, found.end() + _NAMED_AFTER)
            if PATTERN.search(text, found.start(), until) or _TITLE.search(text, found.end(), until):
                continue
            if _ANNEX.search(text, found.end(), until):
                continue
            if not _DENIED.search(text, max(start, found.start() - 6), found.start()):
                yield Span(*found.span())
