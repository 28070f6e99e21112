"""Cuts for finding: none crosses a heading, none is too long, no word is lost, and a row knows its table's head."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.sources.cuts import LONGEST, cuts_of
from kaozheng.sources.source import Source


def cuts(text, path="notes.md", **more):
    source = Source.of(text, path=path)
    return [(one.path, source.text[one.span.start : one.span.end], one.head) for one in cuts_of(source, **more)]


def test_a_short_section_is_one_cut_with_its_headings():
    assert cuts("# 甲\n\n## 乙\n\n第一段。\n\n- 一\n- 二\n\n## 丙\n\n第二段。\n") == [
        (("甲", "乙"), "第一段。\n\n- 一\n- 二", ""),
        (("甲", "丙"), "第二段。", ""),
    ]


def test_chinese_numbers_are_headings_where_no_others_are():
    text = "一、总体要求\n\n坚持以人民为中心。\n\n（一）目标\n\n到 2025 年基本建成。\n\n二、主要任务\n\n抓好落实。\n"
    assert [path for path, _, _ in cuts(text, path="a.txt")] == [
        ("一、总体要求",),
        ("一、总体要求", "（一）目标"),
        ("二、主要任务",),
    ]


def test_long_prose_is_cut_at_sentences_and_repeats_some():
    text = "# 甲\n\n" + "".join(f"这是第{n:03d}句话，它说的是一件事情。" for n in range(200))
    found = [one for _, one, _ in cuts(text)]
    assert max(map(len, found)) <= 500
    assert all(one.endswith("。") for one in found)
    assert all(set(re.findall(r"\d{3}", one)) & set(re.findall(r"\d{3}", two)) for one, two in pairwise(found))


def table(rows):
    return "| 地区 | 数值 |\n| --- | --- |\n" + "".join(f"| 第{n:04d}县 | {n * 1.5} |\n" for n in range(rows))


def test_a_table_stays_whole_with_its_caption():
    text = f"# 甲\n\n前面的话。\n\n单位：亿元\n\n{table(30)}\n后面的话。\n"
    assert [one for _, one, _ in cuts(text)] == ["前面的话。", f"单位：亿元\n\n{table(30)}".strip(), "后面的话。"]


def test_a_long_table_is_cut_between_rows_and_each_part_knows_the_head():
    found = cuts(f"# 甲\n\n单位：亿元\n\n{table(400)}")
    assert len(found) > 4
    assert found[0][1].startswith("单位：亿元\n\n| 地区 |")
    assert {head for _, _, head in found[1:]} == {"单位：亿元\n\n| 地区 | 数值 |\n| --- | --- |"}
    assert all(one.startswith("| ") and one.endswith(" |") for _, one, _ in found[1:])
    assert sum(len(re.findall(r"第\d{4}县", one)) for _, one, _ in found) == 400
    assert all(len(one) + len(head) <= LONGEST for _, one, head in found)


def test_the_context_names_document_headings_and_topic_in_a_hundred_characters():
    source = Source.of("# 年报\n\n## 经济\n\n### 工业\n\n增长 5%。\n", path="a.md")
    assert cuts_of(source, topic="县域")[0].context == "年报 > 经济 > 工业 > 县域"
    long = Source.of(f"# {'长' * 90}\n\n## {'远' * 60}\n\n### 工业\n\n增长 5%。\n", path="a.md")
    context = cuts_of(long, topic="县域")[0].context
    assert len(context) <= 100
    assert context.endswith("工业 > 县域")


@pytest.mark.parametrize("overlap", [-1, 250])
def test_an_overlap_that_is_no_overlap_is_refused(overlap):
    with pytest.raises(ValueError, match="overlap"):
        cuts("# 甲\n\n正文。\n", overlap=overlap)


_WORDS = st.sampled_from(["一句话。", "Some words. ", "无标点的长文字", "x"])
_BLOCK = st.one_of(
    st.builds(lambda n, words: f"{'#' * n} {words}", st.integers(1, 4), st.sampled_from(["甲", "Plan", "附表"])),
    st.builds(lambda words, n: words * n, _WORDS, st.integers(1, 900)),
    st.builds(lambda n, w: "| a | b |\n|---|---|\n" + f"| {'w' * w} |\n" * n, st.integers(1, 60), st.integers(1, 1700)),
    st.builds(lambda n: "```\n" + "code line\n" * n + "```", st.integers(1, 400)),
    st.builds(lambda n: "- item words\n" * n, st.integers(1, 80)),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(_BLOCK, min_size=1, max_size=6))
def test_no_cut_is_too_long_and_no_word_is_lost(blocks):
    source = Source.of("\n\n".join(blocks) + "\n", path="a.md")
    found = cuts_of(source)
    covered = bytearray(len(source.text))
    for one in found:
        assert 0 < len(one.span) <= LONGEST
        assert len(one.span) + len(one.head) <= LONGEST
        covered[one.span.start : one.span.end] = b"\x01" * len(one.span)
    headings = {match.start() for match in re.finditer(r"^#{1,4} .*$", source.text, re.MULTILINE)}
    lost = [at for at, char in enumerate(source.text) if char.isalnum() and not covered[at]]
    starts = {source.text.rfind("\n", 0, at) + 1 for at in lost}
    assert starts <= headings
