"""How it is said that the knowledge base has no answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

REFUSALS: Final[Mapping[str, str]] = {
    "zh": "很抱歉，在知识库中未能找到相关解答。",
    "en": "Sorry, no answer to this was found in the knowledge base.",
}
GREETINGS: Final[Mapping[str, str]] = {
    "zh": "你好！请直接提问，我会在知识库里查找，并给出每句话的出处。",
    "en": "Hello! Ask your question: I will look it up in the knowledge base and say where each sentence stands.",
}
_THANKS: Final[Mapping[str, str]] = {
    "zh": "不客气！还有问题请直接提问。",
    "en": "You are welcome! Ask if there is anything else.",
}
_GOODBYES: Final[Mapping[str, str]] = {"zh": "再见！", "en": "Goodbye!"}
_AGREED: Final[Mapping[str, str]] = {
    "zh": "好的。还有问题请直接提问。",
    "en": "All right. Ask if there is anything else.",
}
_THANKED = re.compile(
    r"谢|辛苦|麻烦你了|帮大忙|太好了|不错|很好|非常好|厉害|真棒|解决了"
    r"|\b(?:thanks?|cheers|helped|great|perfect|awesome|helpful|nice(?! to meet)|cool)\b",
    re.IGNORECASE,
)
_LEAVES = re.compile(r"再见|拜拜|晚安|\b(?:good)?bye\b|\bsee you\b|\bgood night\b", re.IGNORECASE)
_AGREES = re.compile(
    r"^(?:好的|好吧|行|明白|知道了|收到|了解|没事了|没问题|ok(?:ay)?\b|got it|never ?mind|that(?:'s| is) all)",
    re.IGNORECASE,
)


def small_talk(said: str, language: str) -> str:
    """What is answered to words that ask for nothing: thanks, a good-bye, consent; a greeting to all others."""
    known = "zh" if language == "zh" else "en"
    for pattern, answers in ((_LEAVES, _GOODBYES), (_THANKED, _THANKS), (_AGREES, _AGREED)):
        if pattern.search(said.strip()):
            return answers[known]
    return GREETINGS[known]
