from __future__ import annotations

import pytest

from kaozheng.sources.comparing import without_comparing
from kaozheng.sources.telling import lacking, telling, wanted, without_asking


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("请问年假有几天？", "年假"),
        ("年假有多少天", "年假"),
        ("备份保留多久？", "备份保留"),
        ("How many days of leave do I have?", "days of leave have"),
        ("What is reward hacking?", "reward hacking"),
        ("什么是奖励黑客？", "奖励黑客"),
        ("什么？", "什么？"),
        ("", ""),
    ],
)
def test_the_words_that_only_ask_are_left_out(question: str, about: str) -> None:
    assert without_asking(question) == about


def test_a_question_of_asking_words_alone_keeps_its_terms() -> None:
    assert telling("什么？") == ["什么"]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("什么时候发布？", "date"),
        ("有多少人？", "number"),
        ("为什么要备份？", "reason"),
        ("如何部署？", "way"),
        ("由谁负责？", "person"),
        ("When was it released?", "date"),
        ("Who wrote it?", "person"),
        ("备份策略", ""),
    ],
)
def test_the_kind_of_answer_is_told_by_the_asking_words(question: str, kind: str) -> None:
    assert wanted(question) == kind


@pytest.mark.parametrize(
    ("question", "targets", "rest"),
    [
        ("年假和病假有什么区别？", ("年假", "病假"), ""),
        ("比较年假和病假的天数", ("年假", "病假"), "天数"),
        ("What is the difference between Alpha and Beta?", ("Alpha", "Beta"), ""),
        ("Compare the price of Alpha and Beta", ("Alpha", "Beta"), "price of"),
    ],
)
def test_what_is_asked_about_the_compared_things_is_left(question: str, targets: tuple[str, ...], rest: str) -> None:
    assert without_comparing(question, targets).removeprefix("the ") == rest


def test_a_pair_across_two_words_is_not_lacking_where_both_words_are_there() -> None:
    asked = telling("备份保留多久？")
    assert asked == ["备份", "份保", "保留"]
    assert lacking(asked, {"备份", "保留"}) == []
    assert lacking(asked, {"备份"}) == ["份保", "保留"]
