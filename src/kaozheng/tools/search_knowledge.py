"""search_knowledge: what the knowledge bases hold about a query, under labels that an answer may cite."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from pydantic import Field

from kaozheng.errors import KnowledgeBaseError, StorageError
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem, Gathered, bundle_of
from kaozheng.evidence.joining import joined
from kaozheng.evidence.listing import listed
from kaozheng.models.tool_call import ToolOffer
from kaozheng.sources.asking import question_of, search_best
from kaozheng.sources.index import Found, Index, Within
from kaozheng.sources.reranking import Reranker
from kaozheng.sources.vectors import Embedder
from kaozheng.tools.tool import Arguments, Language, Tool

NAME: Final = "search_knowledge"
MOST_CHARS: Final = 500
_LIMIT = 6


class SearchArguments(Arguments):
    """What to look for. Where to look is not the model's to say."""

    query: str = Field(
        min_length=1, max_length=MOST_CHARS, description="a question or keywords, in the user's language"
    )


@dataclass(slots=True)
class Searches:
    """The searches of one conversation. `within` was fixed by who opened it: bases, labels and so the owner never come
    from a model. `bundle` has all that was found; a label once given stays, also when two searches run side by side.
    `targets` are the things to be compared: a query that names one is for it. `found` has each search as it came,
    `labels` those of what it found; `notes` say which legs of a search were refused."""

    index: Index
    within: Within
    embedder: Embedder | None = None
    targets: tuple[str, ...] = ()
    bundle: EvidenceBundle = field(default_factory=lambda: EvidenceBundle((), "empty"))
    limit: int = _LIMIT
    reranker: Reranker | None = None
    found: dict[str, Found] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _before: asyncio.Future[None] | None = None

    async def search(self, query: str) -> tuple[EvidenceItem, ...]:
        """The items that answer best, best first. Raises KnowledgeBaseError when the search cannot be made; the bundle
        then says so. ModelRefusedError: the embedder refused for good."""
        before, mine = self._before, asyncio.get_running_loop().create_future()
        self._before = mine
        try:
            found = await self._found(query)
            if before is not None:
                # Labels are given in the order in which the searches were begun, whichever is done first.
                await asyncio.wait([before])
        finally:
            mine.set_result(None)
        if isinstance(found, str):
            self.bundle = joined(self.bundle, bundle_of([], [f"{query}: {found}"]))
            raise KnowledgeBaseError(f"the search failed: {found}")
        self.found[query] = found
        self.notes += [f"{leg}: {why}" for leg, why in found.refused.items() if f"{leg}: {why}" not in self.notes]
        target = next((one for one in self.targets if one.casefold() in query.casefold()), "")
        more = bundle_of([Gathered(found.hits, target)])
        self.bundle = joined(self.bundle, more)
        wanted = [" ".join(item.text.split()) for item in more.items]
        by_text = {" ".join(item.text.split()): item for item in self.bundle.items}
        items = tuple(by_text[text] for text in wanted)
        self.labels[query] = tuple(item.label for item in items)
        return items

    async def _found(self, query: str) -> Found | str:
        """What was found, or why the search could not be made."""
        try:
            asked = await question_of(query, self.within, self.embedder, self.limit)
            return await search_best(self.index, asked, self.reranker)
        except (KnowledgeBaseError, StorageError) as error:
            return str(error)


_ABOUT: Final = {
    "zh": "在知识库中检索与查询有关的段落，每段前有编号（如 [E1]）。"
    "问题涉及事实、资料、数据时先用它查找；多个方面可分几次同时查。",
    "en": "Passages of the knowledge base about a query, each with a label such as [E1]. Use it first whenever the "
    "question is about facts, documents or figures; several aspects may be searched at the same time.",
}


def search_knowledge(searches: Searches) -> Tool[SearchArguments]:
    """The tool over these searches. What it finds was written by strangers; the gateway marks it as data."""

    async def run(asked: SearchArguments) -> str:
        return listed(await searches.search(asked.query))

    return Tool(NAME, _ABOUT, SearchArguments, run)


def search_offer(language: Language) -> ToolOffer:
    """The tool as a model is told of it, before anything is searched."""
    return Tool(NAME, _ABOUT, SearchArguments, _nothing).offer(language)


async def _nothing(asked: SearchArguments) -> str:
    return ""
