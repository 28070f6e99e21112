from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.county.ground import ground

from kaozheng.documents.edits import TextEdit, apply_edits
from kaozheng.documents.span import Span
from kaozheng.errors import InputError
from kaozheng.gates.causality import causality
from kaozheng.gates.evidence import evidence
from kaozheng.gates.finding import Action, Gate
from kaozheng.gates.ground import Ground
from kaozheng.gates.pending import PENDING, with_pending
from kaozheng.gates.sensitive import sensitive
from kaozheng.gates.sequence import Status, pass_gates
from kaozheng.gates.structure import structure

WHERE = ground({"context": {"region": "511083", "period": "2024"}})
WORDS = st.sampled_from(
    [
        *(
            "隆昌市",
            "威远县",
            "招商",
            "数字化转型试点",
            "地区生产总值",
            "增速",
            "提高",
            "下降",
            "导致",
            "由于",
            "得益于",
            "使",
        ),
        *(
            "的主要原因是",
            "因为",
            "承诺",
            "供地",
            "税收全免",
            "最差",
            "不得",
            "可能",
            "是否",
            "，",
            "。",
            "；",
            "\n",
            "（",
            "）",
        ),
        *(
            "“",
            "”",
            "《",
            "》",
            "川财规〔2024〕3号",
            "第八条",
            "机密★",
            "13812345678",
            " led to ",
            "growth",
            "6.1%",
            "# ",
        ),
    ]
)
TEXTS = st.lists(WORDS, max_size=30).map("".join)


def test_a_draft_without_fault_succeeds_as_it_came() -> None:
    passage = pass_gates("2024年，隆昌市地区生产总值379.45亿元，增长6.1%。", WHERE)
    assert passage.status is Status.SUCCEEDED
    assert passage.text == passage.original
    assert passage.reason.zh == "六道门禁全部通过"


def test_each_gate_reports_once_and_in_its_order() -> None:
    assert [report.gate for report in pass_gates("隆昌市。", WHERE).reports] == list(Gate)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("招商导致增速提高。", Status.NEEDS_HUMAN_REVIEW),
        ("根据国家有关政策，招商导致增速提高。", Status.SEND_BACK),
        ("根据国家有关政策，招商导致增速提高，联系手机13812345678。", Status.BLOCKED),
    ],
)
def test_the_gravest_finding_decides(text: str, status: Status) -> None:
    assert pass_gates(text, WHERE).status is status


def test_a_report_is_plain_json_and_withholds_a_blocked_text() -> None:
    told = pass_gates("联系手机13812345678。", WHERE).as_dict()
    assert "13812345678" not in json.dumps(told, ensure_ascii=False)
    assert (told["status"], told["text"]) == ("blocked", None)
    assert told["gates"][4]["findings"][0]["code"] == "mobile-number"


def test_a_place_after_a_rewrite_leads_back_to_the_draft() -> None:
    draft = "招商导致增速提高。联系手机13812345678。"
    passage = pass_gates(draft, WHERE)
    found = next(one for one in passage.findings if one.code == "mobile-number")
    origin = passage.origin(found)
    assert passage.text[found.span.start : found.span.end] == draft[origin.start : origin.end] == "13812345678"


def test_feedback_tells_a_writer_what_to_mend_in_both_languages() -> None:
    passage = pass_gates("根据国家有关政策，招商导致增速提高。", WHERE)
    assert passage.feedback("zh") == ["证据门禁：“根据国家有关政策” 没有写明是哪一份文件：请写文号和条款"]
    assert passage.feedback("en")[0].startswith("evidence: '根据国家有关政策' It names no document")


def test_an_unknown_type_of_report_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="monitoring_report"):
        pass_gates("隆昌市。", replace(WHERE, report_type="weekly"))


def test_what_a_writer_could_not_mend_becomes_pending_and_then_waits_for_a_person() -> None:
    draft = "2024年，隆昌市社会消费品零售总额142.3亿元。川府发〔2024〕33号另有要求。"
    marked, listed = with_pending(draft, pass_gates(draft, WHERE).reports)
    assert marked == f"2024年，隆昌市社会消费品零售总额{PENDING}。{PENDING}另有要求。"
    assert [one.quote for one in listed] == ["142.3亿元", "川府发〔2024〕33号"]
    assert pass_gates(marked, WHERE).status is Status.NEEDS_HUMAN_REVIEW


def test_a_result_of_amber_readiness_carries_a_claim_but_asks_a_person() -> None:
    amber = replace(WHERE, results=tuple(replace(result, readiness="amber") for result in WHERE.results))
    text = "列入数字化转型试点使隆昌市规模以上工业增加值增速提高1.2个百分点。"
    passage = pass_gates(text, amber)
    assert passage.text == text
    assert [one.code for one in passage.reports[-1].findings] == ["review-amber"]


@pytest.mark.parametrize(
    ("changed", "code"), [({"readiness": "red"}, "result-not-ready"), ({"low": -1}, "result-not-significant")]
)
def test_a_result_that_does_not_hold_carries_nothing(changed: dict[str, object], code: str) -> None:
    weak = replace(WHERE, results=tuple(replace(result, **changed) for result in WHERE.results))  # type: ignore[arg-type]
    report = causality("列入数字化转型试点使隆昌市规模以上工业增加值增速提高1.2个百分点。", weak)
    assert code in {finding.code for finding in report.findings}


@given(TEXTS)
def test_the_text_of_a_report_is_the_draft_with_its_replacements(text: str) -> None:
    report = causality(text, WHERE)
    edits = [TextEdit(one.span, one.replacement) for one in report.findings if one.replacement is not None]
    assert apply_edits(text, edits) == report.text
    assert (report.text == text) is (not edits)


@given(TEXTS)
def test_every_finding_has_its_place_and_every_place_its_origin(text: str) -> None:
    passage = pass_gates(text, WHERE)
    given_to = dict(zip(Gate, [text, *(report.text for report in passage.reports)], strict=False))
    for one in passage.findings:
        assert one.span.end <= len(given_to[one.gate])
        assert passage.origin(one).end <= len(text)
        if one.gate is not Gate.SENSITIVE:
            assert one.quote == given_to[one.gate][one.span.start : one.span.end]
        assert one.reason.zh
        assert one.reason.en


@given(TEXTS)
def test_nothing_that_is_told_of_a_block_lets_a_mobile_number_out(text: str) -> None:
    told = sensitive(f"{text}，手机13812345678。", WHERE)
    assert any(one.action is Action.BLOCK for one in told.findings)
    assert all("13812345678" not in one.quote for one in told.findings if one.code == "mobile-number")


@pytest.mark.parametrize(
    "unit",
    [
        "导致",
        "由于需求不足，",
        "是的原因",
        "led to ",
        "承诺供地税收",
        "根据有关",
        "6222 ",
        "“",
        "（一）",
        "# \n",
        "可能是\n\n",
    ],
)
def test_a_hundred_thousand_characters_of_one_kind_are_read_to_their_end(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    asked = replace(WHERE, report_type="monitoring_report")
    for gate in (evidence, causality, structure, sensitive):
        report = gate(text, asked)
        assert all(one.span.end <= len(text) for one in report.findings)


def test_spans_of_findings_of_a_gate_are_in_order() -> None:
    text = "招商导致增速提高。市政府承诺零地价供地。该县排名全市倒数第一。"
    found = [one.span for one in causality(text, WHERE).findings]
    assert found == sorted(found)
    assert Span(2, 4) in found


def test_a_ground_without_policies_and_results_is_enough() -> None:
    bare = Ground(facts=WHERE.facts, gazetteer=WHERE.gazetteer, today=WHERE.today)
    assert pass_gates("招商导致增速提高。", bare).text == "招商与增速提高提示存在关联，需实地核验。"
