"""The case files of answers over evidence: one by the code's author, one by an author who never saw the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.grounding import check
from kaozheng.evidence.mending import mended

HERE = Path(__file__).parent


def bundle(evidence: list[Any]) -> EvidenceBundle:
    items = []
    for number, given in enumerate(evidence, 1):
        said = given if isinstance(given, dict) else {"text": given}
        text, title = said["text"], said.get("title", "")
        lines = LineRange(1, text.count("\n") + 1)
        items.append(EvidenceItem(f"E{number}", "kb", f"{number}.md", title, (), lines, Span(0, len(text)), text))
    return EvidenceBundle(tuple(items), "ok" if items else "empty")


def own() -> list[Any]:
    cases = yaml.safe_load((HERE / "grounding_own.yml").read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["name"]) for case in cases]


@pytest.mark.parametrize("case", own())
def test_case(case: dict[str, Any]) -> None:
    report = check(case["answer"], bundle(case["evidence"]), case.get("question", ""))
    low = case.get("support_low", "support_low" in case["codes"])
    assert [code for code in report.codes if code != "support_low" or not low] == [
        code for code in case["codes"] if code != "support_low"
    ]
    found = [f"{fault.kind}:{fault.said}" for one in report.sentences for fault in one.hard]
    assert found == case.get("faults", [])
    assert report.blocking == case.get("blocking", False)
    if "coverage" in case:
        assert report.coverage == case["coverage"]
    assert [one.said for sentence in report.sentences for one in sentence.derived] == case.get("derived", [])
    text = mended(case["answer"], report, case.get("strict", False))
    assert text == case.get("mended", text)
    assert all(part in text for part in case.get("has", [])), text
    assert not any(part in text for part in case.get("lacks", [])), text


@pytest.mark.parametrize("case", own())
def test_mended_answer_has_nothing_left_to_mend(case: dict[str, Any]) -> None:
    evidence, question = bundle(case["evidence"]), case.get("question", "")
    text = mended(case["answer"], check(case["answer"], evidence, question))
    again = check(text, evidence, question)
    assert not {
        "unknown_citation",
        "number_unsupported",
        "quote_unsupported",
        "document_number_unsupported",
    }.intersection(again.codes)
    assert mended(text, again) == text
