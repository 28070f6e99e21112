"""The extractive engine: whole sentences in their own words, in their order, within their room."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.documents.tokens import estimate_tokens
from kaozheng.evidence.quotes import locate
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.block_summarizer.offline import extract
from kaozheng.roles.block_summarizer.offline.pointing import points_back
from kaozheng.roles.block_summarizer.offline.statements import statements
from kaozheng.roles.block_summarizer.shortening import within

ZH = (
    "会议讨论了供热管网的改造。会议决定投资 2.6 亿元更换 42 公里管网，10 月 31 日前完工。大家聊了聊天气。"
    "住建局负责组织实施，未经验收不得投入使用。茶歇时有人讲了个笑话。"
)
EN = (
    "The committee met on Tuesday. It was a pleasant evening and tea was served. The committee resolved to close the"
    " Littleport shop by 31 January, with a loss of £340,000. No external agency will be engaged."
    " Mr. Oakes told a story."
)
LAW = (
    "借阅记录的保存期限不超过两年。公共图书馆应当免费向公众开放，不得收取押金。未经本人同意不得公开借阅记录。"
    "公共图书馆违反本条例第三条规定收取押金的，由县文化主管部门责令限期退还，并处一万元以上五万元以下罚款。"
    "图书馆购置的外文书刊依照有关规定免征进口环节税。本条例自 2026 年 6 月 1 日起施行。"
)
PIECES = (
    "GPT-4.5 是去年发布的模型。",
    "圆周率约为 3.14，不是 3.2。",
    "他在《管网改造方案（2024 版）》里写道：“不得停工。”",
    "公司决定投资 1.2 亿元。",
    "它在 6 月 30 日前投产。",
    "因此，该项目没有获批。",
    "Dr. Lee paid $3.5 million for No. 7.",
    "They refused, e.g., to sign version 3.14.",
    "The board approved **the budget** of £4,000.",
    "See [the plan](https://example.org/a.b) for details of the costs.",
    "“你好吗？”他问。",
    "What happened next?",
)


def told(text: str, limit: int, language: str = "zh", **more: object) -> list[str]:
    return [one.text for one in extract([Sentence(text, ("S1:1",))], limit, language, **more)]  # type: ignore[arg-type]


def test_what_was_decided_is_told_before_what_was_chatted() -> None:
    assert told(ZH, 48) == [
        "会议决定投资 2.6 亿元更换 42 公里管网，10 月 31 日前完工。",
        "住建局负责组织实施，未经验收不得投入使用。",
    ]
    assert told(EN, 40, "en") == [
        "The committee resolved to close the Littleport shop by 31 January, with a loss of £340,000.",
        "No external agency will be engaged.",
    ]


@pytest.mark.parametrize(
    ("focus", "text", "kept"),
    [
        (
            "罚款",
            LAW,
            "公共图书馆违反本条例第三条规定收取押金的，由县文化主管部门责令限期退还，并处一万元以上五万元以下罚款。",
        ),
        ("税", LAW, "图书馆购置的外文书刊依照有关规定免征进口环节税。"),
        ("the tea and the joke", EN, "It was a pleasant evening and tea was served."),
    ],
)
def test_what_speaks_of_the_focus_comes_first(focus: str, text: str, kept: str) -> None:
    language = "zh" if text is LAW else "en"
    assert kept in told(text, 50, language, focus=focus)
    assert kept not in told(text, 50, language)


def test_function_words_of_a_focus_tell_nothing() -> None:
    assert told(EN, 40, "en", focus="of the and which") == told(EN, 40, "en")


def test_passages_are_those_of_the_evidence() -> None:
    found = extract([Sentence(ZH, ("S1:1",)), Sentence("县医院通过三级评审。", ("S1:2", "S1:9"))], 400, "zh")
    assert {one.passages for one in found} == {("S1:1",), ("S1:2", "S1:9")}


def test_nothing_comes_of_nothing() -> None:
    assert extract([], 100, "zh") == []
    assert told("```python\nprint(1)\n```", 100) == []
    assert told("## 会议纪要\n\n![图](a.png)", 100) == []


def test_the_best_sentence_stands_though_there_is_no_room() -> None:
    assert told(ZH, 3) == ["会议决定投资 2.6 亿元更换 42 公里管网，10 月 31 日前完工。"]


def test_headings_code_images_and_lists_of_links_are_not_said() -> None:
    text = (
        "# 供热改造\n\n公司决定投资 1.2 亿元改造管网。\n\n```sh\nmake install && echo 投资 9 亿元\n```\n\n"
        "![投资 9 亿元的示意图](a.png)\n\n- [投资指南](a.md)\n- [设备目录](b.md)\n\n图 1：投资 9 亿元的分布。"
    )
    assert told(text, 500) == ["公司决定投资 1.2 亿元改造管网。"]


def test_list_items_without_a_stop_are_sentences() -> None:
    text = "会议议定：\n\n1. 同意改造方案，投资 3 亿元\n2. 由住建局负责，6 月底前完工\n"
    assert told(text, 500) == ["同意改造方案，投资 3 亿元。", "由住建局负责，6 月底前完工。"]


def test_items_of_a_plain_text_are_told_apart_and_figures_keep_their_whole_part() -> None:
    text = "一、同意投资 3 亿元\n二、由住建局负责实施\n3.14 亿元的缺口由县财政承担"
    assert told(text, 500) == ["同意投资 3 亿元。", "由住建局负责实施3.14 亿元的缺口由县财政承担。"]


def test_a_line_without_a_stop_is_a_title_and_what_was_chosen_can_be_chosen_again() -> None:
    text = "青石岭水库供热管网改造工程决定投资 3 亿元\n\n- 同意投资 3 亿元\n- 由住建局负责实施\n"
    first = extract([Sentence(text, ("S1:1",))], 500, "zh")
    assert [one.text for one in first] == ["同意投资 3 亿元。", "由住建局负责实施。"]
    assert extract(first, 500, "zh") == first


def test_items_under_a_lead_that_denies_come_with_it() -> None:
    text = "以下事项不予批准：\n\n- 动用储备金 2000 万元\n- 延长工期 30 天\n"
    assert told(text, 500) == ["以下事项不予批准：", "动用储备金 2000 万元。", "延长工期 30 天。"]
    assert told(text, 12)[0] == "以下事项不予批准："


def test_rows_of_values_are_not_said_and_cells_that_are_sentences_are() -> None:
    text = "| 项目 | 结论 |\n|---|---|\n| 一号楼 | 5 |\n| 二号楼 | 验收未通过，6 月 30 日前必须整改完成。 |\n"
    assert told(text, 500) == ["验收未通过，6 月 30 日前必须整改完成。"]


def test_a_sentence_that_points_back_brings_what_it_points_to() -> None:
    text = "星海公司成立于 1998 年。它去年亏损 3.2 亿元，被责令 6 月 30 日前停产。"
    found = told(text, 100)
    assert found == ["星海公司成立于 1998 年。", "它去年亏损 3.2 亿元，被责令 6 月 30 日前停产。"]


def test_a_sentence_that_points_out_of_its_paragraph_is_avoided() -> None:
    text = "星海公司成立于 1998 年，注册资本 2 亿元。\n\n该公司去年亏损 3.2 亿元，被责令停产。"
    assert told(text, 100) == ["星海公司成立于 1998 年，注册资本 2 亿元。"]


@pytest.mark.parametrize(
    ("sentence", "points"),
    [
        ("它亏损了。", True),
        ("其中三家通过。", True),
        ("按照这几条标准，都合格。", True),
        ("其他公司没有参加。", False),
        ("其实不难。", False),
        ("此外，公司盈利。", False),
        ("本通知自发布之日起施行。", False),
        ("这份报告指出了三个问题。", False),
        ("They left.", True),
        ("However, they left.", True),
        ("In that year profit rose.", True),
        ("It was agreed that he would leave.", True),
        ("It was agreed that the unit will close.", False),
        ("This report sets out the costs.", False),
        ("One of the trustees left.", False),
        ("The other was Edith.", True),
    ],
)
def test_pointing_back(sentence: str, points: bool) -> None:
    assert points_back(sentence) is points


def test_the_same_is_said_once_and_another_figure_is_said_too() -> None:
    same = "公司决定今年投资 1.2 亿元改造供热管网。"
    other = "公司决定今年投资 1.5 亿元改造供热管网。"
    assert told(f"{same}\n\n{same}\n\n{other}", 500) == [same, other]


def test_what_was_said_elsewhere_is_not_said_again() -> None:
    decided = "会议决定投资 2.6 亿元更换 42 公里管网，10 月 31 日前完工。"
    assert decided in told(ZH, 48)
    assert decided not in told(ZH, 48, avoid=[decided])


def test_the_focus_comes_first() -> None:
    text = "会议决定投资 2.6 亿元更换管网。学校食堂由后勤处管理。会议同意延长工期 30 天。"
    assert told(text, 14, focus="学校食堂") == ["学校食堂由后勤处管理。"]


def test_of_two_languages_the_asked_one_is_told() -> None:
    text = "会议决定投资 2.6 亿元更换管网。\n\nThe meeting decided to spend 260 million yuan on pipes."
    room = 22
    assert told(text, room) == ["会议决定投资 2.6 亿元更换管网。"]
    assert told(text, room, "en") == ["The meeting decided to spend 260 million yuan on pipes."]


def test_sentences_of_one_passage_are_still_a_paragraph_when_they_come_one_by_one() -> None:
    first, second = "星海公司成立于 1998 年。", "它去年亏损 3.2 亿元，被责令停产。"
    found = extract([Sentence(first, ("S1:4",)), Sentence(second, ("S1:4",))], 100, "zh")
    assert [one.text for one in found] == [first, second]
    apart = extract([Sentence(first, ("S1:4",)), Sentence(second, ("S1:9",))], 100, "zh")
    assert second not in [one.text for one in apart]


def test_wrapped_lines_are_joined_as_they_are_read() -> None:
    assert told("会议决定投资\n2.6 亿元。", 100) == ["会议决定投资2.6 亿元。"]
    assert told("The board voted\nto close\nthe shop.", 100, "en") == ["The board voted to close the shop."]


paragraphs = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
evidences = st.lists(st.lists(paragraphs, min_size=1, max_size=3).map("\n\n".join), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None)
@given(evidences, st.integers(1, 300), st.sampled_from(["zh", "en"]))
def test_whole_sentences_in_order_within_the_room(texts: list[str], limit: int, language: str) -> None:
    evidence = [Sentence(text, (f"S1:{number}",)) for number, text in enumerate(texts)]
    found = extract(evidence, limit, language)
    known = [(one.text, one.passages) for one in statements(evidence)]
    places = []
    for one in found:
        places.append(known.index((one.text, one.passages), places[-1] + 1 if places else 0))
        assert locate(one.text, texts[int(one.passages[0][3:])])
    assert places == sorted(places)
    fitting = sum(estimate_tokens(one.text) for one in found) <= limit
    assert fitting or len(found) == 1 or all(one.needs or one.lost for one in statements(evidence) if one.sayable)
    assert found == extract(evidence, limit, language)


@settings(max_examples=60, deadline=None)
@given(evidences)
def test_nothing_that_points_back_stands_without_what_comes_before_it(texts: list[str]) -> None:
    evidence = [Sentence(text, (f"S1:{number}",)) for number, text in enumerate(texts)]
    said = statements(evidence)
    if all(one.lost or not one.sayable for one in said):
        return
    found = [one.text for one in extract(evidence, 200, "zh")]
    for place, text in enumerate(found):
        if points_back(text):
            assert place
            assert any(one.text == text and said[one.needs[-1]].text == found[place - 1] for one in said if one.needs)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="会议决定。，：“”《》（）|#-*`>\n 3.14[]()!x它", max_size=80), st.integers(0, 50))
def test_any_text_is_survived(text: str, limit: int) -> None:
    for one in extract([Sentence(text, ("S1:1",))], limit, "zh", focus="会议", avoid=["会议决定。"]):
        assert one.text.strip() == one.text
        assert any(character.isalnum() for character in one.text)


def test_what_a_model_said_too_long_loses_whole_sentences_whatever_their_markup() -> None:
    said = [
        Sentence("大家聊了聊天气，喝了茶，说了些笑话。", ("S1:1",)),
        Sentence("**会议决定** 投资 2.6 亿元更换管网", ("S1:1",)),
        Sentence("有人觉得今天的茶很好。", ("S1:1",)),
    ]
    assert within(said, 20, "zh") == (said[1],)


def test_a_text_without_a_stop_is_no_sentence_however_long() -> None:
    assert told("会议决定投资三亿元更换管网" * 20_000, 500) == []
    assert told("“" * 5_000 + "会议决定投资三亿元。", 500) == []


def test_of_many_lines_that_differ_in_a_figure_as_many_are_said_as_fit() -> None:
    lines = [f"第 {number} 号泵站投入运行，流量 {number * 7} 立方米。" for number in range(3, 400)]
    found = told("".join(lines), 200)
    assert len(found) == len(set(found)) > 5
    assert set(found) <= set(lines)
