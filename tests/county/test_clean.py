"""Sixty paragraphs in the style of official documents, each with a trap: no gate touches any."""

from __future__ import annotations

from typing import Any

import pytest
from tests.county.ground import cases, ground

from kaozheng.gates.finding import Action, Gate
from kaozheng.gates.sequence import pass_gates

CLEAN = cases("clean.yml")


@pytest.mark.parametrize("case", CLEAN, ids=[case["id"] for case in CLEAN])
def test_a_clean_paragraph_leaves_as_it_came(case: dict[str, Any]) -> None:
    passage = pass_gates(case["text"], ground(case))
    asked = [one for one in passage.findings if one.action is not Action.NOTE and one.gate is not Gate.RELEASE]
    assert not asked, [(one.code, one.quote, one.reason.zh) for one in asked]
    assert passage.text == case["text"]


@pytest.mark.parametrize("case", [case for case in CLEAN if case.get("bindings")], ids=lambda case: case["id"])
def test_a_cause_that_a_result_carries_names_that_result(case: dict[str, Any]) -> None:
    passage = pass_gates(case["text"], ground(case))
    carried = {row for one in passage.findings if one.code == "cause-carried" for row in one.rows}
    assert carried == {binding["model"] for binding in case["bindings"]}
