from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from kaozheng.county.policy import Policy
from kaozheng.documents.document_numbers import document_numbers
from kaozheng.gates.document_numbers import check_document_numbers, citations

SHARED = Path(__file__).parents[4] / "shared" / "cases"
TODAY = date(2025, 6, 30)
POLICIES = tuple(
    Policy(f"P{place}", number, "", when, title)
    for place, (number, when, title) in enumerate(
        (
            ("川府发〔2022〕21号", date(2022, 9, 14), "关于推动县域经济高质量发展的若干意见"),
            ("川办发〔2023〕9号", date(2023, 3, 20), "关于支持县域特色产业集群建设的实施意见"),
            ("川经信企业〔2022〕7号", date(2022, 4, 11), "关于开展中小企业数字化转型试点工作的通知"),
            ("企业〔2022〕7号", date(2022, 1, 1), "另一个机关同一年同一号的文件"),
            ("国办函〔2022〕99号", date(2022, 9, 1), "关于某事项的函件内容"),
            ("四川省人民政府令第341号", date(2020, 5, 1), "某办法全文"),
        ),
        1,
    )
)


def codes(text: str) -> list[str]:
    return [finding.code for finding in check_document_numbers(text, POLICIES, TODAY)]


@pytest.mark.parametrize(
    "text",
    [
        "根据川府发〔2022〕21号要求",
        "《关于推动县域经济高质量发展的若干意见》（川府发〔2022〕21号）",
        "川府发〔2022〕21号《县域经济高质量发展的若干意见》",
        "《关于印发〈关于支持县域特色产业集群建设的实施意见〉的通知》（川办发〔2023〕9号）",
        "川府发〔2022〕21号和国办函〔2022〕99号",
        "2022年9月14日印发的川府发〔2022〕21号",
        "四川省人民政府令第341号",
        "（2021）川1028民初123号",
        "第3号令、第15号台风，2023年15号线开通，GB/T 9704—2012",
    ],
)
def test_registered_numbers_pass_and_other_numbers_are_no_document_numbers(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("川府发[2022]21号", "川府发〔2022〕21号"),
        ("川府发［２０２２］２１号", "川府发〔2022〕21号"),
        ("（川办发（2023）9号）", "川办发〔2023〕9号"),
        ("川办发【2023】第9号", "川办发〔2023〕9号"),
        ("川办发﹝2023﹞009号", "川办发〔2023〕9号"),
        ("川办发〖2023〗9号", "川办发〔2023〕9号"),
        ("川经信企业 〔2022〕 7 号", "川经信企业〔2022〕7号"),
        ("川府发〔二〇二二〕二十一号", "川府发〔2022〕21号"),
        ("川府发2022年21号", "川府发〔2022〕21号"),
    ],
)
def test_another_way_of_writing_is_noted_with_the_one_form(text: str, form: str) -> None:
    (finding,) = check_document_numbers(text, POLICIES, TODAY)
    assert (finding.code, finding.action) == ("document-number-form", "note")
    assert form in finding.reason.zh


def test_the_longest_registered_agency_that_ends_at_the_bracket_is_the_one() -> None:
    text = "落实川经信企业〔2022〕7号"
    (one,) = citations(text, POLICIES)
    assert one.policy is not None
    assert one.policy.id == "P3"
    assert text[one.span.start : one.span.end] == "川经信企业〔2022〕7号"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("川府发〔2022〕22号", "document-number-unknown"),
        ("川府发2022年22号", "document-number-unknown"),
        ("川府发〔二〇二二〕二十二号", "document-number-unknown"),
        ("川府发〔2022〕21号、〔2023〕9号", "document-number-unknown"),
        ("成府发〔2022〕21号", "document-number-unknown"),
        ("川府发〔2022〕21号、12号", "document-number-unknown"),
        ("四川省人民政府令第342号", "document-number-unknown"),
        ("川府发〔2026〕1号", "document-number-future"),
        ("《关于支持县域特色产业集群建设的实施意见》（川府发〔2022〕21号）", "document-number-title"),
        ("川府发〔2022〕21号《关于支持县域特色产业集群建设的实施意见》", "document-number-title"),
        ("2023年印发的川府发〔2022〕21号", "document-number-date"),
        ("2022年9月15日印发的川府发〔2022〕21号", "document-number-date"),
    ],
)
def test_what_the_register_does_not_say_is_sent_back(text: str, code: str) -> None:
    findings = check_document_numbers(text, POLICIES, TODAY)
    assert [(finding.code, finding.action) for finding in findings] == [(code, "send_back")]
    assert text[findings[0].span.start : findings[0].span.end] == findings[0].quote


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("企业享受川办发〔2023〕10号政策", ["川办发〔2023〕10号"]),
        ("企业享受川府发〔2022〕22号、〔2023〕9号政策", ["川府发〔2022〕22号", "川府发〔2023〕9号"]),
        ("川府发〔2022〕22号、23号和24号文件", ["川府发〔2022〕22号", "川府发〔2022〕23号", "川府发〔2022〕24号"]),
        ("川府发〔2022〕22号和36号楼", ["川府发〔2022〕22号"]),
        ("与税务总局公告2023年第12号", ["税务总局公告2023年第12号"]),
    ],
)
def test_a_number_that_is_not_registered_has_its_registered_agency(text: str, forms: list[str]) -> None:
    found = citations(text, POLICIES)
    assert [one.form for one in found] == forms
    assert all(text[one.span.start : one.span.end] == one.form for one in found if one.form in text)


def test_the_number_of_a_province_is_not_that_of_the_ministry() -> None:
    register = (*POLICIES, Policy("P9", "财建〔2021〕306号", "", TODAY, "某项资金管理办法全文"))
    assert [one.policy and one.policy.id for one in citations("财建〔2021〕306号", register)] == ["P9"]
    assert [(one.form, one.policy) for one in citations("川财建〔2021〕306号", register)] == [
        ("川财建〔2021〕306号", None)
    ]


def test_a_wrong_number_under_a_registered_title_names_the_right_one() -> None:
    (finding,) = check_document_numbers(
        "《关于支持县域特色产业集群建设的实施意见》（川办发〔2023〕19号）", POLICIES, TODAY
    )
    assert "川办发〔2023〕9号" in finding.reason.zh


def test_real_numbers_are_found_with_the_register() -> None:
    path = SHARED / "docnum_zh.jsonl"
    if not path.exists():
        pytest.skip(f"no shared cases at {path}")
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    register = tuple(
        Policy(number, number, "", TODAY, f"某文件{place}号全文")
        for place, number in enumerate(number for case in cases for number in case["docnums"])
    )
    for case in cases:
        found = citations(case["text"], register)
        assert [one.policy and one.policy.number for one in found] == case["docnums"]
        assert not found or document_numbers(case["text"])


def test_a_long_text_of_brackets_is_read_in_a_moment() -> None:
    text = "川府发〔2022" * 10_000 + "《" * 10_000 + "号" * 10_000
    assert check_document_numbers(text, POLICIES, TODAY) == []
