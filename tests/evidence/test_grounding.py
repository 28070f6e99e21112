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


ASK_CASES = HERE.parent / "workflows" / "ask_cases"
BLIND_CODES = {
    "number_unsupported": "number",
    "quote_unsupported": "quote",
    "document_number_unsupported": "document_number",
    "support_low": "support",
}
BEYOND = {
    "right-en-04": "a comparison that the reader draws from two amounts, in words that stand nowhere",
    "unknown-en-02": "what an unknown mark was for is looked for in one item, and here stands in two",
}


def blind() -> list[Any]:
    cases = yaml.safe_load((ASK_CASES / "grounding_blind.yml").read_text(encoding="utf-8"))
    marks = {id: [pytest.mark.xfail(reason=reason, strict=True)] for id, reason in BEYOND.items()}
    return [pytest.param(case, id=case["id"], marks=marks.get(case["id"], [])) for case in cases]


@pytest.mark.parametrize("case", blind())
def test_blind_case(case: dict[str, Any]) -> None:
    report = check(case["answer"] or "", bundle(list(case["evidence"].values())), case["question"])
    assert {BLIND_CODES.get(code, code) for code in report.codes} == set(case["expected"]["codes"])
    for wanted in case["expected"]["sentences"]:
        faulty = next(one for one in report.sentences if wanted["starts"] in one.text)
        if wanted["wrong"] and faulty.hard:
            assert any(wanted["wrong"] in fault.said or fault.said in wanted["wrong"] for fault in faulty.hard)
