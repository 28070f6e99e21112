"""The facts that a model lists behind its summary: found in any form of list, and kept only word for word from the
evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kaozheng.evidence.folding import fold
from kaozheng.evidence.quotes import locate_folded
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.labels import without_labels

_HEAD = re.compile(
    r"^[ \t>#*_`【\[]*(?:关键|重要|核心)(?:事实|信息)(?:清单|列表)?[ \t*_`】\]]*(?:[:：](?P<zh>.*)|$)"
    r"|^[ \t>#*_`\[]*(?:key|important) facts?[ \t*_`\]]*(?:[:：](?P<en>.*)|$)",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•·]|\d{1,2}[.)、．]|[（(]\d{1,2}[)）]|[①-⑳])[ \t]*")
_EDGES = " \t*_`"
_LEAST_CHARS: Final = 4
_MOST_CHARS: Final = 300
_MOST: Final = 12


def parted(reply: str) -> tuple[str, tuple[str, ...]]:
    """(the summary, the lines of facts behind its head); no facts where no line is their head."""
    heads = list(_HEAD.finditer(reply))
    if not heads:
        return reply, ()
    head = heads[-1]
    lines = [head["zh"] or head["en"] or "", *reply[head.end() :].split("\n")]
    return reply[: head.start()].rstrip(), tuple(line for line in lines if line.strip(_EDGES))


def located(lines: Sequence[str], evidence: Sequence[Sentence]) -> tuple[str, ...]:
    """The facts as they stand in the evidence, each once; what does not stand there word for word is no fact."""
    folded = [(one.text, fold(one.text)) for one in evidence] if lines else []
    found: dict[str, None] = {}
    for fact in _said(lines):
        for text, form in folded:
            if span := locate_folded(fact, form):
                found.setdefault(text[span.start : span.end])
                break
    return tuple(found)[:_MOST]


def _said(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        fact = without_labels(_BULLET.sub("", line)).strip(_EDGES)
        if _LEAST_CHARS <= len(fact) <= _MOST_CHARS:
            yield fact
        if "；" in fact or "; " in fact:  # several in one line
            yield from (part.strip() for part in re.split(r"；|; ", fact) if len(part.strip()) >= _LEAST_CHARS)
