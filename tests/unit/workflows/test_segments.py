"""What of a growing answer is shown: the promises of the segmenter, for any way in which a text is cut into tokens."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.evidence.citations import normalised
from kaozheng.evidence.pictures import without_pictures
from kaozheng.workflows.ask.segments import Segmenter

KNOWN = ("E1", "E2", "E10")
WHOLE = re.compile(r"\[E\d+\]")


def shown(pieces, known=KNOWN):
    segmenter = Segmenter(known)
    return [new for piece in pieces if (new := segmenter.feed(piece))]


def cut(text, places):
    ends = sorted({place % (len(text) + 1) for place in places})
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


BLOCKS = st.sampled_from(
    [
        "甲须检修。[E1]乙不少于 4 圈[E2]。",
        "Backups run daily.[E1] They are kept for 30 days [E2], as e.g. the guide says (see v1.2).",
        "## 结论",
        "- 第一项[E1]\n- 第二项：见 [链接。里](https://example.org/a)【E10】。\n- 第三项",
        "| 项目 | 值 |\n| --- | --- |\n| 甲。乙 | 3[E1] |\n| 丙 | 4[E2] |",
        "```python\nprint('a。b [E9]')\n\nx = 1\n```",
        "$$\na. b\n\nc\n$$",
        "`代码。[E9] x` 之后。还有 **重点。** 结束[E1、E2]。",
        "1. one. two\n2. three",
        "> 引用。再引用[E1]。",
        "结论【E1】。参见 [E2, E10]",
        "罚款上限 20 万元。",
    ]
)
TEXTS = st.lists(BLOCKS, min_size=1, max_size=6).map("\n\n".join)
PLACES = st.lists(st.integers(0, 2_000), max_size=40)


@settings(deadline=None, max_examples=100)
@given(TEXTS, PLACES)
def test_what_is_shown_is_the_beginning_of_the_text_however_it_is_cut(text, places):
    assert normalised(text).startswith("".join(shown(cut(text, places))))


@settings(deadline=None, max_examples=100)
@given(TEXTS, PLACES)
def test_no_mark_is_shown_unfinished(text, places):
    so_far = ""
    for new in shown(cut(text, places)):
        so_far += new
        bare = WHOLE.sub("", re.sub(r"(?s)```.*?```|\$\$.*?\$\$|`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)", "", so_far))
        assert not re.search(r"[\[【][^\]】]*$", bare), so_far


@settings(deadline=None, max_examples=60)
@given(TEXTS, PLACES)
def test_code_and_tables_are_shown_whole(text, places):
    so_far = ""
    for new in shown(cut(text, places)):
        so_far += new
        assert so_far.count("```") % 2 == 0
        assert so_far.count("$$") % 2 == 0
        assert so_far.count("| --- |") == 0 or so_far.count("| 丙 |") == so_far.count("| 项目 |")


@settings(deadline=None, max_examples=60)
@given(st.lists(BLOCKS, min_size=1, max_size=3).map("\n\n".join), TEXTS, PLACES)
def test_nothing_is_shown_from_the_piece_with_an_unknown_mark_on(before, after, places):
    text = f"{before}\n\n坏句[E9]。\n\n{after}"
    assert "坏句" not in "".join(shown(cut(text, places)))
    assert normalised(before).startswith("".join(shown(cut(text, places))).rstrip())


@settings(deadline=None)
@given(st.text(alphabet="。.[]E1 \n|`$*【】-#x甲", max_size=60), PLACES)
def test_any_signs_at_all_keep_the_promise(text, places):
    said = "".join(shown(cut(text, places), known=None))
    assert normalised(text).startswith(said)


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS, PLACES)
def test_no_picture_is_shown_on_the_way(before, after, places):
    text = f"{before}\n\n甲为 5 圈[E1]。![像素。](https://evil.example/p.png?x=1)乙为 6 圈![E2]丙[E1]。\n\n{after}"
    said = "".join(shown(cut(text, places)))
    assert "![" not in said
    assert without_pictures(normalised(text)).startswith(said)


def test_a_mark_that_is_cut_over_tokens_never_leaks():
    # rag-57
    tokens = ["结论", "【", "E", "1", "】", "。", "参见 [", "E2", ",", " E", "10", "]", "。", "完"]
    seen = ""
    for new in shown(tokens):
        seen += new
        assert not re.search(r"[\[【](?:E?\d*,? ?)*$", seen)
    assert seen == "结论[E1]。参见 [E2][E10]。"


def test_a_sentence_is_shown_as_soon_as_the_next_one_begins():
    segmenter = Segmenter(KNOWN)
    assert segmenter.feed("第一句。") == ""
    assert segmenter.feed("[E1]") == ""
    assert segmenter.feed("第") == "第一句。[E1]"


def test_a_model_that_begins_anew_with_the_same_words_goes_on_where_it_was():
    segmenter = Segmenter(KNOWN)
    assert segmenter.feed("第一句。[E1]第二句。又") == "第一句。[E1]第二句。"
    segmenter.restart()
    assert segmenter.feed("第一句。[E1]第二句。第三句。") == ""
    assert segmenter.feed("末") == "第三句。"


def test_a_model_that_begins_anew_with_other_words_shows_nothing_more():
    segmenter = Segmenter(KNOWN)
    assert segmenter.feed("第一句。[E1]第二句") == "第一句。[E1]"
    segmenter.restart()
    assert segmenter.feed("别的话。[E1]还有很多别的话。再来一句。末") == ""


def test_small_talk_may_hold_any_bracket():
    assert shown(["你好[E9]。有什么可以帮您？请", "说"], known=None) == ["你好[E9]。有什么可以帮您？"]
