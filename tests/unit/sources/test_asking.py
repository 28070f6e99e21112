"""What was found, ordered by a reranker; and what is left when that fails."""

from __future__ import annotations

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import CredentialsError, ModelUnavailableError, NotPrivateError, ShapeError
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.asking import RERANKED, search_best
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Entry, Question, Within
from kaozheng.testing.lexical_reranker import LexicalReranker
from kaozheng.testing.memory_index import MemoryIndex

ANALYSER = Analyser()


class Backwards(LexicalReranker):
    """Finds best what was found last."""

    async def rerank(self, query, texts, top):
        await super().rerank(query, texts, top)
        return [(place, float(place)) for place in reversed(range(len(texts)))][:top]


async def index_of(*texts: str) -> MemoryIndex:
    index = MemoryIndex(ANALYSER)
    for number, text in enumerate(texts):
        name, lines = f"{number}.md", LineRange(1, 1)
        chunk = Chunk(chunk_id(name, (), 1, text), name, (), 1, Span(0, len(text)), lines, text, "库")
        await index.put(Entry("kb", name, str(number)), [chunk])
    return index


def ask(text: str = "水稻 种植", limit: int = 2) -> Question:
    return Question(text, Within(("kb",)), limit=limit)


def names(found) -> list[str]:
    return [hit.entry.name for hit in found.hits]


MANY = [f"水稻 种植 {'x ' * number}" for number in range(RERANKED + 5)]


async def test_the_reranker_reads_thirty_and_its_best_are_given():
    index, reranker = await index_of(*MANY), Backwards()
    plain = await index.search(ask(limit=RERANKED))
    found = await search_best(index, ask(), reranker)
    assert names(found) == names(plain)[::-1][:2]
    ((query, texts),) = reranker.asked
    assert query == "水稻 种植"
    assert texts == [hit.chunk.searched for hit in plain.hits]
    assert found.hits[0].legs["rerank"] == RERANKED - 1
    assert found.refused == {}


@pytest.mark.parametrize(
    "fails", [ModelUnavailableError("busy"), ShapeError("no list"), CredentialsError("no key"), NotPrivateError("no")]
)
async def test_a_reranker_that_fails_leaves_the_fused_order_and_says_why(fails):
    index = await index_of(*MANY)
    found = await search_best(index, ask(), LexicalReranker(fails=fails))
    assert names(found) == names(await index.search(ask()))
    assert found.refused == {"rerank": f"lexical: {fails}"}


async def test_a_document_number_of_the_question_stays_first():
    index = await index_of("川发改〔2023〕15号 水稻", "水稻", "水稻 种植 面积")
    found = await search_best(index, ask("川发改〔2023〕15号 水稻 种植 面积", limit=3), Backwards())
    assert names(found)[0] == "0.md"
    assert found.hits[0].exact


async def test_without_a_reranker_or_a_choice_nobody_is_asked():
    index, reranker = await index_of("水稻 种植"), LexicalReranker()
    assert names(await search_best(index, ask(), None)) == ["0.md"]
    assert names(await search_best(index, ask(), reranker)) == ["0.md"]
    assert names(await search_best(index, ask("？"), reranker)) == []
    assert reranker.asked == []


async def test_more_may_be_wanted_than_are_usually_read():
    index = await index_of(*MANY)
    assert len((await search_best(index, ask(limit=RERANKED + 4), Backwards())).hits) == RERANKED + 4
