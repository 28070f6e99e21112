"""Gate 1 on the synthetic world: the blind drafts and paragraphs, our own, and all rows in mutated sentences."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.county import ground as world

from kaozheng.county.figures.derivation import Derivation
from kaozheng.county.figures.fact_sheet import Fact
from kaozheng.county.figures.rendering import render
from kaozheng.gates.finding import Action, Gate
from kaozheng.gates.ground import Ground
from kaozheng.gates.numbers import Judged, judged, numbers

REPORT = {"region": "511083", "period": "2024"}
OWN: dict[str, Any] = yaml.safe_load((world.HERE / "cases" / "number_gate.yml").read_text(encoding="utf-8"))


def refused(text: str, ground: Ground) -> list[Judged]:
    return [one for one in judged(text, ground) if one.why_not]


def own_ground(context: dict[str, str]) -> Ground:
    ground = world.ground({"context": context} if context else None)
    return replace(ground, facts=ground.facts.registering(map(Derivation.parse, OWN["derivations"])))


def own(kind: str) -> list[dict[str, Any]]:
    return [{"context": REPORT, **(entry if isinstance(entry, dict) else {"text": entry})} for entry in OWN[kind]]


@pytest.mark.parametrize("case", own("pass"), ids=lambda case: case["text"][:24])
def test_a_true_paragraph_of_our_own_passes(case: dict[str, Any]) -> None:
    found = judged(case["text"], own_ground(case["context"]))
    assert [(one.text, one.why_not) for one in found if one.why_not] == []
    assert all(one.sources for one in found)


@pytest.mark.parametrize("case", own("fail"), ids=lambda case: case["text"][:24])
def test_a_false_number_of_our_own_is_sent_back_with_its_reason(case: dict[str, Any]) -> None:
    found = refused(case["text"], own_ground(case["context"]))
    assert (case["at"], case["code"]) in [(one.text, one.why_not.code) for one in found if one.why_not]


@pytest.mark.parametrize("case", world.cases("clean.yml"), ids=lambda case: case["id"])
def test_a_clean_paragraph_passes_and_each_number_leads_to_its_source(case: dict[str, Any]) -> None:
    found = {(one.span.start, one.span.end): one for one in judged(case["text"], world.ground(case))}
    assert [(one.text, one.why_not) for one in found.values() if one.why_not] == []
    for number in case["numbers"]:
        sources = found[tuple(number["span"])].sources
        if "row" in number:
            assert sources == (number["row"],)
        elif "model" in number:
            assert sources == (number["model"].split(".")[0],)
        elif "clause" in number:
            assert sources == (number["clause"],)
        else:
            assert set(sources) == set(number["derive"]["inputs"])


@pytest.mark.parametrize("case", world.cases("attacks.yml"), ids=lambda case: case["id"])
def test_an_attack_on_numbers_is_stopped_and_the_true_numbers_beside_it_are_not(case: dict[str, Any]) -> None:
    report = numbers(case["text"], world.ground(case))
    spans = [(finding.span.start, finding.span.end) for finding in report.findings]
    if case["gate"] == 1:
        faults = [case["fault"]["span"], *(fault["span"] for fault in case.get("also_fault", ()))]
        assert any(start < fault[1] and fault[0] < end for start, end in spans for fault in faults)
        assert not report.passed
    for true in case["true_numbers"]:
        assert not any(start < true["span"][1] and true["span"][0] < end for start, end in spans)


def test_a_finding_is_of_gate_1_and_quotes_the_text() -> None:
    text = "2024年，威远县一般公共预算收入同比增长1.7%。"
    ground = world.ground({"context": REPORT})
    (finding,) = numbers(text, replace(ground, facts=ground.facts.with_yearly_changes())).findings
    assert (finding.gate, finding.action, finding.code) == (Gate.NUMBERS, Action.SEND_BACK, "number-direction")
    assert finding.quote == "增长1.7%" == text[finding.span.start : finding.span.end]
    assert finding.rows == ("revenue.511024.2024", "revenue.511024.2023")


def test_a_change_that_nobody_registered_is_sent_back_with_the_derivation_to_register() -> None:
    (finding,) = numbers("2024年，隆昌市一般公共预算收入增长7.8%。", world.ground({"context": REPORT})).findings
    assert finding.code == "number-not-registered"
    assert "growth(revenue.511083.2024, revenue.511083.2023)" in finding.reason.zh


def test_a_text_without_numbers_passes() -> None:
    assert numbers("隆昌市经济运行总体平稳。", world.ground()).passed


@cache
def rows() -> list[tuple[str, Fact]]:
    """A sentence for each row of a year that has a value and whose region has a name of its own."""
    names = {"511083": "隆昌市", "511024": "威远县", "511002": "内江市市中区", "511102": "乐山市市中区"}
    ground = world.ground({"context": REPORT})
    return [
        (f"{fact.id.period.zh}{names[fact.id.region]}{fact.indicator.name}为{{}}。", fact)
        for fact in ground.facts.facts.values()
        if fact.value is not None and not fact.id.period.quarter
    ]


def test_every_row_passes_as_it_is_and_in_another_unit() -> None:
    ground = world.ground({"context": REPORT})
    for sentence, fact in rows():
        assert fact.value is not None
        assert refused(sentence.format(f"{fact.value}{fact.indicator.unit}"), ground) == [], fact.id
        if fact.indicator.unit == "亿元":
            assert refused(sentence.format(f"{fact.value * 10_000:.0f}万元"), ground) == [], fact.id


def test_what_is_rendered_from_references_passes_with_its_derivations() -> None:
    ground = world.ground({"context": REPORT})
    tried = 0
    for sentence, fact in rows():
        unit, base = fact.indicator.unit, replace(fact.id, period=fact.id.period.year_ago)
        before = ground.facts.look_up(base)
        if before is None or before.value is None or before.value == fact.value:
            continue
        change = "个百分点" if fact.indicator.is_rate else unit
        draft = sentence.format(
            f"{{{{m:{fact.id}|{unit}|3}}}}，比上年{{{{d:difference({fact.id}, {base})|{change}|3|change}}}}"
        )
        rendering = render(draft, ground.facts)
        assert not any(remark.refused for remark in rendering.remarks)
        facts = ground.facts.registering(rendering.derivations)
        assert refused(rendering.text, replace(ground, facts=facts)) == [], rendering.text
        assert refused(rendering.text, ground) != [], rendering.text
        tried += 1
    assert tried > 50


@pytest.mark.parametrize("mutation", ["one digit more", "one digit less", "swapped digits", "x 10", "/ 10", "sign"])
def test_no_row_passes_mutated(mutation: str) -> None:
    ground = world.ground({"context": REPORT})
    passed, tried = [], 0
    for sentence, fact in rows():
        assert fact.value is not None
        wrong = _mutated(fact.value, mutation)
        if wrong is None or wrong == fact.value:
            continue
        tried += 1
        if not refused(sentence.format(f"{wrong}{fact.indicator.unit}"), ground):
            passed.append((str(fact.id), wrong))
    assert passed == []
    assert tried > 50


def _mutated(value: Decimal, mutation: str) -> Decimal | None:
    last = Decimal(1).scaleb(int(value.as_tuple().exponent))
    if mutation == "one digit more":
        return value + last
    if mutation == "one digit less":
        return value - last
    if mutation == "x 10":
        return Decimal(f"{value * 10:f}")
    if mutation == "/ 10":
        return Decimal(f"{value / 10:f}")
    if mutation == "sign":
        return -value
    digits = str(value)
    at = next(
        (at for at in range(len(digits) - 1) if digits[at : at + 2].isdigit() and digits[at] != digits[at + 1]), -1
    )
    return None if at < 0 else Decimal(digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :])


def test_no_row_passes_for_another_year_or_county() -> None:
    ground = world.ground({"context": REPORT})
    values = {fact.id: fact for _, fact in rows()}
    passed = []
    for sentence, fact in rows():
        for other in values.values():
            same_unit = other.indicator.unit == fact.indicator.unit
            near = abs(other.value - fact.value) <= Decimal("0.05") if other.value and fact.value else True
            if other.id == fact.id or not same_unit or near or other.indicator.key != fact.indicator.key:
                continue
            if not refused(sentence.format(f"{other.value}{other.indicator.unit}"), ground):
                passed.append((str(fact.id), str(other.id)))
    assert passed == []


def test_cells_of_a_table_are_held_against_rows_by_row_column_and_unit() -> None:
    text = """表1 2024年主要指标（单位：亿元）

| 县 | GDP | 增长（%） | 常住人口（万人） |
|---|---|---|---|
| 隆昌市 | 379.45 | 6.1 | 56.1 |
| 威远县 | 468.93 | 5.7 | 55.3 |

| 指标 | 2023年 | 2024年 |
|---|---|---|
| 地区生产总值（亿元） | 358.72 | 379.45 |
| 规模以上工业企业（家） | 198 | 208 |
| 社会消费品零售总额（亿元） | 342.16 | 379.45 |
"""
    found = judged(text, world.ground({"context": REPORT}))
    assert len(found) == 12
    assert [one.text for one in found if one.why_not] == ["5.7", "55.3", "208", "342.16", "379.45"]
    assert all(text[one.span.start : one.span.end] == one.text for one in found)


def test_a_heading_says_of_which_county_and_year_the_text_below_speaks() -> None:
    ground = world.ground({"context": REPORT})
    text = "# 2023年威远县\n\n地区生产总值447.80亿元。\n\n# 全市情况\n\n地区生产总值379.45亿元。"
    assert refused(text, ground) == []
    assert [one.text for one in refused(text.replace("# 全市情况\n\n", ""), ground)] == ["379.45亿元"]


def test_a_long_paragraph_is_read_in_linear_time() -> None:
    ground = world.ground({"context": REPORT})
    text = "2024年隆昌市地区生产总值379.45亿元，比威远县" * 2_000 + "《" * 2_000 + "(" * 2_000
    assert len(judged(text, ground)) == 2_000


@given(
    st.lists(
        st.sampled_from(
            [
                "隆昌市",
                "威远县",
                "市中区",
                "全市",
                "地区生产总值",
                "常住人口",
                "增速",
                "2024年",
                "1900年",
                "二〇〇〇年",
                "一〇〇〇年",
                "上年",
                "上半年",
                "1—9月",
                "1e99",
                "٣",
                "十二月",
                "2022—2024年",
                "前年",
                "2、3、",
                "379.45亿元",
                "6.1%",
                "-1.4%",
                "0.7个百分点",
                "207家",
                "第1位",
                "③",
                "一半",
                "由",
                "至",
                "比",
                "占",
                "分别为",
                "增长",
                "下降至",
                "，",
                "。",
                "（",
                "）",
                "、",
                "和",
                "《",
                "》",
                "|",
                "**",
                "#",
                "\n",
                "川府发〔2022〕21号",
                "第八条",
                "模型",
                "p=",
                "置信区间",
                "GDP",
                "in",
                "2024",
                "环比",
                "同比",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_no_text_breaks_the_gate_and_each_finding_quotes_it(text: str) -> None:
    report = numbers(text, world.ground({"context": REPORT}))
    assert report.text == text
    for finding in report.findings:
        assert finding.quote == text[finding.span.start : finding.span.end] != ""
