"""What `ask` says in its own words, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from kaozheng.evidence.citations import normalised
from kaozheng.evidence.conflicts import Conflict
from kaozheng.roles.answerer import REFUSALS

Language = Literal["zh", "en"]
_MOST_SHOWN: Final = 4
_SENTENCE_CHARS: Final = 120
_FAILED: Final[Mapping[str, str]] = {
    "zh": "很抱歉，检索知识库时出错，现在无法回答。",
    "en": "Sorry, the knowledge base could not be searched, so there is no answer now.",
}
_ONE_SIDED: Final[Mapping[str, str]] = {
    "zh": "很抱歉，在知识库中未能找到相关解答：要比较的对象中，没有找到关于{missing}的资料。",
    "en": "Sorry, no answer to this was found in the knowledge base: nothing was found about {missing}.",
}
_SEARCHED: Final[Mapping[str, str]] = {"zh": "已检索：{queries}。", "en": "Searched for: {queries}."}
_IN_BASES: Final[Mapping[str, str]] = {"zh": "检索范围：{bases}。", "en": "Searched in: {bases}."}
_NO_BASES: Final[Mapping[str, str]] = {
    "zh": "目前没有可以检索的知识库。",
    "en": "There is no knowledge base to search yet.",
}
_DISPUTED: Final[Mapping[str, str]] = {
    "zh": "注意，资料的说法不一：{values}。",
    "en": "Note that the sources differ: {values}.",
}
_VALUE: Final[Mapping[str, str]] = {"zh": "“{sentence}”[{label}]", "en": "“{sentence}” [{label}]"}
_FALLBACK: Final[Mapping[str, str]] = {
    "zh": "生成的回答没有通过引用校验，未予采用。以下是知识库中的相关原文：",
    "en": "The generated answer did not pass the check of its citations and is not shown. The sources say:",
}


_PAIRS: Final = re.compile(r"(?<!\S)[\u3400-\u9fff]([\u3400-\u9fff]) \1[\u3400-\u9fff](?!\S)")
"""A query made of overlapping pairs of characters (“变压 压器”): it finds well and says nothing to people."""


def refused(language: Language, queries: Sequence[str], bases: Sequence[str] | None) -> str:
    """That nothing was found, with what was searched and where; `bases` None: where is not said."""
    return with_search(REFUSALS[language], language, queries, bases)


def with_search(said: str, language: Language, queries: Sequence[str], bases: Sequence[str] | None) -> str:
    """A refusal in any words, with what was searched and where, if anything was."""
    where = _where(language, queries, bases) if queries or not bases else ""
    return "\n\n".join(filter(None, (said, where)))


def failed(language: Language, queries: Sequence[str], bases: Sequence[str] | None) -> str:
    """That the search itself failed."""
    return "\n\n".join((_FAILED[language], _where(language, queries, bases)))


def one_sided(language: Language, missing: Sequence[str], queries: Sequence[str], bases: Sequence[str] | None) -> str:
    """That a comparison lacks one side at least."""
    named = "、".join(f"“{one}”" for one in missing) if language == "zh" else ", ".join(f"“{one}”" for one in missing)
    return "\n\n".join((_ONE_SIDED[language].format(missing=named), _where(language, queries, bases)))


def disputed(language: Language, conflict: Conflict) -> str:
    """That sources contradict each other, with each value as its source has it."""
    said = [
        _VALUE[language].format(sentence=_quotable(one.sentence), label=one.label)
        for one in conflict.values[:_MOST_SHOWN]
    ]
    return _DISPUTED[language].format(values=("；" if language == "zh" else "; ").join(said))


def _quotable(sentence: str) -> str:
    """A sentence that can stand between quotation marks."""
    plain = normalised(" ".join(sentence.split()), written=lambda label: "").strip("。.；;|*_ ")
    return plain if len(plain) <= _SENTENCE_CHARS else plain[: _SENTENCE_CHARS - 1] + "…"


def fallback(language: Language, quoted: str) -> str:
    """The text that stands in for an answer that did not pass, with what the sources say themselves."""
    return f"{_FALLBACK[language]}\n\n{quoted}"


def _where(language: Language, queries: Sequence[str], bases: Sequence[str] | None) -> str:
    if bases is not None and not bases:
        return _NO_BASES[language]
    comma = "、" if language == "zh" else ", "
    readable = [query for query in queries if not _PAIRS.search(query)] or list(queries[:1])
    asked = comma.join(f"“{' '.join(query.split())}”" for query in readable[:_MOST_SHOWN])
    said = [_SEARCHED[language].format(queries=asked)] if asked else []
    if bases is not None:
        shown = comma.join(bases[:_MOST_SHOWN]) + ("…" if len(bases) > _MOST_SHOWN else "")
        said.append(_IN_BASES[language].format(bases=shown))
    return (" " if language == "en" else "").join(said)
