"""A piece of Markdown as one line of words."""

import pytest

from kaozheng.documents.reading import as_read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("**责任人**：[张三](a.md)。", "责任人：张三。"),
        ("第一行\n第二行。", "第一行第二行。"),
        ("one line\nand another.", "one line and another."),
        ("He said\n> that `x` holds.", "He said that `x` holds."),
        ("```\ncode\n```", ""),
        ("", ""),
    ],
)
def test_markup_goes_and_words_stay(text, read):
    assert as_read(text) == read
