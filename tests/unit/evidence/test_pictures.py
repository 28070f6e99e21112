"""What an answer shows loads nothing by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.evidence.pictures import without_pictures


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("15 days ![pixel](https://evil.example/p.png).[E1]", "15 days [pixel](https://evil.example/p.png).[E1]"),
        ("!![a](b)", "[a](b)"),
        ("![E1 too](https://evil.example)", "[E1 too](https://evil.example)"),
        ("![a][b]\n\n[b]: https://evil.example", "[a][b]\n\n[b]: https://evil.example"),
        ('<img src="https://evil.example">', '&lt;img src="https://evil.example">'),
        ("<IMG/SRC=x>", "&lt;IMG/SRC=x>"),
        (r"\<svg onload=x>", r"\&lt;svg onload=x>"),
        ('<p style="background:url(//evil.example)">', '&lt;p style="background:url(//evil.example)">'),
    ],
)
def test_what_would_be_loaded_becomes_a_link_or_text(text: str, shown: str) -> None:
    assert without_pictures(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "`![alt](address)` makes a picture.",
        "```html\n<img src=x> ![a](b)\n```",
        "a < b, List<String>, <b>bold</b>, <https://example.org>",
        "Done! See [the manual](https://example.org).[E1]",
    ],
)
def test_code_links_and_comparisons_stay(text: str) -> None:
    assert without_pictures(text) == text


def test_a_stop_before_a_mark_is_kept() -> None:
    assert without_pictures("It works![E1] It does.") == "It works! [E1] It does."


PARTS = [
    "!",
    "[",
    "]",
    "(x)",
    "[E1]",
    "[r]: x\n",
    "`",
    "```\n",
    "\n\n",
    "\\",
    "<img src=x>",
    "<",
    "a",
    " ",
    "- ",
    "    ",
]


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
def test_no_picture_is_left_and_a_second_time_changes_nothing(text: str) -> None:
    shown = without_pictures(text)
    read = Document(shown)
    loads = [one for one in (*read.inlines, *read.blocks) if one.kind in ("image", "html")]
    assert not [one for one in loads if one.kind == "image" or "<img" in shown[one.span.start : one.span.end]]
    assert without_pictures(shown) == shown
