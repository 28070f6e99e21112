"""How questions are understood: by rule, by a model, and by a model that plans badly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from kaozheng.errors import ModelUnavailableError
from kaozheng.roles.planner import PlanTask, plan
from kaozheng.roles.planner.offline import plan as by_rule
from kaozheng.sessions import Turn
from kaozheng.testing.scripted_model import ScriptedModel

CASES = Path(__file__).parents[2] / "workflows" / "ask_cases"


def cases(name):
    path = CASES / name
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else []


def task_of(case):
    language = "zh" if any("一" <= sign <= "鿿" for sign in case["question"]) else "en"
    turns = tuple(Turn(one["user"], one["assistant"]) for one in case.get("history") or ())
    return PlanTask(case["question"], language, turns, article=bool(case.get("article")))


def holds(phrase, text):
    return all(word.casefold() in text for word in phrase.split())


def faults(case, planned):
    """What is wrong with a plan. The words of a target must all stand in one and the same target or query."""
    wanted = case["expected"]
    searched = [text.casefold() for text in (*planned.targets, *(query for _, query in planned.queries))]
    found = []
    if bool(planned.clarification) != bool(wanted.get("clarify")):
        found.append(f"clarify {planned.clarification!r}")
    if planned.new_session != bool(wanted.get("new_session")):
        found.append(f"new_session {planned.new_session}")
    if wanted.get("clarify"):
        return found
    if planned.kind != wanted["kind"]:
        found.append(f"kind {planned.kind}")
    if wanted.get("target") == "article" and planned.target != "article":
        found.append(f"target {planned.target}")
    missing = [one for one in wanted.get("targets") or () if not any(holds(one, text) for text in searched)]
    if missing:
        found.append(f"targets {missing} not in {searched}")
    if planned.kind == "compare" and len(planned.targets) != len(wanted["targets"]):
        found.append(f"compares {planned.targets}")
    return found


@pytest.mark.parametrize("case", cases("plan_own.yml"), ids=lambda case: case["id"])
def test_the_rule_made_plan(case):
    assert not faults(case, by_rule(task_of(case)))


MISSED = {"follow-zh-11": "the name stands in an answer three turns back"}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.xfail(reason=MISSED[case["id"]])) if case["id"] in MISSED else case
        for case in cases("plan_blind.yml")
    ],
    ids=lambda case: case["id"],
)
def test_the_rule_made_plan_of_questions_by_somebody_else(case):
    assert not faults(case, by_rule(task_of(case)))


@pytest.mark.parametrize(
    ("before", "question", "goal"),
    [
        ("What does exit code 3 mean?", "And 2?", "What does exit code 2 mean?"),
        ("故障码E41是什么意思？", "那E42呢？", "故障码E42是什么意思？"),
    ],
)
def test_another_number_takes_the_place_of_the_one_that_was_asked_about(before, question, goal):
    planned = by_rule(PlanTask(question, "zh", (Turn(before, "…"),)))
    assert planned.goal == goal


# With a model

FLOW = PlanTask("它的保修期多长？", "zh", (Turn("X200型水泵的流量是多少？", "35 立方米[E1]。"),))


def said(**fields):
    return json.dumps({"kind": "qa", **fields}, ensure_ascii=False)


async def planned(task, line):
    model = ScriptedModel(lambda call: line)
    return await plan(model, task), model


async def test_a_models_plan_is_used():
    answer, model = await planned(FLOW, said(goal="X200型水泵的保修期多长？", targets=["X200型水泵 保修期"]))
    assert answer.by == "model"
    assert answer.value.goal == "X200型水泵的保修期多长？"
    assert answer.value.targets == ("X200型水泵 保修期",)
    (call,) = model.calls
    assert (call.temperature, call.effort, call.weight) == (0.0, "none", "light")
    assert "X200型水泵的流量" in call.prompt()


@pytest.mark.parametrize("line", ["", "Yes.", "{}", "[1, 2]", "我认为这是一个问题。", ModelUnavailableError("gone")])
async def test_a_model_that_plans_nothing_leaves_it_to_the_rules(line):
    answer, _ = await planned(FLOW, line)
    assert answer.by == "fallback"
    assert answer.value == by_rule(FLOW)


@pytest.mark.parametrize(
    ("question", "article", "line", "wanted"),
    [
        ("锅炉的压力是多少？", False, said(kind="search", goal="锅炉的压力"), {"kind": "qa"}),
        ("锅炉的压力是多少？", False, said(target="article", goal="锅炉的压力"), {"target": "topic"}),
        ("锅炉的压力是多少？", False, said(target="planet", goal="锅炉的压力"), {"target": "topic"}),
        ("锅炉的压力是多少？", False, said(goal=""), {"goal": "锅炉的压力是多少？"}),
        ("锅炉的压力是多少？", False, said(goal="长" * 600), {"goal": "锅炉的压力是多少？"}),
        ("比较甲醇和乙醇", False, said(kind="compare", goal="比较甲醇和乙醇"), {"targets": ("甲醇", "乙醇")}),
        ("总结这篇文章", True, said(kind="summary", target="article", goal="总结"), {"target": "article"}),
        ("锅炉的压力是多少？", False, said(goal="锅炉的压力", new_session=True), {"new_session": True}),
        ("锅炉的压力是多少？", False, said(kind="chat", goal="锅炉", clarification="什么？"), {"clarification": ""}),
    ],
)
async def test_what_a_model_plans_wrong_is_put_right(question, article, line, wanted):
    answer, _ = await planned(PlanTask(question, "zh", article=article), line)
    assert {name: getattr(answer.value, name) for name in wanted} == wanted


async def test_a_goal_that_loses_a_number_or_document_number_gets_the_question_back():
    question = "川发改〔2023〕15号对 2022 年的 30 万元补助怎么说？"
    answer, _ = await planned(PlanTask(question, "zh"), said(goal="文件对补助怎么说？"))
    assert question in answer.value.goal


async def test_a_question_with_numbers_is_no_small_talk():
    answer, _ = await planned(PlanTask("2023 年产值 62.1 亿元对吗？", "zh"), said(kind="chat", goal="聊天"))
    assert answer.value.kind == "qa"


async def test_a_comparison_of_one_thing_is_asked_back():
    answer, _ = await planned(PlanTask("对比一下 A3 打印机", "zh"), said(kind="compare", goal="对比 A3 打印机"))
    assert answer.value.clarification


async def test_a_question_that_points_back_does_not_begin_a_session():
    answer, _ = await planned(FLOW, said(goal="X200型水泵的保修期多长？", new_session=True))
    assert not answer.value.new_session


async def test_an_article_that_is_not_open_is_asked_for_whatever_a_model_says():
    answer, _ = await planned(PlanTask("总结这篇文章", "zh"), said(kind="summary", target="article", goal="总结"))
    assert answer.value.clarification


@pytest.mark.parametrize(
    "unit", ["what is the difference between ", "which of the ", "a vs ", "甲和", "甲、", "第二个"]
)
def test_a_question_of_8000_characters_is_read_at_once(unit):
    question = (unit * 8_000)[:8_000]
    turns = (Turn(question, question), Turn("它呢？", question))
    assert by_rule(PlanTask(question, "zh", turns)).kind == "qa"
    assert by_rule(PlanTask("第二个呢？", "zh", turns)).goal


@pytest.mark.parametrize(
    ("before", "question", "goal"),
    [
        ("Remote work: how many days per week?", "And how much for internet?", "Remote work: how much for internet?"),
        (
            "川发改〔2023〕15号对换电站补贴多少？",
            "那交流慢充桩呢？",
            "川发改〔2023〕15号对交流慢充桩补贴多少？",
        ),
        ("一级故障多长时间内到场？", "那二级呢？", "二级故障多长时间内到场？"),
    ],
)
def test_what_is_changed_takes_the_place_of_what_was_asked_about(before, question, goal):
    assert by_rule(PlanTask(question, "zh", (Turn(before, "…"),))).goal == goal


@pytest.mark.parametrize("question", ["公司食堂几点开门？", "各站点的充电桩数量", "哪个站的 kwh_2024 最高？"])
def test_a_question_that_is_complete_is_not_put_beside_the_one_before(question):
    assert by_rule(PlanTask(question, "zh", (Turn("年休假最多可以顺延到什么时候？", "…"),))).goal == question


def test_the_year_of_a_document_number_is_a_part_of_it():
    planned = by_rule(PlanTask("单站上限呢？", "zh", (Turn("川发改〔2023〕15号对换电站补贴多少？", "…"),)))
    assert "川发改〔2023〕15号" in planned.goal
