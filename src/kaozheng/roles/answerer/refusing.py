"""How it is said that the knowledge base has no answer."""

from __future__ import annotations

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
