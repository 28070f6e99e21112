"""Structure of documents: blocks, inline nodes, headings, front matter, notes, lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.documents.offsets import character_offsets
from kaozheng.documents.span import LineRange, Span


def kinds(text: str) -> list[str]:
    return [block.kind for block in Document.of(text).blocks]


@given(st.text(alphabet="a中😀e\u0301\u200d\n。é", max_size=40))
def test_byte_offsets_become_character_offsets(text: str) -> None:
    data = text.encode()
    borders = [len(text[:i].encode()) for i in range(len(text) + 1)]
    assert character_offsets(data, borders) == {border: len(data[:border].decode()) for border in borders}


@given(st.text(alphabet="a中😀\n\r", max_size=40))
def test_lines_and_offsets_agree(text: str) -> None:
    document = Document.of(text)
    assert "\r" not in document.text
    assert "\n".join(document.lines) == document.text
    for offset in range(len(document.text)):
        assert document.line_of(offset) == document.text[:offset].count("\n") + 1
    for number, line in enumerate(document.lines, 1):
        span = document.span_of_lines(LineRange(number, number))
        assert document.quote(span) == line
        assert document.lines_of(span) == LineRange(number, number)


def test_offsets_are_right_behind_emoji_and_combining_marks() -> None:
    document = Document.of("👩‍👩‍👧 e\u0301 `码` 与 [链接](http://x.y)。\n")
    assert [document.quote(node.span) for node in document.inlines] == ["`码`", "[链接](http://x.y)"]
    assert document.quote(document.inlines[1].text_span) == "链接"


def test_blocks_stand_in_document_order_with_their_depth() -> None:
    document = Document.of("# 题\n\n> 引\n>\n> - 一\n> - 二\n\n| a | b |\n|---|:-:|\n| c |\n\n---\n\n$$\nx\n$$\n")
    found = [(block.kind, block.depth) for block in document.blocks]
    assert found[:6] == [("heading", 0), ("quote", 0), ("paragraph", 1), ("list", 1), ("item", 2), ("item", 2)]
    assert [block.cells for block in document.blocks if block.kind == "row"] == [2, 1]
    assert found[-2:] == [("rule", 0), ("math", 0)]
    assert not any("$" in prose.source for prose in document.prose)


def test_row_counts_the_cells_as_written() -> None:
    document = Document.of("a | b\n---|---\n| 1 | 2 | 3 |\n| `x\\|y` | z |\n| 1 |\n")
    assert [block.cells for block in document.blocks if block.kind == "row"] == [2, 3, 2, 1]


@pytest.mark.parametrize(
    ("text", "closed", "body"),
    [
        ("```py\nx\n```\n", True, "x\n"),
        ("```py\nx\n", False, "x"),
        ("```\n```", True, ""),
        ("```", False, ""),
        ("```\nx\n> ```\n", False, "x\n> ```"),
        ("````\n```\n````\n", True, "```\n"),
        ("> ~~~\n> x\n> ~~~\n\nafter", True, "> x\n> "),
        ("- ```\n  x\n\n- y", False, "  x"),
    ],
)
def test_a_fence_knows_whether_it_is_closed(text: str, closed: bool, body: str) -> None:
    document = Document.of(text)
    code = next(block for block in document.blocks if block.kind == "code")
    assert (code.fenced, code.closed) == (True, closed)
    assert document.quote(code.body).strip("> ") == body.strip("> ")


def test_headings_have_clean_titles_and_paths() -> None:
    document = Document.of("# A **b** `c` [d](e) {#id}\n## 二\n\n> ## 引\n\n#### 四\n# Z\n设\n===\n")
    assert [heading.text for heading in document.headings] == ["A b c d", "二", "引", "四", "Z", "设"]
    assert [heading.path for heading in document.headings][3] == ("A b c d", "二", "四")
    assert document.headings[0].id == "id"
    assert [heading.nested for heading in document.headings] == [False, False, True, False, False, False]
    assert document.headings[5].lines == LineRange(8, 9)


def test_front_matter_is_read_only_at_the_very_start() -> None:
    document = Document.of("---\ntitle: 题\ntags: [a]\n---\n\n正文\n\n---\na: b\n---\n")
    assert document.front_matter is not None
    assert document.front_matter.data == {"title": "题", "tags": ["a"]}
    assert document.front_matter.span == Span(0, 26)
    assert document.blocks[0].kind == "front_matter"
    assert [block.kind for block in document.blocks[1:]] == ["paragraph", "rule", "heading"]
    assert Document.of("\n---\na: b\n---\n").front_matter is None
    assert Document.of("---\n\ntext\n\n---\n").front_matter is None


@pytest.mark.parametrize(
    ("yaml", "error"),
    [
        ("a: [", "not YAML"),
        ("just words", "not a mapping"),
        ("d: 2023-13-45", "not YAML"),
        ("a: !!int x", "not YAML"),
        ("a: !!timestamp x", "not YAML"),
        ("a: !!bool x", "not YAML"),
        ("[" * 5000, "not YAML"),
        ("a: " + "x" * 70_000, "longer"),
    ],
)
def test_unreadable_front_matter_says_why(yaml: str, error: str) -> None:
    front = Document.of(f"---\n{yaml}\n---\n").front_matter
    assert front is not None
    assert front.data == {}
    assert front.error is not None
    assert error in front.error


def test_a_byte_order_mark_hides_neither_heading_nor_front_matter() -> None:
    assert kinds("\ufeff# 题\n") == ["heading"]
    document = Document.of("\ufeff---\ntitle: x\n---\n# 题\n")
    assert kinds(document.text) == ["front_matter", "heading"]
    assert document.headings[0].lines == LineRange(4, 4)


def test_footnotes_tell_undefined_unused_and_repeated() -> None:
    notes = Document.of("甲[^1] 乙[^缺]\n\n[^1]: 一\n[^1]: 再\n\n[^2]: 二\n").footnotes
    assert [note.label for note in notes.references] == ["1", "缺"]
    assert [note.label for note in notes.undefined] == ["缺"]
    assert [note.label for note in notes.unused] == ["2"]
    assert [note.label for note in notes.repeated] == ["1"]


def test_links_of_every_form_have_targets_and_text() -> None:
    document = Document.of('[a](b "t") [c][r] [r][] [r] <http://x.y> ![i](p.png) [![j](k)](l)\n\n[r]: http://r\n')
    links = [(node.kind, document.quote(node.text_span), node.target) for node in document.inlines]
    assert links == [
        ("link", "a", "b"),
        ("link", "c", "http://r"),
        ("link", "r", "http://r"),
        ("link", "r", "http://r"),
        ("link", "http://x.y", "http://x.y"),
        ("image", "i", "p.png"),
        ("link", "![j](k)", "l"),
        ("image", "j", "k"),
    ]
    assert document.quote(document.inlines[2].span) == "[r][]"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("使用 LangGraph 编排", "zh"),
        ("The word 考证 means evidential research", "en"),
        ("```\n中文注释中文注释\n```\nOnly English here\n", "en"),
        ("```\n中文\n```\n", "zh"),
        ("", "en"),
    ],
)
def test_language_is_that_of_the_prose(text: str, language: str) -> None:
    assert Document.of(text).language == language


def test_numbered_view_counts_from_one() -> None:
    assert Document.of("a\n\nb\n").numbered() == "0001: a\n0002: \n0003: b"
    assert Document.of("x\n" * 10_000).numbered().splitlines()[0] == "00001: x"
