"""The words with which a question compares, and what is left of one without them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kaozheng.sources.ranking import FUNCTION_TERMS, terms
from kaozheng.sources.telling import what_is_left

WITH: Final = (
    r"(?:(?<![总饱共温缓调])和(?!平|谐|解)|(?<!参)与(?!会|否)|跟(?!踪|随|进)"
    r"|(?<![合共相不如一协等])同(?!意|时|样|学|事|比|步|等|行))"
)
"""Joins two things; a part of a pattern."""
DIFFER: Final = r"(?:区别|差别|差异|不同(?:之处|点)?|异同|优劣|优缺点对比|(?:对比|比较)(?!度|色|例|率|表|级)|高下)"
"""Asks how they differ; a part of a pattern."""
VERB: Final = r"(?:(?:对比|比较)(?!度|色|例|率|表|级|优势)|对照(?!组|表)|比一比|比一下|比对)"
"""Asks to compare them; a part of a pattern."""
_COMPARING = re.compile(
    rf"{VERB}(?:一下|下)?|(?:有(?:什么|何|哪些|啥)|存在)?(?:主要|本质|具体)?的?{DIFFER}|相比(?:之下|于|较)?"
    rf"|比起来?|之间|各自|分别|两者|二者"
    rf"|{WITH}|以及|还有|还是|、|[两三四五]\s?[个种款家项类]|\b(?:compar\w*|differ\w*|between|versus|vs\.?"
    rf"|with|and|or|to|from|that of|those of|which one|of the two|both|against)\b|[,，:：;；]",
    re.IGNORECASE,
)


def without_comparing(question: str, things: Iterable[str]) -> str:
    """By what the things are compared: the question without their names and without the words that only compare; ""
    when it does not say."""
    for thing in sorted(things, key=len, reverse=True):  # one name may be a part of another
        question = re.sub(re.escape(thing), " ", question, flags=re.IGNORECASE)
    plain = what_is_left(_COMPARING.sub(" ", question))
    return plain if any(len(term) > 1 and term not in FUNCTION_TERMS for term in terms(plain)) else ""
