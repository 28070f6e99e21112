"""The rule store: pieces of the book, and the way back from a module to its rules."""

import logging

import pytest

from kaozheng.errors import CredentialsError, ModelUnavailableError
from kaozheng.rules.book import parse_book
from kaozheng.rules.retrieval import OVERLAP, SIZE, RuleStore, chunks
from kaozheng.rules.rule import Module
from kaozheng.testing.memory_vectors import HashedEmbedder, MemoryVectors

BOOK = """---
title: 元数据
---
# 团队规范

适用于全部文档。

<!-- 1.9 注释里的不是规则 -->

## 排版与符号 {#typography_and_symbols}

### 空格

- 1.1 汉字与拉丁字母之间留一个空格。

```bad
使用GitHub登录
## 不是标题
```

- 1.2 数字与单位之间留空格。

### 标点

- 1.3 中文里用全角标点。

## 内容风格 {#content_style}

- 2.1 不用空话。
- 2.2 句子不超过一百个字。
"""


def book(text=BOOK, name="team"):
    return parse_book(text, name)


def many_rules(modules, rules, words=""):
    parts = ["# 大书"]
    for m in range(1, modules + 1):
        parts.append(f"## 模块{m:03d}")
        parts += [f"- {m}.{n} 第 {m} 组的第 {n} 条规则。{words}\n" for n in range(1, rules + 1)]
    return book("\n".join(parts), "big")


def test_pieces_are_cut_at_headings_and_say_where_they_belong():
    found = [(chunk.text.split("\n")[0], chunk.numbers) for chunk in chunks(book())]
    assert found == [
        ("适用于全部文档。", ()),
        ("【所属章节：排版与符号 > 空格】", ("1.1", "1.2")),
        ("【所属章节：排版与符号 > 标点】", ("1.3",)),
        ("【所属章节：内容风格】", ("2.1", "2.2")),
    ]


def test_examples_are_kept_and_comments_and_front_matter_are_not():
    text = "\n".join(chunk.text for chunk in chunks(book()))
    assert "## 不是标题" in text
    assert "注释" not in text
    assert "title: 元数据" not in text


def test_settings_of_checks_are_not_words_for_a_reader():
    text = BOOK + '\n```check\nname = "sentence-length"\n```\n\n- 2.3 最后一条。\n'
    bare = BOOK.replace("- 2.2", "- 2.2") + "\n- 2.3 最后一条。\n"
    # The book with the binding may name a check that is not shipped; cutting needs only the text and the lines.
    bound = book(bare).__class__(**{**_fields(book(bare)), "text": text})
    assert "sentence-length" not in "".join(chunk.text for chunk in chunks(bound))
    assert "最后一条" in chunks(bound)[-1].text


def _fields(found):
    return {name: getattr(found, name) for name in ("name", "title", "language", "modules", "text", "sha256")}


def test_long_sections_are_cut_to_five_hundred_without_the_prefix_and_overlap():
    found = chunks(many_rules(1, 40, "后面还有很长的解释文字用来占地方，" * 3))
    bodies = [chunk.text.split("\n", 1)[1] for chunk in found]
    assert len(found) > 3
    assert max(map(len, bodies)) <= SIZE
    assert all(chunk.text.startswith("【所属章节：模块001】\n") for chunk in found)
    assert {number for chunk in found for number in chunk.numbers} == {f"1.{n}" for n in range(1, 41)}
    assert OVERLAP < SIZE / 2


def test_a_rule_longer_than_a_piece_gives_its_number_to_each():
    found = chunks(book("## 甲\n\n- 1.1 " + "很长的规则，" * 200 + "\n- 1.2 短。\n"))
    assert [chunk.numbers for chunk in found[:-1]] == [("1.1",)] * (len(found) - 1)
    assert found[-1].numbers == ("1.1", "1.2")


@pytest.mark.parametrize("embedder", [None, HashedEmbedder()], ids=["words", "vectors"])
async def test_a_module_gets_all_its_rules_and_no_others(embedder):
    store = RuleStore(book(), MemoryVectors(), embedder)
    for key, numbers in (("typography_and_symbols", ("1.1", "1.2", "1.3")), ("content_style", ("2.1", "2.2"))):
        found = await store.retrieve(book().module(key))
        assert (found.numbers, found.fallback) == (numbers, False)


async def test_all_pieces_that_name_the_module_are_kept_not_only_three():
    big = many_rules(3, 60, "补充说明文字在这里。" * 3)
    found = await RuleStore(big, MemoryVectors()).retrieve(big.modules[1])
    assert len(found.chunks) > 3
    assert found.numbers == tuple(f"2.{n}" for n in range(1, 61))


async def test_only_the_fifty_nearest_are_candidates():
    big = many_rules(120, 1)
    for module in (big.modules[0], big.modules[119]):
        assert (await RuleStore(big, MemoryVectors()).retrieve(module)).numbers == (module.rules[0].number,)


async def test_top_three_only_when_nothing_names_the_module(caplog):
    module = Module("new", "单位与数字的写法", ())
    with caplog.at_level(logging.WARNING):
        found = await RuleStore(book(), MemoryVectors()).retrieve(module)
    assert found.fallback
    assert len(found.chunks) == 3
    assert "1.2" in found.chunks[0].numbers
    assert "单位与数字的写法" in caplog.text


async def test_query_is_the_sentence_of_the_book_language():
    embedder = HashedEmbedder()
    await RuleStore(book(), MemoryVectors(), embedder).retrieve(book().module("content_style"))
    assert embedder.embedded[-1] == "这是关于【内容风格】模块的排版规范与审查规则"


async def test_nothing_happens_before_the_first_question_and_embedding_only_once():
    shelf, embedder = MemoryVectors(), HashedEmbedder()
    store = RuleStore(book(), shelf, embedder)
    assert not shelf.loads
    assert not embedder.embedded
    for module in book().modules * 2:
        await store.retrieve(module)
    assert len(shelf.saves) == 1
    assert len(embedder.embedded) == len(chunks(book())) + 4


async def test_a_second_store_takes_the_vectors_from_the_shelf():
    shelf, first, second = MemoryVectors(), HashedEmbedder(), HashedEmbedder()
    assert not (await RuleStore(book(), shelf, first).build()).reused
    built = await RuleStore(book(), shelf, second).build()
    assert built.reused
    assert built.path == shelf.where(shelf.saves[0])
    assert not second.embedded


@pytest.mark.parametrize(
    ("text", "embedder"),
    [(BOOK + "- 2.3 新的一条。\n", HashedEmbedder()), (BOOK, HashedEmbedder("other")), (BOOK, None)],
)
async def test_another_book_or_embedder_is_noticed(text, embedder):
    shelf = MemoryVectors()
    await RuleStore(book(), shelf, HashedEmbedder()).build()
    assert not (await RuleStore(book(text), shelf, embedder).build()).reused
    assert len(shelf.kept) == 2


async def test_force_builds_anew():
    shelf, embedder = MemoryVectors(), HashedEmbedder()
    store = RuleStore(book(), shelf, embedder)
    await store.build()
    assert not (await store.build(force=True)).reused
    assert len(embedder.embedded) == 2 * len(chunks(book()))


class Silent(HashedEmbedder):
    """An embedder that fails with the given error."""

    def __init__(self, error):
        super().__init__("silent")
        self._error = error

    async def embed(self, texts, kind):
        raise self._error


async def test_words_rank_when_the_embedder_does_not_answer(caplog):
    shelf = MemoryVectors()
    with caplog.at_level(logging.WARNING):
        found = await RuleStore(book(), shelf, Silent(ModelUnavailableError("time-out"))).retrieve(book().modules[0])
    assert (found.ranked_by, found.numbers) == ("words", ("1.1", "1.2", "1.3"))
    assert not shelf.saves
    assert "time-out" in caplog.text


async def test_a_wrong_key_is_said_and_not_worked_around():
    with pytest.raises(CredentialsError):
        await RuleStore(book(), MemoryVectors(), Silent(CredentialsError("no"))).retrieve(book().modules[0])


async def test_text_for_a_prompt_lists_the_pieces():
    found = await RuleStore(book(), MemoryVectors()).retrieve(book().module("content_style"))
    assert found.text == "- 【所属章节：内容风格】\n- 2.1 不用空话。\n- 2.2 句子不超过一百个字。"
