"""Conflicts within a bundle, the cases by an author who never saw the code."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.conflicts import conflicts_of

CASES = Path(__file__).parents[1] / "workflows" / "ask_cases" / "conflicts_blind.yml"
BEYOND: dict[str, str] = {}


def bundle(texts: dict[str, str]) -> EvidenceBundle:
    items = [
        EvidenceItem(label, "kb", f"{'abc'[int(label[1:]) - 1]}.md", "", (), LineRange(1, 1), Span(0, len(text)), text)
        for label, text in texts.items()
    ]
    return EvidenceBundle(tuple(items), "ok")


def blind() -> list[Any]:
    cases = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    marks = {id: [pytest.mark.xfail(reason=reason, strict=True)] for id, reason in BEYOND.items()}
    return [pytest.param(case, id=case["id"], marks=marks.get(case["id"], [])) for case in cases]


@pytest.mark.parametrize("case", blind())
def test_blind_case(case: dict[str, Any]) -> None:
    found = {
        frozenset([(one.label, one.value), (other.label, other.value)])
        for conflict in conflicts_of(bundle(case["evidence"]))
        for one, other in combinations(conflict.values, 2)
        if one.value != other.value
    }
    pairs = case["expected"]["pairs"]
    assert found == {frozenset(zip(pair["between"], pair["values"], strict=True)) for pair in pairs}


def test_only_what_concerns_the_question_is_told() -> None:
    evidence = bundle({"E1": "罚款上限为20万元。保证金为3万元。", "E2": "罚款上限为30万元。保证金为5万元。"})
    assert [one.about for one in conflicts_of(evidence, "罚款最多多少？")] == ["罚款上限"]
    assert len(conflicts_of(evidence)) == 2


def test_items_that_agree_are_no_conflict() -> None:
    assert conflicts_of(bundle({"E1": "罚款上限为20万元。", "E2": "罚款上限为200000元。"})) == []
