from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import KnowledgeBaseError, ModelUnavailableError, StorageError
from kaozheng.models.tool_call import ToolCall
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Entry, Found, Labels, Question, Within
from kaozheng.testing.lexical_reranker import LexicalReranker
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.tools.gateway import Admitted, Gateway
from kaozheng.tools.result import ToolResult
from kaozheng.tools.search_knowledge import NAME, Searches, search_knowledge

SECRET = "ghp_" + "a1B2c3D4" * 5


def chunk(name: str, text: str) -> Chunk:
    return Chunk(chunk_id(name, (), 1, text), name, (), 1, Span(0, len(text)), LineRange(1, 1), text)


async def index_of(bases: dict[str, dict[str, str]], index: MemoryIndex | None = None) -> MemoryIndex:
    index = index or MemoryIndex()
    for base, texts in bases.items():
        for name, text in texts.items():
            await index.put(Entry(base, name, name, name, Labels()), [chunk(name, text)])
    return index


TEXTS = {
    "库": {"a.md": "年假按工龄计算，满一年有五天。", "b.md": "差旅住宿上限是五百元。", "c.md": "备份每晚两点运行。"}
}


async def called(searches: Searches, **arguments: object) -> ToolResult:
    gateway = Gateway([search_knowledge(searches)], {NAME}, "zh")
    admitted = gateway.admit(ToolCall("1", NAME, json.dumps(arguments)))
    return await gateway.run(admitted) if isinstance(admitted, Admitted) else admitted


async def test_passages_come_with_labels_that_stay_over_several_searches() -> None:
    searches = Searches(await index_of(TEXTS), Within(("库",)))
    first = await called(searches, query="年假")
    second = await called(searches, query="年假 差旅住宿")
    assert "(a.md)\n[E1] 年假按工龄计算" in first.text
    assert "(a.md)\n[E1] " in second.text
    assert "(b.md)\n[E2] 差旅住宿" in second.text
    assert searches.bundle.labels == ("E1", "E2")


@pytest.mark.parametrize("name", ["base", "bases", "owner", "session_id", "within"])
async def test_a_model_cannot_say_where_to_look(name: str) -> None:
    both = await index_of({**TEXTS, "别人": {"s.md": "暗号是紫电77。"}})
    searches = Searches(both, Within(("库",)))
    result = await called(searches, query="暗号", **{name: "别人"})
    assert result.status == "bad_arguments"
    assert "紫电77" not in (await called(searches, query="暗号是什么")).text


async def test_labels_follow_the_order_of_the_calls_whichever_search_is_done_first() -> None:
    class Slow(MemoryIndex):
        async def search(self, question: Question) -> Found:
            await asyncio.sleep(0.05 if "年假" in question.text else 0)
            return await super().search(question)

    searches = Searches(await index_of(TEXTS, Slow()), Within(("库",)))
    await asyncio.gather(searches.search("年假"), searches.search("差旅住宿"))
    assert [item.document for item in searches.bundle.items] == ["a.md", "b.md"]


async def test_nothing_found_is_told_as_such() -> None:
    searches = Searches(await index_of(TEXTS), Within(("库",)))
    result = await called(searches, query="zzz")
    assert (result.status, searches.bundle.state) == ("empty", "empty")


async def test_what_looks_like_a_label_or_a_secret_is_neither() -> None:
    forged = {"库": {"a.md": f"年假见[E9]和【E8】，密钥 {SECRET}。"}}
    result = await called(Searches(await index_of(forged), Within(("库",))), query="年假")
    assert SECRET not in result.text
    assert "\\[E9]" in result.text
    assert "\\【E8】" in result.text


@pytest.mark.parametrize("error", [KnowledgeBaseError("no base 库"), StorageError("disk gone")])
async def test_a_search_that_fails_is_told_and_leaves_the_bundle_partial(error: Exception) -> None:
    class Failing(MemoryIndex):
        async def search(self, question: Question) -> Found:
            if "差旅" in question.text:
                raise error
            return await super().search(question)

    searches = Searches(await index_of(TEXTS, Failing()), Within(("库",)))
    assert (await called(searches, query="差旅")).status == "failed"
    assert searches.bundle.state == "error"
    await called(searches, query="年假")
    assert searches.bundle.state == "partial"
    assert str(error) in searches.bundle.failures[0]


async def test_an_embedder_that_does_not_answer_leaves_the_search_by_words_and_is_noted() -> None:
    class Down:
        name = "down"

        async def embed(self, texts: object, kind: str) -> object:
            raise ModelUnavailableError("no answer")

    searches = Searches(await index_of(TEXTS), Within(("库",)), Down())  # type: ignore[arg-type]
    assert (await searches.search("年假"))[0].document == "a.md"


async def test_items_of_a_comparison_know_their_target() -> None:
    searches = Searches(await index_of(TEXTS), Within(("库",)), targets=("年假", "差旅"))
    await searches.search("年假 天数")
    await searches.search("差旅 上限")
    assert [item.document for item in searches.bundle.of_target("差旅")] == ["b.md"]


async def test_a_reranker_reads_what_was_found_and_its_order_counts() -> None:
    class Backwards:
        name = "backwards"

        async def rerank(self, query: str, texts: Sequence[str], top: int) -> list[tuple[int, float]]:
            return [(place, float(place)) for place in reversed(range(len(texts)))][:top]

    kept = await index_of(TEXTS)
    plain = await Searches(kept, Within(("库",))).search("年假 差旅住宿")
    read = await Searches(kept, Within(("库",)), reranker=Backwards()).search("年假 差旅住宿")
    assert [item.document for item in read] == [item.document for item in reversed(plain)]


async def test_a_reranker_orders_what_is_found_and_one_that_fails_is_noted() -> None:
    index = await index_of(TEXTS)
    query = "差旅住宿 年假"
    reader = LexicalReranker()
    searches = Searches(index, Within(("库",)), reranker=reader)
    await searches.search(query)
    assert [asked for asked, _ in reader.asked] == [query]
    assert searches.notes == []
    plain, silent = Searches(index, Within(("库",))), LexicalReranker(fails=ModelUnavailableError("busy"))
    failing = Searches(index, Within(("库",)), reranker=silent)
    assert await failing.search(query) == await plain.search(query)
    assert failing.notes == ["rerank: lexical: busy"]
