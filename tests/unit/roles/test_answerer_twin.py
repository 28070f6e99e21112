"""What the answerer's twin chooses: by the kind of thing that is asked for, and in a form that can be cited."""

from __future__ import annotations

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.grounding import check
from kaozheng.roles.answerer import REFUSALS, AnswerTask, offline
from kaozheng.roles.answerer.cues import Cues
from kaozheng.roles.answerer.rating import rated

NOTE = "RFID 标签的采购数量为 19.2 万枚。"
CONSOLE = "先问一句：\n\n```console\n$ kaozheng ask RFID 标签的采购数量是多少\n```"
COURSES = "教材按截图写，不讲原理。每期 10 人，一共三期，放在 8 月 5 日到 8 月 16 日。\n\n陈立，2024-05-22"
SUCCESS = "- 归还不超过 2 天\n- 自助机占一半以上\n- 失败率低于 0.5%\n\n结束后出一份总结。"
BRANCHES = "| 分馆 | 藏书 |\n| --- | --- |\n| 青石镇 | 8200 |\n| 白沙镇 | 6500 |"
RIVER = "清江向东流。清江是长江的支流，全长 423 公里。它的名字来自水色。下游建有水库。"


def item(place: int, text: str, *path: str) -> EvidenceItem:
    lines, span = LineRange(1, 1 + text.count("\n")), Span(0, len(text))
    return EvidenceItem(f"E{place}", "default", f"{place}.md", "", path, lines, span, text)


def said(question: str, *items: EvidenceItem, language: str = "zh", **given: object) -> str:
    return offline.answer(AnswerTask(question, EvidenceBundle(items, "ok"), language, **given))  # type: ignore[arg-type]


def test_a_console_that_has_the_words_does_not_answer_a_question_after_a_fact() -> None:
    assert said("RFID 标签的采购数量是多少？", item(1, CONSOLE), item(2, NOTE)) == f"{NOTE}[E2]"


def test_code_that_answers_how_to_is_followed_by_its_label() -> None:
    answer = said("用什么命令提问？", item(1, "提问的命令：\n\n```console\n$ kaozheng ask\n```"))
    assert answer == "提问的命令：[E1]\n\n```console\n$ kaozheng ask\n```\n\n[E1]"


def test_a_date_is_answered_by_the_sentence_that_has_one_though_its_words_stand_in_the_heading() -> None:
    assert said("什么时候上线培训？", item(1, COURSES, "培训与上线", "课程")) == (
        "每期 10 人，一共三期，放在 8 月 5 日到 8 月 16 日。[E1]"
    )


def test_a_list_under_the_heading_that_was_asked_about_is_said_whole() -> None:
    answer = said("怎么算成功？", item(1, SUCCESS, "怎么算成功"))
    assert answer == "- 归还不超过 2 天[E1]\n- 自助机占一半以上[E1]\n- 失败率低于 0.5%[E1]"


def test_rows_among_which_the_question_does_not_choose_are_all_said() -> None:
    assert (
        said("分馆有多少藏书？", item(1, BRANCHES)) == "- 分馆：青石镇；藏书：8200[E1]\n- 分馆：白沙镇；藏书：6500[E1]"
    )
    assert said("白沙镇分馆有多少藏书？", item(1, BRANCHES)) == "- 分馆：白沙镇；藏书：6500[E1]"


def test_of_a_long_list_no_more_than_a_part_is_said() -> None:
    answer = said("有哪些步骤？", item(1, "\n".join(f"- 步骤{place}" for place in range(40)), "步骤"))
    assert 1 < answer.count("\n") + 1 <= 8


def test_a_row_is_said_whole_for_each_thing_compared() -> None:
    answer = said("比较青石镇和白沙镇的藏书", item(1, BRANCHES), kind="compare", targets=("青石镇", "白沙镇"))
    assert answer == "**青石镇**\n\n- 分馆：青石镇；藏书：8200[E1]\n\n**白沙镇**\n\n- 分馆：白沙镇；藏书：6500[E1]"


def test_the_names_of_what_is_compared_need_no_label() -> None:
    bundle = EvidenceBundle((item(1, BRANCHES),), "ok")
    task = AnswerTask("比较青石镇和白沙镇的藏书", bundle, "zh", "compare", ("青石镇", "白沙镇"))
    assert check(offline.answer(task), bundle, task.question).codes == ()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("清江是什么？", "清江是长江的支流，全长 423 公里。"),
        ("清江全长多少公里？", "清江是长江的支流，全长 423 公里。"),
    ],
)
def test_a_definition_and_a_length_are_found_where_they_stand(question: str, first: str) -> None:
    assert rated(question, [item(1, RIVER)])[0].said.text == first


def test_what_names_nothing_of_the_evidence_is_refused() -> None:
    capitals = item(1, "Words with inner capitals must be in the lines. The capital of Spain is Madrid.")
    assert said("What is the capital of France?", capitals, language="en") == REFUSALS["en"]
    assert "Madrid" in said("What is the capital of Spain?", capitals, language="en")


def test_one_sentence_is_enough_where_it_has_all_the_words() -> None:
    answer = said("备份保留多久？", item(1, "备份保留 30 天。备份每天做一次，每次保留日志。"))
    assert answer == "备份保留 30 天。[E1]"


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("面积有多大，面积是多少？", "湖的面积是 12 平方公里。", "湖边有 3 个村。"),
        ("有多少人？", "一共 30 名。", "一共 30 台。"),
        ("什么时候开工？", "5 月开工。", "5 台机器。"),
        ("为什么停工？", "因为下雨而停工。", "后来停工。"),
        ("它叫什么名字？", "又称大湖。", "湖很大。"),
        ("湖在哪里？", "位于县城以北。", "湖水很深。"),
        ("What is a rule book?", "A rule book is a file.", "Files may be long."),
    ],
)
def test_a_statement_of_the_kind_that_is_asked_for_is_worth_more(question: str, better: str, worse: str) -> None:
    cues = Cues(question)
    assert cues.worth(better) > cues.worth(worse)
