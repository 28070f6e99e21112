"""The cases of each gate: a text that passes, one that fails with the codes of what is wrong, one that is noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.county.ground import ground

from kaozheng.gates.causality import causality
from kaozheng.gates.evidence import evidence
from kaozheng.gates.finding import Action, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.release import release
from kaozheng.gates.sensitive import sensitive
from kaozheng.gates.structure import structure

Gate = Callable[[str, Ground], GateReport]
GATES: dict[str, Gate] = {
    "evidence": evidence,
    "causality": causality,
    "structure": structure,
    "sensitive": sensitive,
    "release": release,
}
BESIDE = "cause-marked"
"""Goes with each cause that is put in milder words."""


def cases() -> Iterator[Any]:
    for name, gate in GATES.items():
        path = Path(__file__).parent / "cases" / f"gate_{name}.yml"
        for number, case in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")), 1):
            yield pytest.param(gate, case, id=f"{name}-{number}")


def where(case: dict[str, Any]) -> Ground:
    made = ground({"context": {"region": "511083", "period": "2024"}})
    return replace(made, report_type=case.get("report", ""), for_public=case.get("public", False))


@pytest.mark.parametrize(("gate", "case"), list(cases()))
def test_a_gate_finds_what_its_case_says_and_nothing_else(gate: Gate, case: dict[str, Any]) -> None:
    text = next(case[kind] for kind in ("pass", "fail", "note") if kind in case)
    report = gate(text, where(case))
    assert {finding.code for finding in report.findings} - {BESIDE} == set(case.get("codes", ()))
    assert report.text == case.get("fixed", report.text)
    assert all(finding.action is Action.NOTE for finding in report.findings) is ("fail" not in case)
