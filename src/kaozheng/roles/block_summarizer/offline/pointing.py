"""Sentences that point back: what their first word means stands in another sentence."""

from __future__ import annotations

import re
from typing import Final

_OPENING = (
    r"[“\"'‘（(「]*(?:(?:但是?|而且?|并且|不过|然而|因此|所以|于是|同时|此外|另外|可是|只是|当时|后来|不久"
    r"|如果|因为|由于|随着|对于|至于)[，,]?"
    r"|(?:按照?|根据|依据|通过|从|在|对|为|以|与|和|把|将|用|除了?|凭|就|经过|由于|正是|有了)|"
    r"(?:but|and|so|however|thus|also|still|then|yet|therefore|moreover|meanwhile|if|when|because|although"
    r"|while|as|for|with|in"
    r"|of|from|by|to|on|at|after|before|under),?\s+)?"
)
_HAN = (
    r"它|他|她|其(?![他它实余次间一二三四五六七八九十])|该(?![怎如])|此(?![外后前次时刻地间])|这(?!里)|那(?!么|里)"
    r"|上述|前述|以上|前者|后者|两者|二者|三者"
    r"|对此|为此|如此|由此|据此|与此|就此|故此"
)
_LATIN = (
    r"(?:it|he|she|they|these|those|this|that|its|his|her|their|such|both|neither|either|each"
    r"|the (?:former|latter|same|above|others?)|others"
    r"|(?:one|another|the (?:first|second|third|last)) (?:is|was|were|are|of (?:them|these|those)))\b"
)
_POINTS: Final = re.compile(rf"{_OPENING}(?:{_HAN}|{_LATIN})", re.IGNORECASE)
_ITSELF: Final = re.compile(
    rf"{_OPENING}(?:[这此该](?:份|篇|个|项|部)?(?:报告|文件|通知|办法|规定|方案|协议|合同|纪要|制度|指南|手册"
    rf"|文章|条例)"
    r"|th(?:is|ese) (?:report|document|notice|agreement|policy|guide|handbook|paper|article|study|memo|minutes"
    r"|plan|contract"
    r"|section|week|month|year|quarter|morning|afternoon|evening|time)\b"
    r"|it (?:is|was|will be|would be|seems|appears|became|has been) (?:\w+ly )?(?:\w+ )?(?:that|to|who|which"
    r"|clear|important|possible|likely"
    r"|necessary|essential|agreed|noted|decided|recommended|hoped|expected|worth)\b(?!(?: that)? (?:he|she"
    r"|they|it|this|these|those)\b)"
    r"|that said\b|each (?!of (?:them|these|those))|both (?:the|of the)\b|either (?:the|of the)\b"
    r"|neither the\b|such as\b)",
    re.IGNORECASE,
)
"""Points to the text itself or to nothing (`it is important that`)."""


def points_back(sentence: str) -> bool:
    """Whether a sentence begins with a word that stands for something said before it."""
    return _POINTS.match(sentence) is not None and _ITSELF.match(sentence) is None
