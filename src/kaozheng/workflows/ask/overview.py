"""What the knowledge bases hold, as a piece of evidence: for questions about the collection itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import KnowledgeBaseError
from kaozheng.evidence.bundle import EvidenceItem
from kaozheng.roles.titles import clean_title
from kaozheng.sources.index import Index
from kaozheng.sources.twins import originals_of

ASKS_FOR_IT: Final = re.compile(
    r"(?:知识库|资料库|文档库)(?:里面?|中|内)?(?:都|目前|现在|一?共|总共)*(?:有|收录|存|包[含括]|讲|是(?:什么|关于))"
    r"|(?:介绍|概述|总结|看看|列出)(?:一?下)?(?:你的?|这个|该|本|我的)*(?:知识库|资料库|文档库)|(?:这里|本站|你(?:们)?)(?:都)?(?:有|收录了?|存了?)(?:些?什么|哪些|多少)(?:文档|资料|文件|内容|数据)?"
    r"|(?:有|收录了?)(?:些?什么|哪些|多少)(?:篇|份|个)?(?:文档|资料|文件)[？?。]?$"
    r"|\b(?:what|which|how (?:many|big|large)|list|describe|summari[sz]e|overview|about)\b[^?]{0,40}"
    r"\b(?:the|this|your|my) knowledge bases?\b"
    r"|\b(?:which|what|how many|list(?: all)?(?: the)?) (?:documents?|files?|sources?|materials?)\b",
    re.IGNORECASE,
)
"""A question about the collection and not about what its documents say."""
_ALL_OF_IT: Final = re.compile(
    r"^(?:请问?|你们?|您|我们?|这里|现在|目前|(?:这个|你的)?(?:知识|资料|文档)库|里面?|中|内|都|一?共|总共|所有|全部|的|有|收录|存|包[含括]|了|着"
    r"|列出|看看|告诉我|一下|[，,\s])*(?:哪些|些?什么|多少|几)?(?:篇|份|个)?(?:文档|资料|文件|材料)(?:可以?[问查看用])?[呢啊\s？?。.!！]*$"
    r"|^(?:please )?(?:what|which|how many|list|show me)(?: all)?(?: of)?(?: the| your| my)?"
    r" (?:documents?|docs|files?|sources?|materials?)"
    r"(?: (?:do (?:you|we|i) have|have (?:you|we)(?: got)?|are (?:there|available)|exist|can i ask about"
    r"|are (?:there )?in (?:the|this|your|my) knowledge bases?))?[\s?.!]*$",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(r"哪些|什么|多少|几|列出|看看|[a-z]", re.IGNORECASE)


def is_of_nothing_else(question: str) -> bool:
    """Whether the question wants the list of the documents and names nothing that could be searched for in them."""
    return bool(_ALL_OF_IT.match(question) and _ASKED.search(question))


_NAMES: Final = {"zh": "知识库概览", "en": "Overview of the knowledge bases"}
_MOST_TITLES: Final = 30


async def overview(index: Index, bases: Sequence[str], language: str, named: bool = True) -> EvidenceItem:
    """The bases with their numbers of documents and chunks and the titles of the first documents. Raises
    StorageError."""
    wanted = set(bases)
    lines = []
    for base in await index.bases():
        if base.name not in wanted:
            continue
        try:
            entries = originals_of(await index.entries(base.name))
        except KnowledgeBaseError:  # dropped meanwhile
            continue
        titles = [clean_title(entry.title) or entry.name for entry in entries]
        lines.append(_line(f"“{base.name}”" if named else "", len(titles), base.chunks, titles, language))
    text = "\n".join(lines)
    name = _NAMES["zh" if language == "zh" else "en"]
    return EvidenceItem("E1", "", name, name, (), LineRange(1, max(1, len(lines))), Span(0, len(text)), text)


def _line(base: str, documents: int, chunks: int, titles: Sequence[str], language: str) -> str:
    shown = list(titles[:_MOST_TITLES])
    if language == "zh":
        rest = "等" if documents > len(shown) else ""
        named = "、".join(f"《{one}》" for one in shown)
        return f"知识库{base}有 {documents} 个文档、{chunks} 个文本块：{named}{rest}。"
    rest = " and more" if documents > len(shown) else ""
    name, titles_said = (f" {base}" if base else ""), "; ".join(shown)
    return f"The knowledge base{name} has {documents} documents in {chunks} chunks: {titles_said}{rest}."
