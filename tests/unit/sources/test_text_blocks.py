"""Blocks of a text: each passage is in one, chapters are borders, and nothing small makes a call of its own."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source
from kaozheng.sources.text_blocks import BLOCK_TOKENS, cut_blocks, finely_cut

HAN = "城市更新计划由区政府组织实施，资金来自专项债券。"  # 24 characters


def material(*texts, suffix=".md"):
    sources = [Source.of(text, f"{number}{suffix}", f"S{number}") for number, text in enumerate(texts, start=1)]
    return build_material(Reading(sources, []))


def paragraphs(count, sentences=1):
    return "\n\n".join(f"第 {number} 段。" + HAN * sentences for number in range(count))


def ids(blocks):
    return [passage for block in blocks for passage in block.passages]


TEXTS = st.lists(
    st.tuples(st.sampled_from(["", "# ", "## ", "### ", "- ", "```\n"]), st.integers(1, 60)), min_size=1, max_size=25
).map(
    lambda parts: "\n\n".join(f"{sign}第 {size} 项{HAN * (size if sign in ('', '- ') else 1)}" for sign, size in parts)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.none() | st.integers(1, 3000))
def test_every_passage_is_in_one_block_in_order_and_only_a_lone_passage_is_too_large(texts, most):
    given_material = material(*texts)
    blocks = cut_blocks(given_material, most)
    assert ids(blocks) == [passage.id for passage in given_material.passages]
    assert [block.id for block in blocks] == [f"B{number}" for number in range(1, len(blocks) + 1)]
    for block in blocks:
        held = [given_material.passage(id) for id in block.passages]
        assert block.tokens == sum(estimate_tokens(passage.text) for passage in held)
        assert all(passage.path[: len(block.path)] == block.path for passage in held)
        assert {passage.source for passage in held} == {block.source} or block.source == ""
        if most is not None:
            assert block.tokens <= most or len(held) == 1


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_a_short_text_of_two_passages_has_two_to_ten_blocks(text):
    given_material = material(text)
    tokens = sum(estimate_tokens(passage.text) for passage in given_material.passages)
    if len(given_material.passages) >= 2 and tokens <= 16_000:
        assert 2 <= len(cut_blocks(given_material)) <= 10


@pytest.mark.parametrize("text", ["一。\n\n二。", paragraphs(5), paragraphs(15, 8), paragraphs(400)])
def test_paragraphs_alone_are_two_to_ten_blocks(text):
    assert 2 <= len(cut_blocks(material(text))) <= 10


def test_a_long_text_has_even_blocks_of_about_the_usual_size():
    blocks = cut_blocks(material(paragraphs(2000)))
    sizes = [block.tokens for block in blocks]
    assert max(sizes) <= BLOCK_TOKENS
    assert min(sizes) > 0.9 * BLOCK_TOKENS


def test_chapters_are_borders_where_none_is_small():
    text = "\n\n".join(f"## 第{number}章\n\n{paragraphs(60)}" for number in "一二三四五六七八九十")
    blocks = cut_blocks(material(text))
    assert [block.path for block in blocks] == [(f"第{number}章",) for number in "一二三四五六七八九十"]


def test_chapters_of_a_plain_text_are_borders_too():
    text = "\n\n".join(f"第{number}章 往事\n\n{paragraphs(90)}" for number in "一二三四五六七八九十")
    paths = {block.path for block in cut_blocks(material(text, suffix=".txt"))}
    assert paths == {(f"第{number}章 往事",) for number in "一二三四五六七八九十"}


def test_small_chapters_go_together_within_their_part_and_not_with_those_of_another():
    part = "\n\n".join(f"## 第 {number} 章\n\n{paragraphs(12)}" for number in range(1, 31))
    blocks = cut_blocks(material("\n\n".join(f"# {name}\n\n{part}" for name in ("上部", "下部"))))
    assert {block.path for block in blocks} == {("上部",), ("下部",)}
    assert len(blocks) < 20


def test_a_small_chapter_between_large_ones_stays_by_itself():
    large = paragraphs(150)
    text = f"# 甲\n\n{large}\n\n# 乙\n\n一句话。\n\n# 丙\n\n{large}"
    assert [block.path for block in cut_blocks(material(text), 2000)] == [
        *[("甲",)] * 2,
        ("乙",),
        *[("丙",)] * 2,
    ]


def test_a_chapter_of_more_than_half_a_block_shares_none_but_a_section_of_it_may():
    def text(sign):
        return f"{sign} 甲\n\n{paragraphs(45)}\n\n{sign} 乙\n\n{paragraphs(25)}"

    assert [block.path for block in cut_blocks(material(text("##")), 2000)] == [("甲",), ("乙",)]
    inside = material(f"# 全\n\n## 章\n\n{text('###')}\n\n### 丙\n\n{paragraphs(70)}")
    assert [block.path for block in cut_blocks(inside, 2000)] == [("全", "章"), ("全", "章", "丙")]


def test_a_signature_goes_with_what_it_stands_under_and_a_line_above_a_chapter_does_not():
    text = f"# 报告\n\n各位代表：\n\n## 经过\n\n{paragraphs(6, 9)}\n\n## 建议\n\n{HAN * 22}\n\n调查组\n"
    blocks = cut_blocks(material(text))
    assert (blocks[0].path, len(blocks[0].passages)) == (("报告",), 1)
    assert blocks[1].path == ("报告", "经过")
    assert (blocks[-1].path, len(blocks[-1].passages)) == (("报告", "建议"), 2)


def test_three_hundred_notes_of_a_line_are_few_blocks_of_no_single_source():
    blocks = cut_blocks(material(*[f"第 {number} 次会议：{HAN}" for number in range(300)]))
    assert 2 <= len(blocks) <= 10
    assert {(block.source, block.path) for block in blocks} == {("", ())}


def test_a_large_source_shares_no_block_with_the_tiny_ones_around_it():
    blocks = cut_blocks(material(HAN, HAN, paragraphs(2000), HAN))
    assert [block.source for block in blocks if block.source != "S3"] == ["", "S4"]
    assert blocks[0].passages == ("S1:1", "S2:1")


def test_one_paragraph_becomes_its_sentences_and_each_stands_at_its_place():
    text = "# 更新\n\n区政府说：“资金到位。”项目 3.14 版\n于 5 月开工！《城市》一书有记载……GPT-4.5 是模型。\n"
    fine = finely_cut(material(text))
    told = [passage.text for passage in fine.passages]
    assert len(told) >= 3
    assert "".join(told).replace("\n", "") == text.removeprefix("# 更新\n\n").replace("\n", "")
    lines = text.split("\n")
    for passage in fine.passages:
        assert fine.source("S1").text[passage.span.start : passage.span.end] == passage.text
        assert passage.text.split("\n")[0] in lines[passage.lines.start - 1]
        assert passage.text.split("\n")[-1] in lines[passage.lines.end - 1]
        assert fine.passage(passage.id) is passage
        assert passage.path == ("更新",)
    blocks = cut_blocks(fine)
    assert 2 <= len(blocks) <= 10
    assert ids(blocks) == [passage.id for passage in fine.passages]
    assert type(fine).from_json(fine.to_json()).passages == fine.passages


def test_a_lone_list_becomes_its_lines_and_a_lone_table_stays_whole():
    items = finely_cut(material("- 甲\n- 乙\n- 丙\n")).passages
    assert [(passage.id, passage.text, passage.lines.start) for passage in items] == [
        ("S1:1", "- 甲", 1),
        ("S1:2", "- 乙", 2),
        ("S1:3", "- 丙", 3),
    ]
    table = material("| 年 | 值 |\n|---|---|\n| 2024 | 1 |\n| 2025 | 2 |\n")
    assert len(finely_cut(table).passages) == 1


def test_a_material_of_two_passages_is_left_as_it_is():
    whole = material("一。二。\n\n三。四。")
    assert finely_cut(whole) is whole


def test_english_words_count_a_quarter_of_a_token_a_character():
    text = "\n\n".join("The council decided to fund the bridge in May. " * 5 for _ in range(300))
    sizes = [block.tokens for block in cut_blocks(material(text))]
    assert all(0.8 * BLOCK_TOKENS < size <= BLOCK_TOKENS for size in sizes)


def test_no_material_has_no_block_and_a_size_of_nothing_is_refused():
    assert cut_blocks(material()) == []
    with pytest.raises(ValueError, match="above 0"):
        cut_blocks(material(HAN), 0)


def test_no_two_neighbouring_small_chapters_are_left_apart():
    text = "\n\n".join(f"# 第 {number} 章\n\n{paragraphs(20)}" for number in range(60))
    blocks = cut_blocks(material(text))
    assert all(left.tokens + right.tokens > BLOCK_TOKENS for left, right in pairwise(blocks))
