"""Anchors, tables of contents, numbering, and the estimate of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.documents.headings import anchors, heading_text, slug, strip_numbering, table_of_contents
from kaozheng.documents.tokens import estimate_tokens, truncate_tokens
from kaozheng.roles.titles import clean_title


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("Hello, World!", "hello-world"),
        ("一、概述", "一概述"),
        ("API & co_x — 2.0", "api--co_x--20"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_slug_is_that_of_github(title: str, anchor: str) -> None:
    assert slug(title) == anchor


def test_repeated_titles_get_numbers_and_ids_win() -> None:
    document = Document.of("# T\n## A\n### x\n## A\n## A-1\n## 乙 {#b}\n> ## q\n#### deep\n")
    assert list(anchors(document)) == ["t", "a", "x", "a-1", "a-1-1", "b", "q", "deep"]
    assert table_of_contents(document) == "- [A](#a)\n  - [x](#x)\n- [A](#a-1)\n- [A-1](#a-1-1)\n- [乙](#b)"
    assert table_of_contents(Document.of("# T\n")) == ""


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        *(
            ("一、概述", "概述"),
            ("2.3 安装", "安装"),
            ("（二）范围", "范围"),
            ("第一章 总则", "总则"),
            ("1. Use", "Use"),
        ),
        *(("2 安装", "安装"), ("3 个步骤", "3 个步骤"), ("2023 年总结", "2023 年总结"), ("十大问题", "十大问题")),
        *(
            ("5G 网络", "5G 网络"),
            ("2.5D 封装", "2.5D 封装"),
            ("第一步 安装", "第一步 安装"),
            ("3.", "3."),
            ("IV、史", "史"),
            ("60 秒走一遍", "60 秒走一遍"),
            ("60 路线", "60 路线"),
            ("60、路线", "路线"),
            ("12 路线", "路线"),
        ),
    ],
)
def test_numbering_is_stripped_and_content_is_not(title: str, bare: str) -> None:
    assert strip_numbering(title) == bare


NAMES_OF_CODE = ["a/__main__.py", "__init__", "src/_x_/y.py", "app/[id]/(group)/page.tsx", "1.intro/2.0/", "x/" * 50]


@pytest.mark.parametrize("name", NAMES_OF_CODE)
def test_names_of_files_stay_whole_in_titles_and_headings(name: str) -> None:
    assert clean_title(name) == name
    assert [heading.text for heading in Document(f"## {heading_text(name)}\n").headings] == [name]


@given(st.text(alphabet="ab_*甲 `/.", min_size=1, max_size=20))
def test_a_heading_reads_like_its_title(text: str) -> None:
    title = clean_title(text)
    if title and "`" not in title:
        assert [heading.text for heading in Document(f"## {heading_text(title)}\n").headings] == [title]


def test_code_in_a_title_stays_code() -> None:
    assert heading_text("用 `a_b_c` 和 _d_") == "用 `a_b_c` 和 \\_d\\_"


def test_tokens_of_chinese_and_english() -> None:
    assert 140 <= estimate_tokens("中文" * 100) <= 200
    assert estimate_tokens("word " * 100) == 125
    assert estimate_tokens("") == 0


@given(st.text(alphabet="中a 。.\n😀\u0301", max_size=60), st.integers(0, 30))
def test_truncation_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    kept = truncate_tokens(text, limit)
    assert text.startswith(kept)
    assert estimate_tokens(kept) <= limit
    if estimate_tokens(text) <= limit:
        assert kept == text


def test_truncation_ends_with_a_sentence_or_line() -> None:
    assert truncate_tokens("第一句。第二句很长很长很长。第三句", 8) == "第一句。"
    assert truncate_tokens("first line\nsecond line that goes on and on", 5) == "first line"
    assert truncate_tokens("没有句号的很长的一句话", 3) == "没有句"
