"""Terms, BM25 and tf-idf."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.ranking import Bm25, TfIdf, stem, surface_forms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("规则检索", ["规则", "则检", "检索"]),
        ("行 与", ["行", "与"]),
        ("使用GitHub登录", ["使用", "github", "git", "hub", "登录"]),
        ("ＧＰＴ gpt", ["gpt", "gpt"]),
        ("current_draft", ["current_draft", "current", "draft"]),
        ("1,234.5 万", ["1234.5", "万"]),
        ("v1.2.3", ["v1.2.3"]),
        ("the user's rules", ["the", "user", "rul"]),
        ("", []),
        ("！？——…", []),
    ],
)
def test_terms_of_a_text(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize(
    "forms",
    [
        ("rule", "rules"),
        ("query", "queries"),
        ("run", "running"),
        ("class", "classes"),
        ("retrieve", "retrieved", "retrieving", "retrieves"),
        ("call", "calls", "called", "calling"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms):
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("pair", [("status", "stat"), ("bus", "bu"), ("sing", "s"), ("analysis", "analysi")])
def test_words_that_only_look_inflected_keep_their_stem(pair):
    assert stem(pair[0]) != pair[1]


@given(st.text(max_size=200))
def test_terms_never_fail_and_hold_no_blanks(text):
    assert all(term and not term.isspace() for term in terms(text))


def test_document_with_the_rare_word_comes_first():
    texts = ["规则 检索 检索", "规则 审查", "规则 自愈 兜底", "别的内容"]
    bm25 = Bm25([terms(text) for text in texts])
    assert [index for index, _ in bm25.best(terms("规则兜底"), 3)] == [2, 1, 0]


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=6), max_size=8), st.integers(0, 9))
def test_best_are_the_highest_scores_with_ties_in_order(documents, n):
    bm25 = Bm25(documents)
    scores = list(enumerate(bm25.scores(["a", "b"])))
    expected = sorted((item for item in scores if item[1] > 0), key=lambda item: (-item[1], item[0]))[:n]
    assert bm25.best(["a", "b"], n) == expected


def test_scores_stand_in_the_order_of_the_documents_and_are_zero_without_a_shared_word():
    scores = Bm25([["a"], ["b"], []]).scores(["b"])
    assert scores[0] == scores[2] == 0.0 < scores[1]


def test_repeating_a_word_in_the_query_changes_nothing():
    bm25 = Bm25([["a", "b"], ["b"]])
    assert bm25.scores(["a", "a"]) == bm25.scores(["a"])


def test_no_documents_have_no_scores():
    assert Bm25([]).scores(["a"]) == []
    assert Bm25([[]]).best(["a"], 3) == []


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=2, max_size=5))
def test_similarity_is_symmetric_bounded_and_one_with_itself(documents):
    tfidf = TfIdf(documents)
    for index, document in enumerate(documents):
        assert tfidf.similarity(0, index) == pytest.approx(tfidf.similarity(index, 0))
        assert 0 <= tfidf.similarity(0, index) <= 1
        assert tfidf.similarity(index, index) == pytest.approx(1 if document else 0)


def test_keywords_are_phrases_that_set_a_document_apart():
    texts = [
        "断点续跑让任务从中断处继续。断点续跑需要落盘缓存，落盘缓存保存中间结果。",
        "规则检索按模块取出规则。规则检索的兜底是前三条。",
    ]
    tfidf = TfIdf([terms(text) for text in texts])
    assert {"断点续跑", "落盘缓存"} <= set(tfidf.keywords(0, 3))
    assert "规则检索" in tfidf.keywords(1, 2)


def test_keywords_are_shown_as_they_are_written():
    texts = ["Modules are nodes; a module has modules inside", "Nothing of that kind"]
    tfidf = TfIdf([terms(text) for text in texts], surface_forms(texts))
    assert "modules" in [word.lower() for word in tfidf.keywords(0, 2)]
