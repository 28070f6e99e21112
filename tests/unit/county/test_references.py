from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.county.figures.bare_numbers import bare_numbers
from kaozheng.county.figures.derivation import Derivation, Operation
from kaozheng.county.figures.fact_sheet import FactSheet
from kaozheng.county.figures.reference import Reference, references
from kaozheng.county.figures.rendering import Code, render
from kaozheng.county.figures.writing import PENDING
from kaozheng.county.row_id import RowId
from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region

HERE, THERE, ELSEWHERE = (
    Region(code, 2024, name) for code, name in (("511083", "甲市"), ("511024", "乙县"), ("511002", "丙区"))
)
INDICATORS = (
    Indicator("gdp", "地区生产总值", "亿元", owner="统计局"),
    Indicator("gdp_growth", "地区生产总值增速", "%", owner="统计局"),
    Indicator("urban", "城镇化率", "%"),
    Indicator("pop", "常住人口", "万人"),
    Indicator("death", "死亡率", "‰"),
)
VALUES = {
    "gdp.511083.2022": "342.16",
    "gdp.511083.2023": "358.72",
    "gdp.511083.2024": "379.45",
    "gdp.511083.2024Q1": "86.31",
    "gdp.511083.2023Q1": "0",
    "gdp.511024.2024": "468.93",
    "gdp.511002.2024": None,
    "gdp_growth.511083.2023": "6.3",
    "gdp_growth.511083.2024": "6.1",
    "gdp_growth.511024.2024": "-1.4",
    "urban.511083.2023": "48.25",
    "urban.511083.2024": "48.15",
    "pop.511083.2024": "56.1",
    "death.511083.2023": "7.1",
    "death.511083.2024": "7.3",
}


def observation(row: str, value: str | None, vintage: str = "2025", unit: str = "") -> Observation:
    name = RowId.parse(row)
    region = next(one for one in (HERE, THERE, ELSEWHERE) if one.code == name.region)
    own = next(one.unit for one in INDICATORS if one.key == name.indicator)
    number = Decimal(value) if value is not None else None
    missing = None if value is not None else Missing.NO_DATA
    return Observation(region, name.indicator, name.period, value or "—", number, unit or own, "表1", vintage, missing)


SHEET = FactSheet.of([observation(row, value) for row, value in VALUES.items()], INDICATORS)


@pytest.mark.parametrize(
    ("reference", "zh", "en"),
    [
        ("{{m:gdp.511083.2024|亿元|2}}", "379.45亿元", "379.45亿元"),
        ("{{m:gdp.511083.2024|亿元|1}}", "379.5亿元", "379.5亿元"),
        ("{{m:gdp.511083.2024|亿元|0}}", "379亿元", "379亿元"),
        ("{{m:gdp.511083.2024|万元|0}}", "3794500万元", "3,794,500万元"),
        ("{{m:gdp.511083.2024|billion yuan|3}}", "37.945billion yuan", "37.945 billion yuan"),
        ("{{m:gdp_growth.511083.2024|%|1|change}}", "增长6.1%", "grew 6.1%"),
        ("{{m:gdp_growth.511024.2024|%|1|change}}", "下降1.4%", "fell 1.4%"),
        ("{{m:gdp_growth.511024.2024|%|1}}", "-1.4%", "-1.4%"),
        ("{{d:growth(gdp.511083.2024, gdp.511083.2023)|%|1|change}}", "增长5.8%", "grew 5.8%"),
        ("{{d:growth(gdp.511083.2023, gdp.511083.2024)|%|1|change}}", "下降5.5%", "fell 5.5%"),
        ("{{d:difference(gdp.511083.2024, gdp.511083.2023)|亿元|2|change}}", "增加20.73亿元", "rose by 20.73亿元"),
        (
            "{{d:difference(gdp_growth.511083.2024, gdp_growth.511083.2023)|个百分点|1|change}}",
            "回落0.2个百分点",
            "fell by 0.2 percentage points",
        ),
        (
            "{{d:difference(urban.511083.2024, urban.511083.2023)|个百分点|1|change}}",
            "下降0.1个百分点",
            "fell by 0.1 percentage points",
        ),
        ("{{d:difference(death.511083.2024, death.511083.2023)|个千分点|1|change}}", "提高0.2个千分点", None),
        ("{{d:share(gdp.511083.2024, gdp.511024.2024)|%|1}}", "80.9%", "80.9%"),
        ("{{d:ratio(gdp.511024.2024, gdp.511083.2024)|倍|2}}", "1.24倍", None),
        ("{{d:ratio(gdp.511083.2024, pop.511083.2024)|万元/人|2}}", "6.76万元/人", None),
        ("{{d:rank(gdp.511083.2024, gdp.511024.2024, gdp.511002.2024)|位|0}}", "第2位", "2nd"),
        ("{{d:rank_up(gdp.511083.2024, gdp.511024.2024)|位|0}}", "第1位", "1st"),
        ("{{d:sum(gdp.511083.2024, gdp.511024.2024)|亿元|2}}", "848.38亿元", None),
        ("{{d:cagr(gdp.511083.2024, gdp.511083.2022)|%|1|change}}", "增长5.3%", "grew 5.3%"),
        (
            "｛{m:gdp.511083.2024｜亿元｜2}}",
            "｛{m:gdp.511083.2024｜亿元｜2}}".replace("{m:gdp.511083.2024｜亿元｜2}}", PENDING),
            None,
        ),
        ("{{ m：gdp.511083.2024 ｜ 亿元 ｜ 2 }}", "379.45亿元", None),
        ("| {{m:gdp.511083.2024\\|亿元\\|2}} |", "| 379.45亿元 |", None),
    ],
)
def test_a_reference_becomes_what_its_row_says(reference: str, zh: str, en: str | None) -> None:
    assert render(reference, SHEET).text == zh
    if en:
        assert render(reference, SHEET, "en").text == en


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("{{m:gdp.511083.2030|亿元|2}}", Code.UNKNOWN_ROW),
        ("{{m:nothing.511083.2024|亿元|2}}", Code.UNKNOWN_ROW),
        ("{{m:gdp.511083.2024@1999|亿元|2}}", Code.UNKNOWN_ROW),
        ("{{m:gdp.511002.2024|亿元|2}}", Code.MISSING_VALUE),
        ("{{d:growth(gdp.511002.2024, gdp.511083.2024)|%|1}}", Code.MISSING_VALUE),
        ("{{m:gdp.511083.2024|%|2}}", Code.WRONG_UNIT),
        ("{{m:gdp.511083.2024|美元|2}}", Code.WRONG_UNIT),
        ("{{m:gdp_growth.511083.2024|个百分点|1}}", Code.WRONG_UNIT),
        ("{{d:difference(gdp_growth.511083.2024, gdp_growth.511083.2023)|%|1}}", Code.WRONG_UNIT),
        ("{{m:gdp.511083.2024|亿元|2|change}}", Code.NO_CHANGE),
        ("{{m:urban.511083.2024|%|2|change}}", Code.NO_CHANGE),
        ("{{d:share(gdp.511083.2024, gdp.511024.2024)|%|1|change}}", Code.NO_CHANGE),
        ("{{d:growth(gdp_growth.511083.2024, gdp_growth.511083.2023)|%|1}}", Code.NO_VALUE),
        ("{{d:sum(urban.511083.2024, urban.511083.2023)|%|1}}", Code.NO_VALUE),
        ("{{d:growth(gdp.511083.2024, gdp.511083.2024Q1)|%|1}}", Code.NO_VALUE),
        ("{{d:growth(gdp.511083.2024Q1, gdp.511083.2023Q1)|%|1}}", Code.NO_VALUE),
        ("{{d:growth(gdp.511083.2024, gdp.511083.2024)|%|1}}", Code.NO_VALUE),
        ("{{d:growth(gdp.511083.2023, gdp.511024.2024)|%|1}}", Code.NO_VALUE),
        ("{{d:growth(gdp.511083.2024)|%|1}}", Code.NO_VALUE),
        ("{{d:difference(gdp.511083.2024, pop.511083.2024)|亿元|1}}", Code.NO_VALUE),
        ("{{d:rank(gdp.511083.2024, gdp.511083.2023)|位|0}}", Code.NO_VALUE),
        ("{{d:cagr(gdp.511083.2024, gdp.511024.2024)|%|1}}", Code.NO_VALUE),
        ("{{d:median(gdp.511083.2024, gdp.511083.2023)|亿元|1}}", Code.MALFORMED),
        ("{{m:gdp.511083|亿元|2}}", Code.MALFORMED),
        ("{{m:gdp.511083.2024|亿元}}", Code.MALFORMED),
        ("{{m:gdp.511083.2024||2}}", Code.MALFORMED),
        ("{{m:gdp.511083.2024|亿元|two}}", Code.MALFORMED),
        ("{{m:gdp.511083.2024|亿元|-1}}", Code.MALFORMED),
        ("{{m:gdp.511083.2024|亿元|7}}", Code.MALFORMED),
        ("{{m:gdp.511083.2024|亿元|2|up}}", Code.MALFORMED),
        ("{m:gdp.511083.2024|亿元|2}", Code.MALFORMED),
        ("{{{m:gdp.511083.2024|亿元|2}}}", Code.MALFORMED),
        ("{{m:gdp.511083.2024|亿元|2}", Code.MALFORMED),
        ("{{m:gdp.511083.2024|亿元|2", Code.MALFORMED),
        ("{{m:", Code.MALFORMED),
    ],
)
def test_what_cannot_be_rendered_is_refused_at_its_place(reference: str, code: Code) -> None:
    rendering = render(f"前文，{reference}，后文。", SHEET)
    assert rendering.text == f"前文，{PENDING}，后文。"
    assert [(one.code, one.refused) for one in rendering.remarks] == [(code, True)]
    at = rendering.remarks[0].span
    assert f"前文，{reference}，后文。"[at.start : at.end] == reference
    assert rendering.numbers == ()


@pytest.mark.parametrize(
    "text",
    [
        "{{x}}",
        "{{ page.title }}",
        "\\{{m:gdp.511083.2024|亿元|2}}",
        "`{{m:gdp.511083.2024|亿元|2}}`",
        "```\n{{m:gdp.511083.2024|亿元|2}}\n```",
        "",
        "{",
        "}}",
        "{{model: 7}}",
    ],
)
def test_other_braces_code_and_escapes_are_left(text: str) -> None:
    assert render(text, SHEET).text == text
    assert render(text, SHEET).remarks == ()


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("{{m:gdp.511083.2024|亿元|3}}", Code.BEYOND_KNOWN),
        ("{{m:urban.511083.2024|%|1}}", Code.TIE),
        ("{{m:pop.511083.2024|亿人|1}}", Code.VANISHED),
        ("{{d:rank(gdp.511083.2024, gdp.511024.2024, gdp.511002.2024)|位|0}}", Code.NOTED),
    ],
)
def test_what_a_reader_should_know_is_told_and_nothing_is_refused(reference: str, code: Code) -> None:
    rendering = render(reference, SHEET)
    assert code in [remark.code for remark in rendering.remarks]
    assert not any(remark.refused for remark in rendering.remarks)


def test_a_fall_that_rounds_to_zero_has_no_digits_and_no_direction() -> None:
    assert render("{{d:difference(urban.511083.2024, urban.511083.2023)|个百分点|0|change}}", SHEET).text == "基本持平"
    assert render("{{d:difference(urban.511083.2023, urban.511083.2023)|个百分点|0|change}}", SHEET).text == PENDING


def test_a_missing_value_says_whom_to_ask_and_asks_once() -> None:
    rendering = render("{{m:gdp.511002.2024|亿元|2}}{{m:gdp.511002.2024|亿元|1}}", SHEET)
    assert rendering.missing == (RowId.parse("gdp.511002.2024"),)
    assert "统计局" in rendering.remarks[0].reason.zh


def test_a_row_that_no_table_has_is_asked_for_when_its_indicator_and_region_are_known() -> None:
    text = "{{m:gdp.511083.2021|亿元|2}}{{m:nothing.511083.2024|亿元|2}}{{m:gdp.511083.2024@1999|亿元|2}}"
    assert render(text, SHEET).missing == (RowId.parse("gdp.511083.2021"),)


def test_each_number_leads_to_its_rows() -> None:
    text = "产值{{m:gdp.511083.2024|亿元|2}}，{{d:growth(gdp.511083.2024, gdp.511083.2023)|%|1|change}}。"
    rendering = render(text, SHEET)
    assert [rendering.text[one.span.start : one.span.end] for one in rendering.numbers] == ["379.45亿元", "增长5.8%"]
    assert [[str(row) for row in one.reference.rows] for one in rendering.numbers] == [
        ["gdp.511083.2024"],
        ["gdp.511083.2024", "gdp.511083.2023"],
    ]
    assert rendering.derivations == (Derivation.parse("growth(gdp.511083.2024, gdp.511083.2023)"),)


def test_of_several_revisions_the_last_one_is_the_row() -> None:
    sheet = FactSheet.of(
        [observation("gdp.511083.2024", "370", "2024"), observation("gdp.511083.2024", "3794500", "2025", "万元")],
        INDICATORS,
    )
    assert render("{{m:gdp.511083.2024|亿元|2}}", sheet).text == "379.45亿元"
    assert render("{{m:gdp.511083.2024@2025|亿元|2}}", sheet).text == "379.45亿元"


def test_a_comparison_of_two_revisions_is_told() -> None:
    rows = [observation("gdp.511083.2024", "110", "2025"), observation("gdp.511083.2023", "100", "2024")]
    rendering = render("{{d:growth(gdp.511083.2024, gdp.511083.2023)|%|1}}", FactSheet.of(rows, INDICATORS))
    assert (rendering.text, [remark.code for remark in rendering.remarks]) == ("10.0%", [Code.NOTED])


def test_changes_against_the_year_before_are_registered_for_all_rows() -> None:
    said = {str(one) for one in SHEET.with_yearly_changes().derivations}
    assert "growth(gdp.511083.2024, gdp.511083.2023)" in said
    assert "difference(gdp_growth.511083.2024, gdp_growth.511083.2023)" in said
    assert "growth(gdp_growth.511083.2024, gdp_growth.511083.2023)" not in said


@pytest.mark.parametrize(
    "text", ["growth", "growth()", "growth(gdp.511083.2024", "GROWTH(gdp.511083.2024, gdp.511083.2023)"]
)
def test_what_is_no_derivation_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        Derivation.parse(text)


rows = st.builds(
    RowId,
    st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True),
    st.from_regex(r"[0-9]{6}", fullmatch=True),
    st.sampled_from([Period(2024), Period(2024, 3), Period(2024, 0, 5)]),
)
sources = st.one_of(
    rows, st.builds(Derivation, st.sampled_from(Operation), st.lists(rows, min_size=1, max_size=4).map(tuple))
)


@given(
    source=sources,
    unit=st.sampled_from(["亿元", "%", "billion yuan", "吨标准煤/万元"]),
    decimals=st.integers(0, 6),
    change=st.booleans(),
)
def test_a_reference_is_read_as_it_is_written(
    source: RowId | Derivation, unit: str, decimals: int, change: bool
) -> None:
    written = references("{{m:gdp.511083.2024|亿元|2}}")[0]
    assert isinstance(written, Reference)
    made = Reference(written.span, source, unit, decimals, change)
    (read,) = references(str(made))
    assert isinstance(read, Reference)
    assert (read.source, read.unit, read.decimals, read.change) == (source, unit, decimals, change)
    assert (read.span.start, read.span.end) == (0, len(str(made)))


@given(st.text(alphabet="{}mdg:|.,()0129 亿元%`\\\n511083change", max_size=80))
def test_no_text_breaks_the_renderer_and_all_else_stays(text: str) -> None:
    rendering = render(text, SHEET)
    places = [one.span for one in references(text)]
    pieces, at = [], 0
    for place in places:
        pieces.append(text[at : place.start])
        at = place.end
    pieces.append(text[at:])
    assert rendering.text == PENDING.join(pieces) or rendering.numbers
    assert len([one for one in rendering.remarks if one.refused]) + len(rendering.numbers) == len(places)
    assert all(rendering.text[one.span.start : one.span.end] == one.written for one in rendering.numbers)


@given(
    value=st.decimals(min_value="-1e12", max_value="1e12", allow_nan=False, places=4),
    decimals=st.integers(0, 6),
    unit=st.sampled_from(["亿元", "万元", "元"]),
)
def test_what_is_written_is_the_row_to_half_of_its_last_digit(value: Decimal, decimals: int, unit: str) -> None:
    sheet = FactSheet.of([observation("gdp.511083.2024", str(value))], INDICATORS)
    text = render(f"{{{{m:gdp.511083.2024|{unit}|{decimals}}}}}", sheet).text
    factor = {"亿元": 1, "万元": 10**4, "元": 10**8}[unit]
    assert text.endswith(unit)
    written = Decimal(text.removesuffix(unit))
    assert abs(written - value * factor) <= Decimal(1).scaleb(-decimals) / 2
    assert -int(written.as_tuple().exponent) == decimals
    assert not (written.is_zero() and text.startswith("-"))


@given(st.decimals(min_value="-99", max_value="999", places=3))
def test_a_change_is_written_without_a_sign_and_with_the_word_of_its_sign(value: Decimal) -> None:
    sheet = FactSheet.of([observation("gdp_growth.511083.2024", str(value))], INDICATORS)
    text = render("{{m:gdp_growth.511083.2024|%|1|change}}", sheet).text
    if "持平" in text:
        assert abs(value) < Decimal("0.05")
    else:
        assert re.fullmatch(r"(增长|下降)\d+\.\d%", text)
        assert text.startswith("增长") is (value > 0)


def test_a_long_value_is_exact_to_its_last_digit() -> None:
    value = "1" * 20 + ".5"
    sheet = FactSheet.of([observation("gdp.511083.2024", value)], INDICATORS)
    assert render("{{m:gdp.511083.2024|元|0}}", sheet).text == "1" * 20 + "50000000元"


def bare(text: str) -> list[str]:
    return [number.text for number in bare_numbers(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("增长6.1%，{{m:gdp.511083.2024|亿元|2}}", ["6.1%"]),
        ("GDP379.45亿元", ["379.45亿元"]),
        ("六十三家企业，约四成", ["六十三家", "四成"]),
        ("数十亿元，翻一番，过半企业", ["数十亿", "翻一番", "过半"]),
        ("叁佰亿元，③", ["叁佰亿", "③"]),
        ("512家", ["512家"]),
        ("{{m:gdp.511083.2024|亿元|2", []),
    ],
)
def test_digits_that_a_writer_typed_are_found(text: str, found: list[str]) -> None:
    assert bare(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "根据川府发〔2022〕21号第三条",
        "2024年1—6月，前三季度，二〇二四年末，近三年，连续5年",
        "“十四五”时期，第三产业，第1次，第12条",
        "1. 一是抓项目\n（2）二是稳就业\n3、三是",
        "见表1、图2-3和附件4",
        "区划代码511083和511024",
        "G76高速、5G网络、PM2.5浓度、A4纸",
        "万元GDP能耗、每万人、上亿元项目、单位地区生产总值能耗",
        "GB/T 9704—2012",
        "从三个方面、四个环节着手",
        "拨打12345热线",
        "一般公共预算、一带一路、三农、千方百计、一体化",
    ],
)
def test_what_is_no_figure_is_not_bare(text: str) -> None:
    assert bare(text) == []
