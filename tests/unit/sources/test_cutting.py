"""Cutting: no piece too long, none starting inside a word, nothing lost."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.cutting import cut

TEXTS = st.text(alphabet="汉字规则，。！；\n\n  ab.,! 1", max_size=400)


@given(TEXTS, st.integers(9, 60), st.integers(0, 4))
def test_every_character_is_in_a_piece_and_no_piece_is_too_long(text, size, overlap):
    spans = cut(text, size, overlap)
    covered = {place for span in spans for place in range(span.start, span.end)}
    assert all(char.isspace() for place, char in enumerate(text) if place not in covered)
    assert all(0 < len(span) <= size for span in spans)


@given(TEXTS, st.integers(9, 60), st.integers(0, 4))
def test_pieces_are_in_order_and_overlap_no_more_than_asked(text, size, overlap):
    spans = cut(text, size, overlap)
    for before, after in pairwise(spans):
        assert before.start < after.start
        assert before.end < after.end
        assert before.end - after.start <= overlap


def pieces(text, size, overlap):
    return [text[span.start : span.end] for span in cut(text, size, overlap)]


def test_paragraphs_are_kept_whole_where_they_fit():
    assert pieces("第一段话在这里。\n\n第二段话在这里。\n\n第三段话在这里。", 20, 0) == [
        "第一段话在这里。\n\n第二段话在这里。",
        "第三段话在这里。",
    ]


def test_sentence_end_is_preferred_to_comma():
    assert pieces("甲甲甲甲，乙乙乙乙。丙丙丙丙，丁丁丁丁。", 16, 0) == ["甲甲甲甲，乙乙乙乙。", "丙丙丙丙，丁丁丁丁。"]


def test_english_is_cut_between_words():
    found = pieces("alpha beta gamma delta epsilon zeta", 14, 0)
    assert found == ["alpha beta", "gamma delta", "epsilon zeta"]


def test_overlap_repeats_the_last_clause():
    first, second = pieces("甲甲甲甲甲甲甲甲，乙乙乙乙，丙丙丙丙丙丙丙丙。", 16, 6)
    assert first.endswith("乙乙乙乙，")
    assert second.startswith("乙乙乙乙，丙")


def test_overlap_is_exact_where_there_is_no_border_at_all():
    first, second = cut("字" * 30, 20, 5)
    assert (first.start, first.end, second.start, second.end) == (0, 20, 15, 30)


def test_blanks_at_the_end_do_not_make_a_piece_of_repeated_text():
    assert pieces("甲甲甲甲甲甲，乙乙，  \n\n", 12, 4) == ["甲甲甲甲甲甲，乙乙，"]


def test_nothing_gives_no_piece():
    assert cut("", 10, 2) == cut(" \n\n ", 10, 2) == []


@pytest.mark.parametrize(("size", "overlap"), [(10, 5), (10, -1), (0, 0)])
def test_overlap_of_half_the_size_is_refused(size, overlap):
    with pytest.raises(ValueError, match="overlap"):
        cut("text", size, overlap)


@pytest.mark.parametrize("text", ["字" * 1_000_000, "字。" * 500_000, "a" * 1_000_000, "\n" * 1_000_000])
def test_a_million_characters_take_linear_time(text):
    start = time.process_time()
    cut(text)
    assert time.process_time() - start < 3  # 20 times what the slowest takes
