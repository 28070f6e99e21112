from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.evidence.key_facts import KeyFact, facts_in
from kaozheng.evidence.key_statements import KeyStatement, key_statements
from kaozheng.evidence.proper_names import proper_names
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source


def statements(text: str, language: str = "zh", listed: tuple[str, ...] = ()) -> list[KeyStatement]:
    return key_statements(build_material(Reading([Source.of(text, "text.md", "S1")], [])).passages, language, listed)


@pytest.mark.parametrize(
    ("sentence", "kind", "text"),
    [
        ("全年投资1.2亿元。", "number", "1.2亿元"),
        ("完成率为80%。", "number", "80%"),
        ("奖金为£85。", "number", "£85"),
        ("报告于2024年3月5日提交。", "date", "2024年3月5日"),
        ("依据川发改〔2023〕15号执行。", "number", "川发改〔2023〕15号"),
        ("整改由副市长李明督办。", "name", "李明"),
        ("会议学习了《数据安全法》。", "name", "《数据安全法》"),
        ("华岳科技有限公司参加了会议。", "name", "华岳科技有限公司"),
        ("会议没有通过方案，继续研究。", "negation", "会议没有通过方案"),
        ("天气不错，会议决定延期召开。", "conclusion", "会议决定延期召开"),
        ("各单位须在月底前上报名单。", "conclusion", "各单位须在月底前上报名单"),
        ("The grant is 1.2 million euros.", "number", "1.2 million euros"),
        ("Twelve staff left, and forty-two staff stayed.", "number", "42 staff"),
        ("The plan was approved on 5 March 2024.", "date", "5 March 2024"),
        (
            "It was led by Dr. Helen Marsh of the University of Leeds.",
            "name",
            "Dr. Helen Marsh of the University of Leeds",
        ),
        ("Visitors must not enter the hall.", "negation", "Visitors must not enter the hall"),
        ("We therefore recommend a second trial.", "conclusion", "We therefore recommend a second trial"),
    ],
)
def test_each_kind_of_fact_is_found(sentence: str, kind: str, text: str) -> None:
    assert (kind, text) in {(fact.kind, fact.text) for fact in facts_in(sentence)}


@pytest.mark.parametrize(
    "sentence", ["大家在河边走了很久。", "The path went along the river.", "1. 走过去看看", "No.", "未完成。"]
)
def test_what_holds_no_fact_is_no_statement(sentence: str) -> None:
    assert statements(sentence, "en" if sentence.isascii() else "zh") == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Without 2 keys you'll get a warning:",
        "下列 3 种文献不予外借：",
        "**2024 年不予外借：**",
        "Paid 3.5 million pounds,",
    ],
)
def test_what_only_leads_into_something_else_is_no_statement(sentence: str) -> None:
    assert statements(sentence, "en" if sentence.isascii() else "zh") == []


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("However, revenue rose in Q3 at Acme.", ["Q3", "Acme"]),
        ("Northgate Water Authority's plan was read on Monday in March.", ["Northgate Water Authority"]),
        ("外传 GPT-4.5 的权重约 10 GB。", ["GPT-4.5"]),
        ("扩建由李雪须在月底前完成。", ["李雪"]),
    ],
)
def test_names_are_whole_and_nothing_else(sentence: str, names: list[str]) -> None:
    assert proper_names(sentence) == names


def test_statements_are_sentences_list_items_and_rows_word_for_word() -> None:
    text = """# 纪要

会上说“GPT-4.5 是最新版本。”，圆周率取3.14。预算为1.2亿元。

- 李雪负责整改，
  6月30日前完成。
- 走访群众

| 项目 | 投资 |
|---|---|
| 泵站 | 1200 |

```
limit = 30 天
```
"""
    assert [one.text for one in statements(text)] == [
        "会上说“GPT-4.5 是最新版本。”，圆周率取3.14。",
        "预算为1.2亿元。",
        "李雪负责整改，\n  6月30日前完成。",
        "| 泵站 | 1200 |",
    ]


def test_a_listed_fact_makes_a_statement_of_its_sentence_and_weighs() -> None:
    text = "大家在河边走了很久。预算为1.2亿元。路边开满了花。"
    listed = statements(text, listed=("河边走了很久", "没有这句话"))
    assert [one.text for one in listed] == ["大家在河边走了很久。", "预算为1.2亿元。"]
    assert listed[0].facts == (KeyFact("listed", "河边走了很久"),)
    assert statements(text, listed=("预算为1.2亿元",))[0].weight > statements(text)[0].weight


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("会议决定暂停该项目的扩建。", "大家对扩建的讨论结果是多种多样的。"),
        ("改造共投资1.2亿元。", "改造的编号是一串数字12345。"),
        ("车站改造须在6月30日前完成。", "例如，车站可以在6月30日完成改造。"),
        ("监测发现水位超过警戒线2米。", "感谢各位代表冒着高温行走2公里。"),
        ("The board rejected the sale of the land.", "For example, a board may need to sell some of its land."),
        ("The grant must be repaid by 30 June 2025.", "Years ago, on 30 June 1925, a grant was given."),
    ],
)
def test_an_editor_would_miss_the_first_more(more: str, less: str) -> None:
    language = "en" if more.isascii() else "zh"
    found = {one.text: one.weight for one in statements(f"{less}\n\n{more}", language)}
    assert found[more] > found.get(less, 0.0)


def test_what_a_heading_names_weighs_more() -> None:
    text = "# {}\n\n泵站改造投资300万元。\n\n路灯更换投资300万元。\n\n广场绿化投资300万元。"
    under, beside = statements(text.format("路灯更换")), statements(text.format("其他事项"))
    assert under[1].weight > beside[1].weight


PIECES = st.sampled_from(
    [
        "投资1.2亿元。", "会议没有通过方案。", "GPT-4.5 的得分是3.14分。", "他说：“《报告》不行。”", "\n\n", "\n- ",
        "\n| 甲 | 3 |\n", "The board approved it on 5 March.", " e.g. Dr. Marsh paid £3. ",
        "**必须**完成。", "> 引用第7条。", "\n# 题\n", "1. ", "，", "“",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=20).map("".join))
def test_every_statement_stands_at_its_place_and_no_two_overlap(text: str) -> None:
    material = build_material(Reading([Source.of(text, "text.md", "S1")], []))
    found = key_statements(material.passages, "zh")
    last: dict[str, int] = {}
    for one in found:
        assert material.passage(one.passage).text[one.span.start : one.span.end] == one.text
        assert one.span.start >= last.get(one.passage, 0)
        last[one.passage] = one.span.end
        assert one.facts
        assert one.weight > 0
