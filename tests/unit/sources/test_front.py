"""Front matter names a source and is no text of it."""

from __future__ import annotations

import pytest

from kaozheng.sources.pieces import Part, pieces_of
from kaozheng.sources.source import Source


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\npage: true\ntitle: 教程\n---\n\n<x/>\n", "教程"),
        ("---\ntitle: 'A b'\n---\n\ntext\n", "A b"),
        ("---\ntitle: A\n---\n# B\n", "B"),
        ("x\n\n---\n\ntitle: y\n\n---\n", "n"),
    ],
)
def test_the_title_in_the_front_matter_names_a_source_without_a_heading(text: str, title: str) -> None:
    assert Source.of(text, "n.md").title == title


def test_a_page_of_front_matter_and_a_script_holds_no_text() -> None:
    text = "---\npage: true\n---\n\n<script setup>\nimport X from './X.vue'\n</script>\n\n<X />\n"
    assert pieces_of(Source.of(text, "n.md")) == []


def test_words_behind_the_front_matter_are_kept_even_as_a_heading_alone() -> None:
    source = Source.of("---\npage: true\n---\n\n# 标题\n", "n.md")
    (part,) = [piece for piece in pieces_of(source) if isinstance(piece, Part)]
    assert source.text[part.span.start : part.span.end].strip() == "# 标题"
