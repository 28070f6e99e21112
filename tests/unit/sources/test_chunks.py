"""Chunks: each is the source's text at its span, short enough, and keeps its id while its own part stays as it is."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.span import Span
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.cuts import LONGEST
from kaozheng.sources.source import Definition, Place, Source


def chunks(text, path="notes.md", **more):
    return chunks_of(Source.of(text, path=path), **more)


def test_a_chunk_knows_its_document_headings_lines_and_number():
    found = chunks("# 年报\n\n## 经济\n\n增长 5%。\n\n## 民生\n\n平稳。\n", topic="县域")
    assert [(one.document, one.path, one.ordinal, str(one.lines), one.text, one.prefix) for one in found] == [
        ("notes.md", ("年报", "经济"), 1, "5", "增长 5%。", "年报 > 经济 > 县域"),
        ("notes.md", ("年报", "民生"), 1, "9", "平稳。", "年报 > 民生 > 县域"),
    ]


def test_later_rows_are_searched_with_the_head_of_their_table():
    rows = "".join(f"| 第{n:04d}县 | {n} |\n" for n in range(300))
    found = chunks(f"# 甲\n\n| 地区 | 数值 |\n| --- | --- |\n{rows}")
    assert len(found) > 2
    assert found[0].prefix == "甲"
    assert found[1].prefix == "甲\n| 地区 | 数值 |\n| --- | --- |"
    assert found[1].searched.startswith("甲\n| 地区 | 数值 |\n| --- | --- |\n| 第")
    assert [one.ordinal for one in found] == list(range(1, len(found) + 1))


def test_a_change_in_one_section_leaves_the_ids_of_the_others():
    before = chunks("# 甲\n\n## 一\n\n旧的。\n\n## 二\n\n不变。\n")
    after = chunks("# 甲\n\n## 一\n\n新的，而且长得多。\n\n" + "又一段。" * 300 + "\n\n## 二\n\n不变。\n")
    assert before[-1].id == after[-1].id
    assert before[-1].span != after[-1].span
    assert before[0].id not in {one.id for one in after}


def test_headings_by_chinese_numbers_are_the_path():
    text = "一、总体\n\n（一）目标\n\n1.速度\n\n（1）今年\n\n增长 5%。\n\n二、措施\n\n抓落实。\n"
    assert [one.path for one in chunks(text, path="报告.txt")] == [
        ("一、总体", "（一）目标", "1.速度", "（1）今年"),
        ("二、措施",),
    ]


def test_a_transcript_is_found_by_its_words_and_leads_to_its_lines():
    text = (
        "# 座谈会\n\n王总 00:00:03\n嗯，隆昌市的规上工业增加值，\n呃，是30亿元。\n"
        "李总 00:00:09\n啊，不止。\n王总 00:01:00\n好。\n"
    )
    found = chunks(text, path="a.md")
    assert [(one.text, str(one.lines)) for one in found] == [
        ("王总：隆昌市的规上工业增加值，是30亿元。\n\n李总：不止。\n\n王总：好。", "3-9")
    ]
    assert found[0].prefix == "座谈会 > 隆昌市 规上工业增加值 30亿元"
    assert text[found[0].span.start : found[0].span.end].startswith("王总 00:00:03\n嗯")


def test_a_size_over_the_longest_chunk_is_refused():
    with pytest.raises(ValueError, match="1500"):
        chunks("# 甲\n\n正文。\n", size=1501)


def test_no_words_no_chunks():
    assert chunks(" \n\n---\n") == []


_WORDS = st.sampled_from(["一句话。", "Some words. ", "无标点", "x"])
_LINE = st.one_of(
    st.sampled_from(["# 甲", "## 乙", "### Plan", "一、总体要求", "（一）目标", "1.速度", "（1）今年", "", "", "```"]),
    st.builds(lambda n: "| a | b |\n|---|---|\n" + "| 一行 | 2 |\n" * n, st.integers(1, 300)),
    st.builds(lambda words, n: words * n, _WORDS, st.integers(1, 900)),
    st.text(max_size=40),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(_LINE, max_size=12), st.sampled_from(["a.md", "a.txt", "a.rst", "a.log"]))
def test_every_chunk_is_the_source_at_its_span_and_none_is_too_long(lines, path):
    source = Source.of("\n".join(lines), path=path)
    found = chunks_of(source)
    all_lines = source.text.split("\n")
    for one in found:
        assert one.text == source.text[one.span.start : one.span.end]
        assert 0 < len(one.text) <= LONGEST
        assert one.text in "\n".join(all_lines[one.lines.start - 1 : one.lines.end])
        assert source.text.count("\n", 0, one.span.start) == one.lines.start - 1
    assert len({one.id for one in found}) == len(found)
    assert not re.search(r"\w", source.text) or found


_CODE = st.lists(
    st.sampled_from(["def f():\n", "    x = call(1)\n", "        y = 2\n", "class C:\n", "\n", "z = 3\n", "# note\n"]),
    max_size=200,
)


@settings(max_examples=60, deadline=None)
@given(_CODE, st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 2000)), max_size=8))
def test_no_word_of_code_is_lost_wherever_its_definitions_are_said_to_stand(lines, places):
    text = "".join(lines)
    spans = [Span(min(one, len(text)), min(max(one, two), len(text))) for one, two in places]
    named = tuple(Definition(f"d{number}", span) for number, span in enumerate(spans) if len(span))
    source = replace(Source.of(text, path="a.py"), definitions=named)
    found = chunks_of(source)
    covered = bytearray(len(text))
    for one in found:
        assert one.text == text[one.span.start : one.span.end]
        assert len(one.text) <= LONGEST
        covered[one.span.start : one.span.end] = b"\x01" * len(one.span)
    assert all(covered[at] for at, char in enumerate(text) if char.isalnum())
    assert len({one.id for one in found}) == len(found)


def test_chunk_of_a_converted_file_names_its_page():
    text = "# 公报\n\n第一页说水稻。\n\n第二页说小麦。\n"
    start = text.index("第二页")
    source = replace(
        Source.of(text, "公报.pdf"), made_from="pdf", places=(Place(0, "page", "1"), Place(start, "page", "2"))
    )
    assert [chunk.path for chunk in chunks_of(source)] == [("公报", "第 1–2 页")]
    parted = [chunk.path for chunk in chunks_of(source, size=8, overlap=0)]
    assert parted == [("公报", "第 1 页"), ("公报", "第 2 页")]
