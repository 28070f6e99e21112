"""Sources and their titles."""

import hashlib

import pytest

from kaozheng.sources.source import Source


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("a/notes.md", "# 安装 `kz`\n\n正文", "安装 kz"),
        ("notes.md", "---\ntitle: x\n# comment\n---\n\n## 第二级\n", "第二级"),
        ("notes.md", "```python\n# not a heading\n```\n\n# Real {#id}\n", "Real"),
        ("notes.md", "Title\n=====\n\ntext", "Title"),
        ("notes.md", "[链接](http://a.b) 没有标题", "notes"),
        ("notes.md", "# " + "很长" * 200, "notes"),
        ("a.txt", "文档标题\n\n正文第一段。", "文档标题"),
        ("a.txt", "这是一句话。\n\n正文第一段。", "a"),
        ("a.txt", "【公告】\n\n正文。", "公告"),
        ("a.txt", "class A:\n\n# 1. comment in code\nx = 1\n", "a"),
        ("a.txt", "# 标题\n\n正文", "标题"),
        ("a.rst", "Guide\n=====\n\ntext", "Guide"),
        ("a.adoc", "= Manual\n\ntext", "Manual"),
        ("a.org", "#+TITLE: Plan\n* Next\n", "Plan"),
        ("README", "words that stand alone\n\nand more of them", "words that stand alone"),
        ("-", "一句话。", "-"),
    ],
)
def test_title_is_the_first_heading_or_else_the_name(path, text, title):
    assert Source.of(text, path).title == title


def test_line_ends_are_normal_and_the_hash_is_of_what_was_given():
    source = Source.of("\ufeffa\r\nb\rc")
    assert source.text == "a\nb\nc"
    assert source.sha256 == hashlib.sha256("\ufeffa\r\nb\rc".encode()).hexdigest()
    assert source.size_bytes == 9
