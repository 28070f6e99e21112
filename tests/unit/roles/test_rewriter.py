from __future__ import annotations

from typing import Any

import pytest

from kaozheng.documents.span import LineRange, Span
from kaozheng.errors import ModelUnavailableError
from kaozheng.evidence.bundle import EvidenceItem
from kaozheng.roles.rewriter import RewriteTask, is_tried, rewrite
from kaozheng.testing.scripted_model import ScriptedModel

TEXTS = (
    "带薪年休假条例规定，职工累计工作满一年不满十年的，年休假五天。带薪年休假由单位安排。",
    "病假工资按基本工资的百分之八十发放，病假须提供证明。",
)
ITEMS = [
    EvidenceItem(f"E{n}", "库", "d", "手册", (), LineRange(1, 1), Span(0, len(text)), text)
    for n, text in enumerate(TEXTS, start=1)
]


def task(*tried: str, **given: Any) -> RewriteTask:
    return RewriteTask(
        "请问年假有几天？", **{"tried": tried, "items": ITEMS, "language": "zh", "idf": {"年假": 1.0}, **given}
    )


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("带薪年休假 天数", "带薪年休假 天数"),
        ("「带薪年休假 天数」", "带薪年休假 天数"),
        ("改写后的查询：带薪年休假 天数\n\n这样更准确。", "带薪年休假 天数"),
        ("Query: paid leave days", "paid leave days"),
        ("- 带薪年休假 天数", "带薪年休假 天数"),
        ("<think>想想</think>\n带薪年休假 天数", "带薪年休假 天数"),
        ("2023年年假规定", "2023年年假规定"),
    ],
)
async def test_the_query_is_taken_out_of_the_reply(reply: str, query: str) -> None:
    assert (await rewrite(ScriptedModel([reply]), task("年假"))).value == query


@pytest.mark.parametrize("reply", ["年假", "「年假。」", " 年 假 ", "年假？"])
async def test_what_was_tried_before_is_no_rewrite(reply: str) -> None:
    assert (await rewrite(ScriptedModel([reply]), task("年假"))).value == ""


async def test_the_model_sees_what_was_tried_and_what_it_found() -> None:
    model = ScriptedModel(["带薪年休假"])
    await rewrite(model, task("年假", "年假天数"))
    asked = model.calls[0].messages[-1].content
    assert "- 年假\n- 年假天数" in asked
    assert "[E1] 带薪年休假条例" in asked


async def test_offline_the_asking_words_go_first_then_words_of_the_passages_come() -> None:
    first = (await rewrite(None, task("请问年假有几天？"))).value
    second = (await rewrite(None, task("请问年假有几天？", first))).value
    assert "请问" not in first
    assert "年假" in first
    assert second.startswith("年假 ")
    assert any(word in TEXTS[0] or word in TEXTS[1] for word in second.split()[1:])
    assert not is_tried(second, ("请问年假有几天？", first))


async def test_offline_rewrites_come_to_an_end() -> None:
    tried: list[str] = ["请问年假有几天？"]
    for _ in range(20):
        query = (await rewrite(None, task(*tried))).value
        if not query:
            break
        assert not is_tried(query, tried)
        tried.append(query)
    assert query == ""


async def test_offline_without_passages_there_is_nothing_to_learn_from() -> None:
    assert (await rewrite(None, task("请问年假有几天？", "年假", items=[]))).value == ""


async def test_a_model_that_fails_leaves_the_rewrite_to_the_twin() -> None:
    answer = await rewrite(ScriptedModel([ModelUnavailableError("down")]), task("请问年假有几天？"))
    assert answer.by == "fallback"
    assert "年假" in answer.value
