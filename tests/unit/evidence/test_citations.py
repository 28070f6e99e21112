"""Marks in an answer: every form, unknown ones, and what a growing text holds back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.citations import citations_of, held_back, is_refusal, marks_of, normalised, unknown_marks
from kaozheng.evidence.grounding import check
from kaozheng.evidence.mending import mended

CASES = Path(__file__).parents[4] / "shared" / "cases" / "rag_issues.jsonl"
needs_cases = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")
FORMS = [
    "[E1]",
    "[E1, E3]",
    "[E1][E2]",
    "【E1】",
    "［E1］",
    "[E1-E3]",
    "(E1)",
    "（E1，E2）",
    "[^E1]",
    "［ Ｅ１ ］",
    "[[E1]]",
    "[5,7]",
]


def bundle(texts: list[str]) -> EvidenceBundle:
    items = [
        EvidenceItem(f"E{n}", "kb", f"{n}.md", "", (), LineRange(1, 1), Span(0, len(text)), text)
        for n, text in enumerate(texts, 1)
    ]
    return EvidenceBundle(tuple(items), "ok" if items else "empty")


def shared(case: str) -> dict[str, object]:
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return next(row["minimal_input"] for row in rows if row["id"] == case)


@pytest.mark.parametrize(
    ("written", "one"),
    [
        ("[E1]", "[E1]"),
        ("[E1, E3]", "[E1][E3]"),
        ("[E1][E2]", "[E1][E2]"),
        ("【E1】", "[E1]"),
        ("［E1］", "[E1]"),
        ("[E1-E3]", "[E1][E2][E3]"),
        ("[E1–3]", "[E1][E2][E3]"),
        ("(E1)", "[E1]"),
        ("（E1，E2）", "[E1][E2]"),
        ("[^E1]", "[E1]"),
        ("［ Ｅ１ ］", "[E1]"),
        ("[E1、E2和E4]", "[E1][E2][E4]"),
        ("[E1；E2]", "[E1][E2]"),
        ("[证据E1]", "[E1]"),
        ("[[E1]](#)", "[E1]"),
        ("[E1](https://example.org/a)", "[E1]"),
        ("[E1，第3条]", "[E1]"),
        ("[E12]", "[E12]"),
    ],
)
def test_every_form_is_brought_to_one(written: str, one: str) -> None:
    assert normalised(f"甲{written}。") == f"甲{one}。"


@pytest.mark.parametrize(
    "text",
    [
        "`[E1]`",
        "```\n[E1]\n```",
        "见[2023]15号",
        "a[5]",
        "[1](http://a.org)",
        "[x](y)",
        "(Example)",
        "E1",
        "- [ ] 甲",
        "（2023）",
    ],
)
def test_what_only_looks_like_a_mark_is_text(text: str) -> None:
    assert marks_of(text) == []


@pytest.mark.parametrize("written", ["[5,7]", "[ID:0]", "【3†source】", "[^3]", "[来源1]", "[E1-E99]"])
def test_marks_of_no_item_are_unknown(written: str) -> None:
    assert [mark.written for mark in unknown_marks(f"甲{written}。", bundle(["甲。"]))] == [written]


def test_labels_lead_to_their_own_items_whatever_their_order() -> None:
    cited = citations_of("乙[E2]。甲[E1]。乙[E2]。", bundle(["甲。", "乙。"]))
    assert [(one.label, one.item.text) for one in cited] == [("E2", "乙。"), ("E1", "甲。"), ("E2", "乙。")]
    assert len({one.span for one in cited}) == 3


@given(st.lists(st.sampled_from([*FORMS, "结论", "。", " 参见 ", "f(x)", "（见下）", "a b"]), max_size=8), st.data())
def test_no_cut_leaves_half_a_mark(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    at = data.draw(st.integers(0, len(text)))
    shown = text[: at - held_back(text[:at])] if at else ""
    for mark in marks_of(text):
        whole = text[mark.span.start : len(shown)]
        assert not mark.span.start < len(shown) < mark.span.end or marks_of(whole)[0].span == Span(0, len(whole))


@given(st.text(alphabet="[]【】（）()E1,、 a甲\n", max_size=40))
def test_little_is_held_back_and_never_more_than_there_is(text: str) -> None:
    assert 0 <= held_back(text) <= min(len(text), 330)


@pytest.mark.parametrize("text", ["参见。", "[E1]", "【E2】", "他说（见上）", "x[E1]\n", ""])
def test_finished_text_is_not_held_back(text: str) -> None:
    assert held_back(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        "很抱歉，在知识库中未能找到相关解答",
        "没有在知识库中查找到相关信息",
        "I do not know based on the provided documents.",
        "根据提供的资料，无法确定具体日期。",
        "The documents do not contain information about this. Please contact support.",
        "知识库中没有相关内容[E1]。建议咨询人事部门。",
    ],
)
def test_refusals_are_told(text: str) -> None:
    assert is_refusal(text)
    assert citations_of(text + "[E1]", bundle(["甲。"])) == []


@pytest.mark.parametrize(
    "text",
    [
        "罚款上限20万元。",
        "知识库中没有相关内容。不过珠峰高度约8848米。",
        "文件规定，未提供材料的不予受理。",
        "企业不得提供虚假信息。",
        "The device does not contain mercury.",
        "资料未提及期限，但罚款上限为20万元。",
    ],
)
def test_answers_are_no_refusals(text: str) -> None:
    assert not is_refusal(text)


@needs_cases
@pytest.mark.parametrize("case", ["rag-11", "rag-12"])
def test_rag_11_12_refusal_carries_no_citation(case: str) -> None:
    said = str(shared(case)["model_output"]) + "[E1]"
    evidence = bundle(["甲。", "乙。"])
    report = check(said, evidence)
    assert report.refusal
    assert citations_of(said, evidence) == []
    assert "E1" not in mended(said, report)


@needs_cases
def test_rag_13_number_from_nowhere_is_unsupported() -> None:
    case = shared("rag-13")
    report = check(str(case["model_output"]), bundle([]), str(case["query"]))
    assert [fault.said for one in report.sentences for fault in one.hard] == ["8848米"]
    assert "8848" not in mended(str(case["model_output"]), report)


@needs_cases
def test_rag_15_each_mark_resolves_to_its_own_chunk() -> None:
    case = shared("rag-15")
    evidence = case["evidence"]
    assert isinstance(evidence, dict)
    cited = citations_of(str(case["answer"]), bundle(list(evidence.values())))
    assert [(one.label, one.item.text) for one in cited] == list(evidence.items())


@needs_cases
def test_rag_17_marks_out_of_range_leave_the_text() -> None:
    case = shared("rag-17")
    evidence = bundle(["支持离线部署。", "乙。", "丙。", "丁。"])
    report = check(str(case["answer"]), evidence)
    assert report.blocking
    assert mended(str(case["answer"]), report) == "支持离线部署[E1]。"


@needs_cases
def test_rag_20_text_that_the_question_brings_is_not_cited() -> None:
    case = shared("rag-20")
    answer = "《原理》出版于1687年。"
    report = check(answer, bundle([]), str(case["query"]))
    assert [one.hard for one in report.sentences] == [()]
    assert citations_of(mended(answer, report), bundle([])) == []


@needs_cases
def test_rag_27_both_changed_numbers_are_found() -> None:
    case = shared("rag-27")
    evidence = case["evidence"]
    assert isinstance(evidence, dict)
    report = check(str(case["answer"]), bundle(list(evidence.values())))
    assert [fault.said for one in report.sentences for fault in one.hard] == ["85%", "2022年"]


@needs_cases
def test_rag_29_wrong_figure_does_not_leave() -> None:
    case = shared("rag-29")
    evidence = case["evidence"]
    assert isinstance(evidence, dict)
    revised = str(case["revised_answer"])
    text = mended(revised, check(revised, bundle(list(evidence.values()))))
    assert text == "资料原文：“罚款上限20万元”[E1]。"


@needs_cases
def test_rag_57_no_delta_ends_within_a_mark() -> None:
    tokens = shared("rag-57")["tokens"]
    assert isinstance(tokens, list)
    text = "".join(tokens)
    for at in range(len(text) + 1):
        shown = text[: at - held_back(text[:at])] if at else ""
        assert not any(mark.span.start < len(shown) < mark.span.end for mark in marks_of(text))
