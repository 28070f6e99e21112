"""Records come from sheets and YAML by the names of their columns; what cannot be read is refused with its cell."""

from datetime import date
from decimal import Decimal

import pytest

from kaozheng.county.importing.finding import Code
from kaozheng.county.importing.record_rows import rows_of_grid, rows_of_yaml
from kaozheng.county.importing.records import kind_of, records_of
from kaozheng.county.policy import Clause, Policy
from kaozheng.county.records import BusinessTerms, ChainLink, Enterprise, FactorConstraint, Mechanism, Project
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.errors import InputError


def taken(kind, rows):
    return records_of(kind, rows, sichuan(), 2024)


def said(plan):
    return [(one.code, one.cell) for one in plan.findings]


def test_enterprises_by_chinese_heads(sheet):
    grid = sheet(
        ["重点企业名单"],
        ["序号", "统一社会信用代码", "企业名称", "地区", "所属行业", "是否规上"],
        ["1", "91511083A", "甲玻璃厂", "隆昌市", "玻璃", "是"],
        ["2", "91511083B", "乙陶瓷厂", "隆昌县", "陶瓷", "否"],
        ["3", "91511083C", "丙厂", "市中区", "陶瓷", "否"],
        ["4", "91511083D", "丁厂", "隆昌市", "陶瓷", "也许"],
        ["5", "91511083E", None, "隆昌市", "陶瓷", "是"],
    )
    plan = taken(Enterprise, rows_of_grid(grid))
    assert [one.id for one in plan.records] == ["91511083A", "91511083B"]
    assert plan.records[0] == Enterprise("91511083A", "511083", "甲玻璃厂", "玻璃", "", True)
    assert said(plan) == [
        (Code.UNKNOWN_COLUMN, "表1!A3"),
        (Code.RENAMED_REGION, "表1!D4"),
        (Code.AMBIGUOUS_REGION, "表1!D5"),
        (Code.UNREADABLE, "表1!F6"),
        (Code.INCOMPLETE, "表1!A7"),
    ]


def test_a_head_that_says_no_more_than_that_a_value_stands_below_names_its_column(sheet):
    grid = sheet(["区划代码", "要素", "年份", "数值", "单位"], ["511083", "工业用地", "2024", "541", "亩"])

    plan = taken(FactorConstraint, rows_of_grid(grid))

    assert [one.value for one in plan.records] == [Decimal(541)]
    assert plan.findings == ()


def test_amounts_of_projects_are_brought_to_one_unit(sheet):
    grid = sheet(
        ["name", "region", "总投资（亿元）", "first_year"],
        ["甲", "511083", "3.5", "2023年"],
        ["乙", "511083", "2000万元", "2024"],
        ["丙", "511083", "5吨", "2024"],
    )
    plan = taken(Project, rows_of_grid(grid))
    assert [one.investment for one in plan.records] == [Decimal(35000), Decimal(2000)]
    assert plan.records[0].first_year == 2023
    assert said(plan) == [(Code.WRONG_UNIT, "表1!C4")]
    assert plan.records == taken(Project, rows_of_grid(grid)).records  # ids are made of what is said


def test_an_amount_without_a_unit_is_refused(sheet):
    grid = sheet(["项目名称", "地区", "总投资"], ["甲", "隆昌市", "3.5"])
    assert said(taken(Project, rows_of_grid(grid))) == [(Code.UNKNOWN_UNIT, "表1!C2")]


def test_policies_of_yaml_have_one_form_of_their_number_and_clauses_with_ids():
    text = """
- id: P05
  文号: 川府发[2022]第21号
  发文机关: 四川省人民政府
  日期: 2022-03-26
  标题: 关于甲的通知
  条款: [第3条 支持甲。, {number: 8, text: 支持乙。}]
- 文号: 无文号
  发文机关: 甲
  日期: 2022年13月1日
  标题: 乙
"""
    plan = taken(Policy, rows_of_yaml(text, "p.yaml"))
    clauses = Clause("P05.3", "P05", 3, "支持甲。"), Clause("P05.8", "P05", 8, "支持乙。")
    assert plan.records == (
        Policy("P05", "川府发〔2022〕21号", "四川省人民政府", date(2022, 3, 26), "关于甲的通知", "", clauses),
    )
    assert said(plan) == [(Code.UNREADABLE, "p.yaml[2].文号"), (Code.UNREADABLE, "p.yaml[2].日期")]


def test_the_clauses_of_a_policy_may_stand_in_rows_of_their_own(sheet):
    line = ["川府发〔2022〕21号", "省政府", "2022年3月26日", "通知"]
    grid = sheet(["文号", "发文机关", "日期", "标题", "条款"], [*line, "第1条 甲"], [*line, "第2条 乙"])
    plan = taken(Policy, rows_of_grid(grid))
    assert [clause.id for clause in plan.records[0].clauses] == ["川府发〔2022〕21号.1", "川府发〔2022〕21号.2"]
    assert plan.findings == ()


def test_one_id_for_two_records_is_refused_and_one_record_twice_is_told(sheet):
    head = ["id", "产业链", "环节", "上游"]
    grid = sheet(
        head, ["c1", "玻璃", "原片", "石英"], ["c1", "玻璃", "原片", "石英"], ["c2", "甲", "乙"], ["c2", "甲", "丙"]
    )
    plan = taken(ChainLink, rows_of_grid(grid))
    assert [one.id for one in plan.records] == ["c1"]
    assert said(plan) == [(Code.REPEATED, "表1!A3"), (Code.CONTRADICTED, "表1!A4"), (Code.CONTRADICTED, "表1!A5")]


def test_a_constraint_without_a_value_and_terms_of_a_map(sheet):
    grid = sheet(["地区", "要素", "年份", "数值", "单位"], ["隆昌市", "用地", "2024", "—", "亩"])
    (constraint,) = taken(FactorConstraint, rows_of_grid(grid)).records
    assert (constraint.value, constraint.unit) == (None, "亩")
    terms = "- {业务域: 经济, 内容: 说明, 术语: {GDP: 'observations: gdp'}}"
    (record,) = taken(BusinessTerms, rows_of_yaml(terms, "t.yaml")).records
    assert record.terms == (("GDP", "observations: gdp"),)


@pytest.mark.parametrize("text", ["a: [", "甲: 乙", "- 1", "x"])
def test_yaml_that_is_no_list_of_records_is_refused(text):
    with pytest.raises(InputError, match=r"t\.yaml"):
        rows_of_yaml(text, "t.yaml")


def test_a_table_of_something_else_names_the_columns_that_are_known(sheet):
    with pytest.raises(InputError, match="企业名称"):
        taken(Enterprise, rows_of_grid(sheet(["甲", "乙"], ["1", "2"])))


@pytest.mark.parametrize(
    ("heads", "kind"),
    [
        ("统一社会信用代码 地区 企业名称 行业 经营范围 规模以上", Enterprise),
        ("编号 地区 项目名称 行业 总投资（万元） 开工年份 竣工年份 阶段", Project),
        ("编号 地区 要素 年份 数值 单位 备注", FactorConstraint),
        ("编号 产业 环节 上游 下游 地区", ChainLink),
        ("文号 发文机关 日期 标题", Policy),
        ("id topic owner text", Mechanism),
    ],
)
def test_the_heads_say_of_what_kind_records_are(sheet, heads, kind):
    assert kind_of(rows_of_grid(sheet(heads.split(), ["1"] * len(heads.split())))) is kind


@pytest.mark.parametrize("heads", ["地区 名称", "甲 乙", "编号 环节"])
def test_heads_that_leave_the_kind_open_are_asked_about(sheet, heads):
    with pytest.raises(InputError, match="say which"):
        kind_of(rows_of_grid(sheet(heads.split(), ["1", "2"])))
