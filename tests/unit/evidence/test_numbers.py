from __future__ import annotations

import json
import time
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.units import UNITS
from kaozheng.evidence.agreement import agree, unsupported
from kaozheng.evidence.numbers import MARKS, Number, find_numbers

SHARED = Path(__file__).parents[4] / "shared" / "cases"


def rows(name: str) -> list[dict[str, object]]:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"no shared cases at {path}")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def only(text: str) -> Number:
    found = [number for number in find_numbers(text) if number.is_quantity]
    assert len(found) == 1, found
    return found[0]


def canonical(value: Decimal, unit: str) -> tuple[Decimal, str]:
    first, slash, second = unit.partition("/")
    known = UNITS.get(first)
    factor, name = (known.factor, known.canonical) if known else (Decimal(1), first)
    if slash:
        return value * factor / UNITS[second].factor, f"{name}/{UNITS[second].canonical}"
    return value * factor, name


def test_real_sentences_give_their_numbers() -> None:
    wrong = []
    for row in rows("numbers_zh.jsonl"):
        got = [number for number in find_numbers(str(row["text"])) if number.is_quantity]
        wanted = [
            (tuple(entry["span"]), *canonical(Decimal(repr(entry["value"])), entry["unit"])) for entry in row["numbers"]
        ]
        same = len(got) == len(wanted) and all(
            (number.span.start, number.span.end) == span and abs(number.value - value) < 1 and number.unit == unit
            for number, (span, value, unit) in zip(got, wanted, strict=True)
        )
        if not same:
            wrong.append(row["id"])
    assert wrong == []


def test_real_document_numbers_are_found_in_one_form() -> None:
    for row in rows("docnum_zh.jsonl"):
        assert [n.unit for n in find_numbers(str(row["text"])) if n.dimension == "docnum"] == row["docnums"]


@pytest.mark.parametrize(
    ("text", "value", "unit", "dimension"),
    [
        ("1,234", "1234", "", ""),
        ("1234.5", "1234.5", "", ""),
        ("３.５", "3.5", "", ""),
        ("3.5万人", "35000", "人", "count"),
        ("2亿元", "200000000", "元", "money"),
        ("百分之五", "5", "%", "ratio"),
        ("5个百分点", "5", "个百分点", "points"),
        ("一千二百", "1200", "", ""),
        ("1.2 million euros", "1200000", "欧元", "money"),
        ("50k users", "50000", "user", "count"),
        ("$3.5M", "3500000", "美元", "money"),
        ("3 公里", "3000", "m", "length"),
        ("500ms", "0.5", "s", "duration"),
        ("24小时", "86400", "s", "duration"),
        ("4MB", "4194304", "B", "data"),
        ("628元/晚", "628", "元/晚", "rate"),
        ("20 ℃", "20", "℃", "temperature"),
        ("GDP379.45亿元", "37945000000", "元", "money"),
        ("379450000000元", "379450000000", "元", "money"),
        ("13794500000元", "13794500000", "元", "money"),
        ("0.451吨标准煤/万元", "0.0000451", "吨标准煤/元", "rate"),
        ("64.2万吨标准煤", "642000", "吨标准煤", "coal"),
        ("0.7 percentage points", "0.7", "个百分点", "points"),
        ("2 元/百万 token", "0.000002", "元/token", "rate"),
    ],
)
def test_one_number(text: str, value: str, unit: str, dimension: str) -> None:
    number = only(text)
    assert (number.value, number.unit, number.dimension) == (Decimal(value), unit, dimension)


@pytest.mark.parametrize(
    ("text", "value", "unit", "about"),
    [
        ("产值翻一番", "2", "倍", ""),
        ("产值翻了两番", "4", "倍", ""),
        ("产值翻了近三番", "8", "倍", "<"),
        ("占六成五", "65", "%", ""),
        ("占七成半", "75", "%", ""),
        ("约6成5", "65", "%", "~"),
        ("占三成一左右", "31", "%", "~"),
        ("占比达2/5", "40", "%", ""),
        ("超过3/4的企业", "75", "%", ">"),
        ("居全市第十二位，", "12", "位", ""),
        ("名列第三名。", "3", "位", ""),
        ("合计百亿元左右", "10000000000", "元", "~"),
        ("突破千亿元大关", "100000000000", "元", ">"),
        ("超万亿元", "1000000000000", "元", ">"),
        ("近百万人", "1000000", "人", "<"),
        ("每户补助千元左右", "1000", "元", "~"),
        ("企业百余家", "100", "家", ">"),
        ("产值过百亿元", "10000000000", "元", ">"),
        ("翻了一番多", "2", "倍", ">"),
    ],
)
def test_amounts_in_words(text: str, value: str, unit: str, about: str) -> None:
    number = only(text)
    assert (number.value, number.unit, number.about) == (Decimal(value), unit, about)


@pytest.mark.parametrize(
    "text",
    [
        "“1+3+N”体系",
        "“5+1”产业",
        "“N+2”模式",
        "三台县",
        "五台山",
        "八步区",
        "签约亿元以上项目",
        "超亿元企业",
        "突破百亿级",
        "附近万户",
        "4A级景区",
        "把安全放在第一位。",
    ],
)
def test_names_formulas_and_classes_are_no_amounts(text: str) -> None:
    assert [number.text for number in find_numbers(text) if number.is_quantity] == []


@pytest.mark.parametrize("text", ["设备三台", "三台县级设备", "三台市级设备"])
def test_machines_are_counted_before_words_that_might_end_a_name(text: str) -> None:
    assert (only(text).value, only(text).unit) == (3, "台")


@pytest.mark.parametrize(
    ("text", "dimension", "unit"),
    [
        ("二〇二一年", "date", "2021-00-00"),
        ("2024年12月31日", "date", "2024-12-31"),
        ("2024-12-31", "date", "2024-12-31"),
        ("31 December 2024", "date", "2024-12-31"),
        ("May 8, 2019", "date", "2019-05-08"),
        ("9:05", "clock", "09:05"),
        ("v1.2.3", "version", "1.2.3"),
        ("GPT-4.5", "version", "4.5"),
        ("Node.js 18.2", "version", "18.2"),
        ("川发改〔2023〕15号", "docnum", "川发改〔2023〕15号"),
        ("138-1234-5678", "id", "138-1234-5678"),
        ("知春路25号", "id", "25号"),
        ("TSC#227", "id", "TSC#227"),
        ("Section 3.2", "id", "Section 3.2"),
        ("第三产业", "id", "第三产"),
        ("PM2.5浓度", "id", "PM2.5"),
        ("2024Q3", "date", "2024-00-00"),
        ("代码511002和511102", "id", "代码511002和511102"),
    ],
)
def test_what_is_no_quantity_is_recognised(text: str, dimension: str, unit: str) -> None:
    assert [(number.dimension, number.unit) for number in find_numbers(text)] == [(dimension, unit)]


@pytest.mark.parametrize(
    "text", ["一个应用", "一种方法", "十四五规划", "一县一策", "三次产业", "万元GDP", "成立", "几十个"]
)
def test_words_with_numerals_are_no_numbers(text: str) -> None:
    assert find_numbers(text) == []


def test_range_shares_unit_and_scale_word() -> None:
    assert [number.value for number in find_numbers("约3～5万元")] == [30000, 50000]
    assert {number.unit for number in find_numbers("180—200家")} == {"家"}


def test_bounds_and_approximations_are_marked() -> None:
    assert [only(text).about for text in ("约5米", "不超过5米", "5米以上", "5余台", "5米")] == ["~", "<", ">", ">", ""]


@pytest.mark.parametrize(
    ("claim", "source", "wanted"),
    [
        ("3秒", "3000毫秒", True),
        ("3秒", "3分钟", False),
        ("1.2亿元", "11850万元", True),
        ("5万人", "49,800人", True),
        ("54,321人", "5.4万人", False),
        ("5%", "5个百分点", False),
        ("3美元", "3元", False),
        ("4MB", "4", True),
        ("30个节点", "30 nodes", True),
        ("30人", "30台", False),
        ("2024年", "2024年12月31日", True),
        ("2024年12月30日", "2024年12月31日", False),
        ("川发改〔2023〕15号", "川发改[2023]15号", True),
        ("川发改〔2023〕15号", "川发改〔2023〕16号", False),
        ("GPT-4.5", "GPT-4.1", False),
    ],
)
def test_agreement(claim: str, source: str, wanted: bool) -> None:
    assert agree(find_numbers(claim)[0], find_numbers(source)[0]) is wanted


def test_one_number_of_the_source_carries_only_one_of_the_claim() -> None:
    missing = unsupported(find_numbers("2胜2负"), find_numbers("3胜2负"))
    assert [number.text for number in missing] == ["2"]


@given(st.text(alphabet="0123456789.,-+/:年月日号万亿元%第一二十点百 分之〔〕#vkm\n（）", max_size=60))
def test_any_text_gives_ordered_disjoint_true_spans(text: str) -> None:
    end = 0
    for number in find_numbers(text):
        assert number.span.start >= end
        end = number.span.end
        assert text[number.span.start : number.span.end] == number.text
        assert number.dimension not in MARKS or not number.is_quantity


@given(st.integers(0, 10**9))
def test_an_integer_is_read_back_with_and_without_commas(value: int) -> None:
    assert only(f"共 {value:,} 台").value == value
    assert [n.value for n in find_numbers(f"共{value}台")] in ([value], [0])  # 12 digits and years are ids and dates


@pytest.mark.parametrize("line", ["泵站的检修记录" * 10_000, "ab" * 35_000, "泵a" * 35_000], ids=["zh", "en", "both"])
def test_a_long_line_without_a_stop_is_searched_in_a_moment(line: str) -> None:
    begun = time.perf_counter()
    assert find_numbers(line) == []
    assert time.perf_counter() - begun < 5


def test_parts_that_make_a_hundred_are_shares() -> None:
    shares = find_numbers("由18.5:41.2:40.3调整为17.9：40.8：41.3")
    assert [(number.value, number.unit) for number in shares[:3]] == [
        (Decimal("18.5"), "%"),
        (Decimal("41.2"), "%"),
        (Decimal("40.3"), "%"),
    ]
    assert {number.dimension for number in find_numbers("比例为1.5:2.5:3.5")} == {""}


def test_document_numbers_that_touch_shift_nothing_behind_them() -> None:
    text = "川府发〔2022〕21号川府发〔2022〕21号379.45亿元"
    last = find_numbers(text)[-1]
    assert (last.text, text[last.span.start : last.span.end]) == ("379.45亿元", "379.45亿元")
