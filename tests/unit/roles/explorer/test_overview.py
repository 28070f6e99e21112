"""The document made of remarks: chapters in order, and behind every statement the lines it rests on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.document import Document
from kaozheng.roles.explorer.overview import Overview, Remark
from kaozheng.roles.explorer.quoting import cell, code, cut, escaped, table, words

TWO = ("src/cli.py#L3-L9", "pyproject.toml#L40")


def markdown(language, *remarks):
    return Overview("题", language, remarks).markdown()


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("zh", "入口是 `main`。", "入口是 `main`（`src/cli.py#L3-L9`、`pyproject.toml#L40`）。"),
        ("en", "The entry is `main`.", "The entry is `main` (`src/cli.py#L3-L9`, `pyproject.toml#L40`)."),
        ("en", "- `a` imports `b`.", "- `a` imports `b` (`src/cli.py#L3-L9`, `pyproject.toml#L40`)."),
        ("zh", "- 没有句号", "- 没有句号（`src/cli.py#L3-L9`、`pyproject.toml#L40`）"),
        (
            "zh",
            "```mermaid\nflowchart LR\n```",
            "```mermaid\nflowchart LR\n```\n\n以上内容的依据是这些行（`src/cli.py#L3-L9`、`pyproject.toml#L40`）。",
        ),
        (
            "en",
            "| Name | Place |\n| --- | --- |\n| `a` | `src/cli.py#L3-L9` |",
            "| Name | Place |\n| --- | --- |\n| `a` | `src/cli.py#L3-L9` |\n\n"
            "Based on these lines (`pyproject.toml#L40`).",
        ),
    ],
)
def test_places_stand_behind_the_statement_before_its_stop(language, text, expected):
    assert markdown(language, Remark("purpose", text, TWO)).split("\n\n", 2)[2] == expected + "\n"


@pytest.mark.parametrize(
    ("language", "places", "expected"),
    [
        ("zh", ("a.py#L1",), "共有 3 个（统计得出，例如 `a.py#L1`）。"),
        ("zh", (), "共有 3 个（统计得出）。"),
        ("en", ("a.py#L1",), "共有 3 个 (counted; for example `a.py#L1`)。"),
        ("en", (), "共有 3 个 (counted)。"),
    ],
)
def test_what_was_counted_says_so(language, places, expected):
    made = markdown(language, Remark("purpose", "共有 3 个。", places, counted=True))
    assert made.endswith(f"\n\n{expected}\n")


def test_chapters_keep_their_order_and_headings_gather_their_remarks():
    made = markdown(
        "zh",
        Remark("usage", "用法。"),
        Remark("modules", "甲。", heading="`a/`"),
        Remark("modules", "- 乙。", heading="`a/`"),
        Remark("modules", "- 丙。", heading="`a/`"),
        Remark("purpose", "用途。"),
    )
    assert made == (
        "# 题\n\n## 它是什么\n\n用途。\n\n## 模块与公开名称\n\n### `a/`\n\n甲。\n\n- 乙。\n- 丙。\n\n"
        "## 如何运行与测试\n\n用法。\n"
    )


def test_a_remark_without_places_has_no_brackets():
    assert "未发现。\n" in markdown("zh", Remark("flows", "未发现。"))


@given(st.text(max_size=60))
def test_a_code_span_holds_exactly_what_it_was_given(text):
    made = code(text)
    line = text.replace("\r", " ").replace("\n", " ")
    if not line.strip() or "\x00" in line:
        return
    spans = [node for node in Document(f"x {made} y").inlines if node.kind == "code"]
    document = Document(f"x {made} y")
    assert [document.quote(node.text_span).strip(" ") for node in spans] == [line.strip(" ")]


@given(st.text(alphabet="a|`\\<b> *_[]#\n", max_size=30))
def test_a_cell_never_breaks_its_table(text):
    document = Document(table(["A", "B"], [(code(text), "x")]) + "\n")
    rows = [block for block in document.blocks if block.kind == "row"]
    assert [row.cells for row in rows] == ([2, 2] if code(text) else [1, 1])
    assert not [node for node in document.inlines if node.kind != "code"]


def test_a_column_without_words_is_left_out():
    assert table(["A", "B", "C"], [("1", "", "x"), ("2", "", "")]) == "| A | C |\n| --- | --- |\n| 1 | x |\n| 2 |  |"


def test_a_table_of_rows_that_do_not_fit_is_refused():
    with pytest.raises(ValueError, match="3 cells"):
        table(["A", "B"], [("1", "2", "3")])


@given(st.text(max_size=80))
def test_words_are_one_line_that_no_reader_takes_for_a_place(text):
    said = words(text)
    assert said == "" or (said.isprintable() and "#L1" not in said and any(sign.isalnum() for sign in said))


def test_words_drop_what_cannot_be_seen_and_what_looks_like_a_place():
    assert words("safe\u202e txt\x1b[31m\u200b end\n") == "safe txt [31m end"
    assert words("中文\n换行 English") == "中文换行 English"
    assert words("see `src/x.py#L10-L20`") == ""
    assert words("-- == --") == ""


def test_long_texts_are_cut_at_a_blank():
    assert cut("one two three", 9) == ("one two", True)
    assert cut("short", 9) == ("short", False)
    assert cut("一二三四五六", 4) == ("一二三四", True)


def test_a_title_of_the_user_stays_plain_words():
    document = Document(f"# {escaped('a*b* [x](y) `c` <d> #e')}\n")
    assert document.headings[0].text == "a*b* [x](y) `c` <d> #e"
    assert not document.inlines


def test_pipes_are_escaped_in_cells_only():
    assert cell("`a|b`") == "`a\\|b`"
    assert code("a|b") == "`a|b`"
