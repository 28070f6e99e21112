"""Grounding beyond its case files: JSON, hostile texts, the report of another answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.grounding import check
from kaozheng.evidence.mending import mended

PIECES = [
    "罚款上限",
    "20万元",
    "30万元",
    "[E1]",
    "[E2",
    "】",
    "【E9】",
    "。",
    "\n\n",
    "- ",
    "`",
    "“",
    "”",
    "2021年",
    "(E2)",
    "The fine",
    " is ",
    "[5]",
]


def bundle(*texts: str) -> EvidenceBundle:
    items = [
        EvidenceItem(f"E{n}", "kb", f"{n}.md", "", (), LineRange(1, 1), Span(0, len(text)), text)
        for n, text in enumerate(texts, 1)
    ]
    return EvidenceBundle(tuple(items), "ok")


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_answer_is_checked_and_what_is_mended_has_no_unknown_mark(answer: str) -> None:
    evidence = bundle("罚款上限为20万元。", "The fine is due in 2021.")
    report = check(answer, evidence)
    assert all(report.text[one.span.start : one.span.end] == one.text for one in report.sentences)
    assert not check(mended(answer, report), evidence).unknown


def test_report_is_plain_json() -> None:
    report = check(
        "罚款上限30万元[E1]。两级补助合计50万元[E2][E3]。",
        bundle("罚款上限20万元", "省级补助30万元。", "市级补助20万元。"),
    )
    said = json.loads(json.dumps(report.as_dict()))
    assert [one["faults"] for one in said["sentences"]] == [[{"kind": "number", "said": "30万元"}], []]
    assert said["sentences"][1]["derived"] == [{"said": "50万元", "how": "30万元 + 20万元"}]


def test_evidence_is_cut_from_the_item_with_its_place() -> None:
    report = check("罚款上限20万元[E1]。", bundle("公章须双人管理。罚款上限20万元。"))
    (evidence,) = report.sentences[0].evidence
    assert (evidence.label, evidence.quote, evidence.span) == ("E1", "罚款上限20万元", Span(8, 16))


def test_number_of_an_item_that_is_not_cited_costs_a_mark_and_no_sentence() -> None:
    answer = "项目总投资1.8亿元，由县交通局负责实施[E1]。"
    evidence = bundle("项目总投资1.8亿元。", "项目由县交通局负责实施，总投资1.8亿元，工期24个月。")
    report = check(answer.replace("负责实施", "负责实施，工期24个月"), evidence)
    assert [one.hard for one in report.sentences] == [()]


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("X200 型水泵的保修期为 36 个月。[E1]", ("X200 型水泵的保修期为 24 个月。", "F90 型水泵的保修期为 36 个月。")),
        (
            "The X200 pump is covered for 36 months.[E1]",
            ("The X200 pump is covered for 24 months.", "The F90 pump is covered for 36 months."),
        ),
    ],
)
def test_value_of_another_thing_does_not_carry_a_sentence(answer: str, evidence: tuple[str, ...]) -> None:
    report = check(answer, bundle(*evidence))
    assert [fault.kind for one in report.sentences for fault in one.hard] == ["number"]


def test_report_of_another_answer_mends_nothing() -> None:
    with pytest.raises(ValueError, match="another answer"):
        mended("乙[E1]。", check("甲[E1]。", bundle("甲。")))


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ("**罚款**\n\n上限为20万元。[E1]", ()),
        ("**罚款：**\n\n- 上限为20万元[E1]", ()),
        ("**罚款上限为20万元**", ("citation_required",)),
        ("上限为20万元。[E1]\n\n**罚款有上限**", ("citation_coverage",)),
        ("**罚款有上限。**\n\n上限为20万元。[E1]", ("citation_coverage",)),
        ("**罚款上限30万元**\n\n上限为20万元。[E1]", ("citation_coverage", "number_unsupported")),
    ],
)
def test_bold_line_that_heads_what_follows_needs_no_mark_and_a_bold_claim_does(
    answer: str, codes: tuple[str, ...]
) -> None:
    assert tuple(code for code in check(answer, bundle("罚款上限为20万元。")).codes if code != "support_low") == codes


TABLE = "| station | town | chargers |\n| --- | --- | --- |\n| North Gate | 青云镇 | 12 |"


def test_the_head_of_a_table_is_no_evidence_that_anything_is_so() -> None:
    report = check("| station | town | chargers |[E1]", bundle(TABLE))
    assert [sentence.evidence for sentence in report.sentences] == [()]
    assert [sentence.faults[0].kind for sentence in report.sentences] == ["support"]
    assert report.unsupported


def test_the_row_of_a_table_and_a_table_with_its_head_are_evidence() -> None:
    assert check("- station：North Gate；town：青云镇；chargers：12[E1]", bundle(TABLE)).valid
    assert check(f"{TABLE}[E1]", bundle(TABLE)).valid
