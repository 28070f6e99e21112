"""What of a question tells what is wanted: its terms without the words that only ask."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Final, Literal

from kaozheng.sources.ranking import stem, terms, without_function_words

Wanted = Literal["number", "date", "person", "reason", "way", ""]

_ASKING_ZH = re.compile(
    r"请问|想问一?下?|我想(?:知道|了解|问)|你?(?:知道|能|可以|请)?(?:告诉|帮)我|请?(?:详细|简单|简要)?(?:介绍|说明|解释|描述|总结|概括|列出|比较|对比|说说|讲讲)(?:一下|下)?"
    r"|有?什么(?:时[候间](?:开始)?|样|意思)?|为什么|为何|是不是|有没有|能不能|可不可以|会不会|是否|怎么[样办]?|怎样|如何|有?多少[个年月天次条项种名位家人岁倍元钱台册张枚]?|有?多久|多长|多大|多高|多远"
    r"|哪(?:些|个|里|儿|年|一?[种家位天条项])?|有?几[个年月天次条项种名位家人岁倍台册张枚]|谁|何时|何地|何处|(?:吗|呢|吧|啊|么)(?=[？?。！!\s]|$)|有关|关于|分别|一共|总共|目前|现在"
)
_ASKING_EN = re.compile(
    r"\b(?:please|tell me(?: about)?|can you|could you|do you know|explain|describe|summari[sz]e|compare|list|give me"
    r"|how (?:many|much|long|often|old|far|big|large)|what|which|who|whom|whose|when|where|why|how|does|did|do|is|are"
    r"|was|were|there|any|some|me|i)\b",
    re.IGNORECASE,
)
_ASKING_HAN_WORDS = "能 能否 不能 可以 需要 应该 应当 要 该 有 多 何 吗 呢"
_ASKING_LATIN_WORDS = "many much often long large quickly quick kind type"
ASKING_TERMS: Final = frozenset((*_ASKING_HAN_WORDS.split(), *(stem(word) for word in _ASKING_LATIN_WORDS.split())))
"""Terms that only ask where they are words by themselves; inside of others (能 in 功能) they are part of the matter."""

_DATE = (
    r"什么时(?:候|间)|何时|哪[一]?[年天日月]|几[年月号日]|日期"
    r"|\b(?:when|what (?:year|date|day|time)|which year)\b"
)
_NUMBER = (
    r"多少|几|多[久长大高远重]|[天人次台件户]数|数量|金额|比例|价格|费用|[上下]限"
    r"|\bhow (?:many|much|long|often|old|far|big|large|tall|high)\b"
)
_PATTERNS: dict[Wanted, str] = {
    "date": _DATE,
    "number": _NUMBER,
    "reason": r"为什么|为何|原因|\bwhy\b|\breasons?\b",
    "way": r"如何|怎么|怎样|步骤|\bhow (?:do|can|to|should)\b|\bsteps?\b",
    "person": r"谁|\bwho(?:m|se)?\b",
}
_WANTED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _PATTERNS.items()}


def telling(question: str) -> list[str]:
    """The terms that the question is about, each once, in their order; all of its terms when it only asks."""
    asked = list(dict.fromkeys(without_function_words(terms(without_asking(question)))))
    return asked or list(dict.fromkeys(terms(question)))


def without_asking(question: str) -> str:
    """The question without the words that only ask, as it may be searched for; itself when nothing else is left."""
    return what_is_left(question) or question.strip()


def what_is_left(question: str) -> str:
    """The same; "" when nothing else is left."""
    plain = with_asking_blank(question)
    return " ".join(plain.strip(" ，。？！,.?!;；:：的是在有了").split())


def with_asking_blank(question: str) -> str:
    """The question with a blank for each word that only asks: what stood on both sides of it does not touch."""
    return _ASKING_EN.sub(" ", _ASKING_ZH.sub(" ", question))


def wanted(question: str) -> Wanted:
    """What kind of thing would answer; "" when it does not say."""
    return next((kind for kind, pattern in _WANTED.items() if pattern.search(question)), "")


def lacking(asked: Sequence[str], has: Container[str]) -> list[str]:
    """The terms that a text does not have. A pair of Han characters across two words ("份保" in 备份保留) is not
    lacking where the text has the pairs on both sides of it: there each word may stand for itself."""
    missing = []
    for place, term in enumerate(asked):
        if term in has:
            continue
        before, after = asked[place - 1] if place else "", asked[place + 1] if place + 1 < len(asked) else ""
        across = len(term) == 2 and before[-1:] == term[0] and after[:1] == term[1] and before in has and after in has
        if not across:
            missing.append(term)
    return missing
