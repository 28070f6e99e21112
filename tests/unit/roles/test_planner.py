"""How questions are understood: by rule, by a model, and by a model that plans badly."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kaozheng.roles.planner import PlanTask
from kaozheng.roles.planner.offline import plan as by_rule
from kaozheng.sessions import Turn

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
