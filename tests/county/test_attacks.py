"""Sixty drafts with one fault each: the right gate stops or downgrades it, and nothing that is true is touched."""

from __future__ import annotations

from typing import Any

import pytest
from tests.county.ground import cases, ground

from kaozheng.documents.span import Span
from kaozheng.gates.finding import Action, Gate
from kaozheng.gates.sequence import Passage, Status, pass_gates

ATTACKS = cases("attacks.yml")
STATUS = {"refuse": {Status.SEND_BACK}, "block": {Status.BLOCKED}}


def spans(entries: list[dict[str, Any]]) -> list[Span]:
    return [Span(*entry["span"]) for entry in entries]


def faults(case: dict[str, Any]) -> list[Span]:
    return spans([case["fault"], *case.get("also_fault", ())])


def places(passage: Passage, gates: set[int]) -> list[Span]:
    """Where the findings that ask for something stand in the draft."""
    told = (one for one in passage.findings if one.action is not Action.NOTE and int(one.gate) in gates)
    return [passage.origin(one) for one in told]


@pytest.mark.parametrize("case", ATTACKS, ids=[case["id"] for case in ATTACKS])
def test_the_right_gate_finds_the_fault_and_no_gate_a_fault_in_what_is_true(case: dict[str, Any]) -> None:
    passage = pass_gates(case["text"], ground(case))
    hits = places(passage, set(case["gate_ok"]))
    assert any(place.overlaps(fault) for place in hits for fault in faults(case)), passage.reason.zh
    true = [one for one in spans([*case["true_numbers"], *case["true_policies"]])]
    elsewhere = [
        place
        for place in places(passage, {int(gate) for gate in Gate if gate is not Gate.RELEASE})
        if not any(place.overlaps(fault) for fault in faults(case))
    ]
    assert not [place for place in elsewhere if any(place.overlaps(one) for one in true)], passage.reason.zh


@pytest.mark.parametrize("case", ATTACKS, ids=[case["id"] for case in ATTACKS])
def test_what_follows_is_what_the_seed_says_of_that_gate(case: dict[str, Any]) -> None:
    passage = pass_gates(case["text"], ground(case))
    if case["outcome"] == "rewrite":
        assert passage.text != case["text"]
        assert any(one.action is Action.REWRITE for one in passage.findings)
    else:
        assert passage.status in STATUS[case["outcome"]]


@pytest.mark.parametrize("case", ATTACKS, ids=[case["id"] for case in ATTACKS])
def test_a_draft_that_was_put_in_milder_words_is_not_put_in_milder_words_again(case: dict[str, Any]) -> None:
    once = pass_gates(case["text"], ground(case)).text
    assert pass_gates(once, ground(case)).text == once
