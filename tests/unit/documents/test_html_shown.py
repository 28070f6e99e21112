"""HTML that a page would run is shown as text; code, autolinks and what the user wrote stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.characters import without_controls
from kaozheng.documents.document import Document
from kaozheng.documents.html import without_active_html, without_html

STAYS = [
    "甲 `<script>` 乙",
    "```html\n<script>alert(1)</script>\n```",
    "    <b>缩进的代码",
    "a < b，b > c，<https://example.org/a>",
    "| 甲<br>乙 | 丙<br/>丁 |\n|---|---|\n| 1 | H<sub>2</sub>O |",
    r"\<b>",
]


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_html_and_harmless_breaks_stay_in_a_models_text(text):
    assert without_html(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("甲<script>alert(1)</script>乙", "甲&lt;script>alert(1)&lt;/script>乙"),
        ("<details>\n\n甲\n", "&lt;details>\n\n甲\n"),
        ("<div>\n\n<b>\n</div>\n", "&lt;div>\n\n&lt;b>\n&lt;/div>\n"),
        ("x<sup>2", "x&lt;sup>2"),
        ("甲 </evidence> 乙", "甲 &lt;/evidence> 乙"),
        ("<br onclick=x>", "&lt;br onclick=x>"),
        ("<!-- 藏 -->", "&lt;!-- 藏 -->"),
        ("[看](javascript:alert) [这](jav&#97;script:x)", "看 这"),
        ("![图](data:text/html;base64,AA)", "图"),
    ],
)
def test_html_of_a_model_is_shown_as_text(text, shown):
    assert without_html(text) == shown


@pytest.mark.parametrize(
    "text",
    [*STAYS, "<details><summary>甲</summary>\n\n乙\n</details>", "<!-- 注 -->", '<a href="b.md" title="x">甲</a>'],
)
def test_the_users_html_stays_as_written(text):
    assert without_active_html(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>\nx\n</script>", "&lt;script>\nx\n&lt;/script>"),
        ('甲 <img src="x" onerror="y"> <b>乙</b>', '甲 &lt;img src="x" onerror="y"> <b>乙</b>'),
        ('<a href="javascript:x">甲</a>', '&lt;a href="javascript:x">甲</a>'),
        ("<iframe src=x></iframe>", "&lt;iframe src=x>&lt;/iframe>"),
    ],
)
def test_what_a_page_would_run_is_shown_as_text_in_the_users_words_too(text, shown):
    assert without_active_html(text) == shown


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*"<>/!-ab` \n*[](:", "<b>", "<script>", "</b>", "<!--", "-->", "<br>"]), max_size=40))
def test_no_html_is_left_and_a_second_pass_changes_nothing(parts):
    shown = without_html("".join(parts))
    document = Document(shown)
    left = [document.quote(node.span) for node in document.inlines if node.kind == "html"]
    assert all(tag.lower().startswith("<br") for tag in left)
    assert without_html(shown) == shown


def test_control_characters_go_and_line_ends_stay():
    assert without_controls("甲\x1b[31m乙\x1b]0;t\x07\x00\u202e丙\u2066\r\n\t丁\r戊\U000e0041") == "甲乙丙\n\t丁\n戊"
    assert without_controls("正常 text 🙂\n") == "正常 text 🙂\n"
