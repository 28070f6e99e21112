"""What every Index promises."""

import hashlib
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np
import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import KnowledgeBaseError, ModelUnavailableError
from kaozheng.providers.indexes.opening import open_bases
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.asking import question_of
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.fusion import Fusing
from kaozheng.sources.index import BaseStats, Embedded, Entry, Labels, Question, Stored, Within
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.testing.memory_vectors import HashedEmbedder

ANALYSER = Analyser()  # its dictionary takes a moment


@asynccontextmanager
async def _memory():
    yield MemoryIndex(ANALYSER)


def opened(kind, request):
    if kind == "memory":
        return _memory()
    if kind == "sqlite":
        return open_bases(request.getfixturevalue("tmp_path") / "knowledge.db", ANALYSER)
    return open_bases(request.getfixturevalue("postgres"), ANALYSER)


@pytest.fixture(params=["sqlite", "postgres", "memory"])
async def index(request):
    async with opened(request.param, request) as index:
        yield index


def entry(name="a.md", text="", base="kb", **labels):
    return Entry(base, name, hashlib.sha256((name + text).encode()).hexdigest(), f"《{name}》", Labels(**labels))


def cut(name, *texts, prefix=""):
    chunks, at = [], 0
    for ordinal, text in enumerate(texts, start=1):
        place = Span(at, at + len(text))
        lines = LineRange(ordinal, ordinal)
        chunks.append(Chunk(chunk_id(name, ("章",), ordinal, text), name, ("章",), ordinal, place, lines, text, prefix))
        at += len(text) + 1
    return chunks


async def add(index, name, *texts, base="kb", **labels):
    return await index.put(entry(name, "".join(texts), base, **labels), cut(name, *texts))


def ask(text, *bases, limit=5, **more):
    fields = {key: more.pop(key) for key in ("domain", "data_type", "data_period", "level") if key in more}
    return Question(text, Within(bases or ("kb",), **fields), limit=limit, **more)


async def names(index, question):
    return [hit.entry.name for hit in (await index.search(question)).hits]


async def embedded_put(index, embedder, name, *texts, base="kb", **labels):
    chunks = cut(name, *texts)
    vectors = await embedder.embed([chunk.searched for chunk in chunks], "passage")
    return await index.put(entry(name, "".join(texts), base, **labels), chunks, Embedded(embedder.name, vectors))


async def test_what_was_put_comes_back_as_it_was(index):
    chunks = cut("a.md", "县图书馆有 105 人。", "第二段", prefix="年报 > 章")
    assert await index.put(entry(domain="民生", level="县级"), chunks) == Stored("added", 2)
    assert await index.entry("kb", "a.md") == entry(domain="民生", level="县级")
    assert list(await index.chunks("kb", "a.md")) == chunks
    assert await index.entries("kb") == [entry(domain="民生", level="县级")]
    assert await index.bases() == [BaseStats("kb", 1, 2, "")]
    (hit,) = (await index.search(ask("图书馆"))).hits
    assert (hit.entry, hit.chunk) == (entry(domain="民生", level="县级"), chunks[0])


async def test_document_with_two_readings_of_han_text_is_found_by_both(index):
    await add(index, "a.md", "精排服务使用的是哪个模型")
    await add(index, "b.md", "向量库放在对象存储")
    found = await index.search(ask("精排 模型"))
    assert [hit.entry.name for hit in found.hits] == ["a.md"]
    assert {leg.name: len(leg.hits) for leg in found.legs} == {"words": 1, "pairs": 1}
    assert set(found.hits[0].legs) == {"words", "pairs"}


async def test_prefix_is_searched_and_is_no_part_of_the_text(index):
    await index.put(entry(), cut("a.md", "共 105 人。", prefix="县图书馆年报"))
    (hit,) = (await index.search(ask("图书馆年报"))).hits
    assert hit.chunk.text == "共 105 人。"


async def test_same_document_again_is_no_write(index):
    await add(index, "a.md", "一", "二")
    assert await add(index, "a.md", "一", "二") == Stored("unchanged", 2)


async def test_new_labels_alone_replace_the_document(index):
    await add(index, "a.md", "粮食产量", level="县级")
    assert (await add(index, "a.md", "粮食产量", level="省级")).outcome == "replaced"
    assert await names(index, ask("粮食", level=("县级",))) == []
    assert await names(index, ask("粮食", level=("省级",))) == ["a.md"]


async def test_replaced_text_is_not_found_any_more(index):
    await add(index, "a.md", "水稻种植面积")
    assert await add(index, "a.md", "小麦收购价格", "玉米") == Stored("replaced", 2)
    assert await names(index, ask("水稻种植")) == []
    assert await names(index, ask("小麦收购")) == ["a.md"]
    assert await index.bases() == [BaseStats("kb", 1, 2, "")]


async def test_deleted_document_is_found_by_no_leg(index):
    embedder = HashedEmbedder()
    await embedded_put(index, embedder, "a.md", "水稻种植面积")
    await embedded_put(index, embedder, "b.md", "小麦收购价格")
    assert await index.delete("kb", "a.md")
    assert not await index.delete("kb", "a.md")
    found = await index.search(await question_of("水稻种植面积", Within(("kb",)), embedder))
    assert {hit.entry.name for hit in found.hits} == {"b.md"}
    assert await index.entry("kb", "a.md") is None
    assert list(await index.chunks("kb", "a.md")) == []


async def test_content_that_is_there_under_another_name_is_not_stored_twice(index):
    first = Entry("kb", "a.md", "0" * 64)
    assert await index.put(first, cut("a.md", "同一份")) == Stored("added", 1)
    assert await index.put(replace(first, name="b.md"), cut("b.md", "同一份")) == Stored("twin", 0, "a.md")
    assert await names(index, ask("同一份")) == ["a.md"]
    labelled = replace(first, name="b.md", labels=Labels(level="县级"))
    assert (await index.put(labelled, cut("b.md", "同一份"))).outcome == "added"


async def test_document_that_became_a_twin_leaves_its_old_text(index):
    await add(index, "b.md", "旧的内容")
    await index.put(Entry("kb", "a.md", "0" * 64), cut("a.md", "同一份"))
    assert (await index.put(Entry("kb", "b.md", "0" * 64), cut("b.md", "同一份"))).outcome == "twin"
    assert await names(index, ask("旧的内容")) == []


async def test_same_content_in_two_bases_is_in_both(index):
    await add(index, "a.md", "同一份", base="one")
    await add(index, "a.md", "同一份", base="two")
    assert [hit.entry.base for hit in (await index.search(ask("同一份", "two"))).hits] == ["two"]
    assert {hit.entry.base for hit in (await index.search(ask("同一份", "one", "two"))).hits} == {"one", "two"}


async def test_dropped_base_is_gone_and_the_other_stays(index):
    await add(index, "a.md", "水稻", base="one")
    await add(index, "a.md", "水稻", base="two")
    assert await index.drop("one")
    assert not await index.drop("one")
    assert [base.name for base in await index.bases()] == ["two"]
    with pytest.raises(KnowledgeBaseError, match="'one'"):
        await index.search(ask("水稻", "one"))
    with pytest.raises(KnowledgeBaseError, match="'one'"):
        await index.entries("one")


@pytest.mark.parametrize("field", ["domain", "data_type", "data_period", "level"])
async def test_each_field_is_a_hard_filter(index, field):
    await add(index, "a.md", "粮食产量", **{field: "甲"})
    await add(index, "b.md", "粮食产量 粮食产量", **{field: "乙"})
    await add(index, "c.md", "粮食产量。")
    assert await names(index, ask("粮食产量", **{field: ("甲",)})) == ["a.md"]
    assert set(await names(index, ask("粮食产量", **{field: ("甲", "乙")}))) == {"a.md", "b.md"}
    assert len(await names(index, ask("粮食产量"))) == 3


async def test_filtered_out_documents_take_no_candidates_place(index):
    for number in range(12):
        await add(index, f"{number}.md", f"粮食产量 {number}", level="省级")
    await add(index, "last.md", "粮食 以及许多别的话 " * 30, level="县级")
    assert await names(index, ask("粮食产量", level=("县级",), candidates=3)) == ["last.md"]


async def test_filter_holds_for_vectors_too(index):
    embedder = HashedEmbedder()
    await embedded_put(index, embedder, "a.md", "水稻种植面积", level="省级")
    await embedded_put(index, embedder, "b.md", "完全无关的话", level="县级")
    found = await index.search(await question_of("水稻种植面积", Within(("kb",), level=("县级",)), embedder))
    assert [hit.entry.name for hit in found.hits] == ["b.md"]


@pytest.mark.parametrize(
    "written", ["〔2023〕15号", "[2023]15号", "（2023）015 号", "【2023】第15号", "﹝2023﹞ 15号", "〔2023〕15"]
)
async def test_exact_document_number_goes_first_in_every_bracket_form(index, written):
    await add(index, "right.md", "另见川发改〔2023〕15号，此处不再重复其内容。")
    await add(index, "near.md", "川发改〔2023〕16号 川发改 发改 2023 15号 川发改〔2022〕15号")
    await add(index, "other.md", "根据内发改〔2023〕15号")
    hits = (await index.search(ask(f"根据川发改{written}的规定"))).hits
    assert (hits[0].entry.name, hits[0].exact) == ("right.md", True)
    assert [hit.exact for hit in hits[1:]] == [False] * (len(hits) - 1)


async def test_agency_without_its_province_finds_all_where_none_is_named_so(index):
    await add(index, "a.md", "川发改〔2023〕15号")
    assert [hit.exact for hit in (await index.search(ask("发改〔2023〕15号"))).hits] == [True]
    await add(index, "b.md", "发改〔2023〕15号")
    best, second = (await index.search(ask("发改〔2023〕15号"))).hits
    assert (best.entry.name, best.exact, second.exact) == ("b.md", True, False)


async def test_second_number_of_a_row_is_an_exact_number_of_the_same_agency(index):
    await add(index, "right.md", "依照财税〔2016〕36号、〔2017〕5号执行")
    await add(index, "near.md", "财税〔2016〕5号 国税发〔2017〕5号")
    hits = (await index.search(ask("财税〔2017〕5号"))).hits
    assert (hits[0].entry.name, hits[0].exact) == ("right.md", True)


async def test_embedded_base_answers_with_both_kinds_of_legs(index):
    embedder = HashedEmbedder()
    await embedded_put(index, embedder, "a.md", "水稻种植面积", "无关的话")
    await embedded_put(index, embedder, "b.md", "小麦收购价格")
    found = await index.search(await question_of("水稻面积", Within(("kb",)), embedder))
    assert found.hits[0].entry.name == "a.md"
    assert set(found.hits[0].legs) == {"words", "pairs", "dense"}
    assert found.refused == {}
    dense = found.legs[-1]
    assert (dense.name, len(dense.hits)) == ("dense", 3)
    assert (await index.bases())[0].embedder == "hashed"


async def test_unchanged_chunks_give_their_vectors_back(index):
    embedder = HashedEmbedder()
    await embedded_put(index, embedder, "a.md", "水稻种植面积", "小麦收购价格")
    kept = await index.vectors("kb", "a.md", "hashed")
    assert list(kept) == ["水稻种植面积", "小麦收购价格"]
    for text, vector in kept.items():
        assert np.array_equal(vector, (await embedder.embed([text], "passage"))[0])
    await embedded_put(index, embedder, "a.md", "玉米", "小麦收购价格")
    assert list(await index.vectors("kb", "a.md", "hashed")) == ["玉米", "小麦收购价格"]


async def test_vectors_are_kept_by_what_was_embedded_prefix_included(index):
    chunks = cut("a.md", "共 105 人。", prefix="旧题")
    vectors = await HashedEmbedder().embed([chunks[0].searched], "passage")
    await index.put(entry(), chunks, Embedded("hashed", vectors))
    assert list(await index.vectors("kb", "a.md", "hashed")) == ["旧题\n共 105 人。"]


async def test_vectors_of_another_embedder_or_document_are_not_given(index):
    await index.put(entry("empty.md"), [])
    await embedded_put(index, HashedEmbedder(), "a.md", "水稻")
    await embedded_put(index, HashedEmbedder(), "a.md", "水稻", base="other")
    await add(index, "words.md", "水稻", base="words")
    await index.delete("other", "a.md")
    for base, name, embedder in (
        ("kb", "a.md", "other"), ("kb", "b.md", "hashed"), ("none", "a.md", "hashed"),
        ("other", "a.md", "hashed"), ("words", "words.md", "hashed"), ("kb", "empty.md", "hashed"),
    ):  # fmt: skip
        assert not await index.vectors(base, name, embedder)


async def test_question_without_a_vector_says_so(index):
    await embedded_put(index, HashedEmbedder(), "a.md", "水稻")
    refused = (await index.search(ask("水稻"))).refused
    assert set(refused) == {"dense"}
    assert "KAOZHENG_EMBEDDER" in refused["dense"]


async def test_embedder_that_does_not_answer_leaves_the_words_and_the_reason(index):
    class Silent(HashedEmbedder):
        async def embed(self, texts, kind):
            raise ModelUnavailableError("overloaded")

    await embedded_put(index, HashedEmbedder(), "a.md", "水稻")
    found = await index.search(await question_of("水稻", Within(("kb",)), Silent()))
    assert [hit.entry.name for hit in found.hits] == ["a.md"]
    assert "overloaded" in found.refused["dense"]


@pytest.mark.parametrize(
    "vector",
    [np.zeros((1, 256)), np.full((1, 256), np.nan), np.ones((1, 8)), np.ones((2, 256))],
    ids=["zero", "nan", "short", "two"],
)
async def test_broken_question_vector_is_refused_with_a_reason(index, vector):
    await embedded_put(index, HashedEmbedder(), "a.md", "水稻")
    found = await index.search(ask("水稻", embedded=Embedded("hashed", vector.astype(np.float32))))
    assert set(found.refused) == {"dense"}
    assert set(found.hits[0].legs) == {"words", "pairs"}


async def test_vector_of_another_embedder_is_refused(index):
    await embedded_put(index, HashedEmbedder("one"), "a.md", "水稻")
    found = await index.search(await question_of("水稻", Within(("kb",)), HashedEmbedder("two")))
    assert "one" in found.refused["dense"]
    assert "two" in found.refused["dense"]


async def test_bases_that_are_not_embedded_alike_are_searched_by_words_together(index):
    embedder = HashedEmbedder()
    await embedded_put(index, embedder, "a.md", "水稻", base="one")
    await add(index, "b.md", "水稻田", base="two")
    found = await index.search(await question_of("水稻", Within(("one", "two")), embedder))
    assert {hit.entry.name for hit in found.hits} == {"a.md", "b.md"}
    assert set(found.refused) == {"dense"}


async def test_base_keeps_to_its_embedder_until_it_is_empty(index):
    await embedded_put(index, HashedEmbedder("one"), "a.md", "水稻")
    for other in (HashedEmbedder("two"), HashedEmbedder("one", dimensions=8)):
        with pytest.raises(KnowledgeBaseError):
            await embedded_put(index, other, "b.md", "小麦")
    with pytest.raises(KnowledgeBaseError, match="one"):
        await add(index, "b.md", "小麦")
    await index.delete("kb", "a.md")
    assert (await embedded_put(index, HashedEmbedder("two"), "b.md", "小麦")).outcome == "added"
    assert (await index.bases())[0].embedder == "two"


async def test_empty_document_is_kept_beside_any(index):
    await index.put(entry("empty.md"), [])
    await embedded_put(index, HashedEmbedder(), "a.md", "水稻")
    await index.put(entry("none.md", "x"), [])
    assert await index.bases() == [BaseStats("kb", 3, 1, "hashed")]


@pytest.mark.parametrize("base", ["", "a/b", "../x", "_x", "a" * 65, "有 空"])
async def test_name_that_no_base_may_have(index, base):
    with pytest.raises(KnowledgeBaseError, match="no name for a base"):
        await add(index, "a.md", "水稻", base=base)


async def test_what_cannot_be_kept_is_refused(index):
    with pytest.raises(KnowledgeBaseError, match="must be text"):
        await index.put(entry("a.md"), cut("a.md", "half a pair \ud800"))
    with pytest.raises(KnowledgeBaseError, match="another document"):
        await index.put(entry("a.md"), cut("b.md", "水稻"))
    with pytest.raises(KnowledgeBaseError, match="no number"):
        await index.put(entry("a.md"), cut("a.md", "水稻"), Embedded("e", np.array([[np.nan]], dtype=np.float32)))
    with pytest.raises(KnowledgeBaseError, match="shape"):
        await index.put(entry("a.md"), cut("a.md", "水稻"), Embedded("e", np.ones((2, 4), dtype=np.float32)))
    assert await index.bases() == []


@pytest.mark.parametrize(
    "text",
    [
        "-" * 33,
        '"""',
        "(((",
        "a AND OR NOT b",
        "col:value*",
        "\0x",
        "🙂" * 40,
        " ",
        "",
        "NEAR(a b)",
        "^a",
        "\ud800",
        "'",
        "*",
    ],
)
async def test_question_of_signs_is_answered_or_not_but_never_an_error(index, text):
    await add(index, "a.md", "a b 水稻 col value x near '引号' NOT")
    found = await index.search(ask(text))
    assert len(found.hits) <= 1


async def test_question_as_long_as_a_book_is_answered_by_its_beginning(index):
    await add(index, "a.md", "水稻种植面积")
    await add(index, "b.md", "小麦")
    text = "水稻种植面积 " + " ".join(f"word{number}" for number in range(20_000))
    assert (await names(index, ask(text)))[0] == "a.md"


async def test_ranks_may_be_fused_instead_of_scores(index):
    await add(index, "a.md", "水稻种植")
    (hit,) = (await index.search(ask("水稻种植", fusing=Fusing("ranks")))).hits
    assert hit.score == pytest.approx(2 / 61)


async def test_idf_tells_which_terms_the_base_knows(index):
    for number in range(5):
        await add(index, f"{number}.md", f"水稻 {number}")
    idf = (await index.search(ask("水稻 恐龙 3"))).idf
    assert idf["恐龙"] == 0
    assert 0 < idf["水稻"] < idf["3"]


async def test_limit_and_ties_are_stable(index):
    for number in range(8):
        await add(index, f"{number}.md", "水稻")
    first = await names(index, ask("水稻", limit=3))
    assert len(first) == 3
    assert first == await names(index, ask("水稻", limit=3))
