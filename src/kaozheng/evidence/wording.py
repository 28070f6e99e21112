"""The words around a number: what they name, what they only point at, and what makes a clause no statement."""

from __future__ import annotations

import re

from kaozheng.evidence.folding import HAN
from kaozheng.evidence.numbers import Number
from kaozheng.sources.ranking import stem

_TOKEN = re.compile(rf"[{HAN}]|[A-Za-z_][A-Za-z0-9_]*(?:[.'’-][A-Za-z0-9_]+)*|\d+(?:\.\d+)*")
IDENTIFIER = re.compile(
    r"(?<![A-Za-z0-9_.-])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*[._](?=[A-Za-z])[A-Za-z0-9._-]*[A-Za-z0-9]"
    r"|[a-z]+(?:-[a-z0-9]+){2,})(?![A-Za-z0-9_])"
)
PROPER = re.compile(
    r"(?<![A-Za-z0-9_])(?:[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|[A-Za-z]*[A-Z][A-Za-z0-9]*)(?![A-Za-z0-9_])"
)
DIGIT = re.compile(r"\d|[一二三四五六七八九十两百]")
BRACKET = re.compile(r"[(（]([^()（）]*)[)）]")
_POINTING = re.compile(
    r"(?:[这那该此前后另每某各几首末]|上述|以上|以下|如下|下列|其他"
    r"|the (?:first|last|next)|these|those|every|each|per|any)\s*$",
    re.I,
)
_FORMULA = re.compile(r"[\[{<>]\s*$|[=!<>]=\s*$")
_THIS = re.compile(r"\s*(?:[该此这那其它]|(?:this|it|its|these|those|they|he|she|there)\b)", re.I)
ORDER = re.compile(r"\s*(?:配置|设置|将|把|修改|调整|执行|(?:set|change|configure|run|use)\b)", re.I)
LABEL = re.compile(r"[^:，,。]{1,30}[:：]")
BARE = re.compile(r"\s*(?:默认|缺省|最大|最小|default|max|min)", re.I)
EXAMPLE = re.compile(r"例如|比如|譬如|诸如|举例|假设|假如|for example|for instance|e\.g|suppose|assum", re.I)
UNIT_NAMED = re.compile(
    rf"单位(?:为|是)?\s?[:：]?\s?([{HAN}]{{1,3}}|[A-Za-z]{{1,3}}(?![A-Za-z]))"
    r"|\bin (milliseconds|seconds|minutes|hours|days|bytes)\b"
)
_COPULA = re.compile(r"(?:[:：=为是]|默认|\b(?:is|are|was|were|to|of)\b)\s*$", re.I)
_ASPECTS = {
    "by default": "default",
    "缺省": "default",
    "默认": "default",
    "最大": "max",
    "maximum": "max",
    "最小": "min",
    "minimum": "min",
}
_STOP_WORDS = """
的 为 是 了 约 共 计 达 到 有 则 即 在 于 仅 已 其 也 将 至 近
a an the is are was were be been of to at in on it its this that has have had will with about approximately around
roughly currently now by set you we i they he she but and can should must may your our until
"""
_STOP = frozenset(_STOP_WORDS.split())
_VALUE = re.compile(r"(默认|缺省|最大|最小|初始)(?:值|时间|大小|情况下)?(?:设置|设定|配置)?|数值|取值")
ASPECT = re.compile(
    r"默认|缺省|最大|最小|上限|下限|至多|最多|至少|初始"
    r"|(?<![A-Za-z_])(?:by default|default|max|maximum|min|minimum|at most|at least|limit)(?![A-Za-z_])",
    re.I,
)
CONDITION = re.compile(
    r"(?:时|后|前|若|如果|当|情况下|期间)$|^(?:若|如果|当|对于|在)|^(?:if|when|for|while|after|before|during|in)\b",
    re.I,
)
DUE = re.compile(
    r"截止|截至日|日期|时间|期限|发布|上线|开幕|召开|举行|举办|成立|生效|到期"
    r"|deadline|due|date|release|launch|start|open|close|submi|held|take place|expire",
    re.I,
)


def words(text: str) -> tuple[str, ...]:
    """The words of a subject, folded and stemmed, Han characters one by one, without those that carry no meaning."""
    plain = _VALUE.sub(r"\1", text).replace("缺省", "默认").casefold()
    kept = []
    for found in _TOKEN.finditer(plain):
        word = found[0]
        if word not in _STOP:
            kept.append(stem(word) if len(word) > 1 else word)
    return tuple(kept)


def tidy(text: str) -> str:
    """A subject for people: the words before the number, without the copula at their end."""
    return re.sub(r"(?:[\s:：=]|为|是|约|\b(?:is|are|was|were|of|to|at)\b)+$", "", " ".join(text.split()))


def aspect_of(text: str) -> str:
    """Which value of a parameter a text speaks of: default, max, min …, "" when it says none."""
    found = ASPECT.search(text)
    return _ASPECTS.get(found[0].lower(), found[0].lower()) if found else ""


def states(clause: str, number: Number, begin: int) -> bool:
    """Whether the clause gives its subject this number, and does not point (这四种), give an example or merely label
    something (数据 1)."""
    before, after = clause[: number.span.start - begin], clause[number.span.end - begin :]
    if _POINTING.search(before) or _THIS.match(before) or _FORMULA.search(before) or CONDITION.search(clause.strip()):
        return False
    return bool(number.dimension) or (_COPULA.search(before) is not None and not words(after))
