"""Rows that a question wants of a whole table: the most, the least, all with a value, and when that is not sure."""

from __future__ import annotations

import pytest

from kaozheng.evidence.table_rows import rows_asked_for
from kaozheng.sources.tables import Table

HEAD = ("station", "town", "chargers", "opened", "kwh_2024")
ROWS = [
    ("North Gate", "青云镇", "12", "2023-06-01", "184200"),
    ("Bus Terminal", "城关镇", "30", "2022-09-10", "512300"),
    ("Hospital", "城关镇", "10", "2024-01-20", "88400"),
]
BUYING = ("物品", "数量", "金额（元）", "供应商")
BOUGHT = [
    ("慢充桩", "150", "315000", "长虹电源"),
    ("电缆", "3200", "304000", "特变电工"),
    ("摄像头", "80", "36000", "长虹电源"),
]


def said(question, rows=ROWS, head=HEAD, names=("stations.csv",), whole=True, language="en"):
    table = Table(head, {place: row for place, row in enumerate(rows, 3)}, whole)
    return rows_asked_for(question, table, names, language)


def bought(question, rows=BOUGHT):
    return said(question, rows, BUYING, ("2024年采购.xlsx",), language="zh")


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Which station had the highest kWh in 2024?", "512300: station Bus Terminal"),
        ("Which station has the fewest chargers?", "10: station Hospital"),
        ("Which station in 城关镇 has the lowest kwh_2024?", "88400: station Hospital"),
        ("Which station opened latest?", "2024-01-20: station Hospital"),
        ("哪个站的 kwh_2024 最高？", "512300: station Bus Terminal"),
    ],
)
def test_the_most_and_the_least_are_of_all_rows(question, row):
    assert row in said(question)


def test_rows_that_share_the_first_place_are_all_named():
    both = said("采购数量最多的是什么？", [*BOUGHT, ("光缆", "3200", "1", "甲")], BUYING, ("采购.xlsx",), language="zh")
    assert "电缆" in both
    assert "光缆" in both


def test_all_rows_with_a_value_are_listed():
    listed = bought("长虹电源供应了哪些物品？")
    assert "有 2 行" in listed
    assert "慢充桩" in listed
    assert "摄像头" in listed
    assert "特变电工" not in listed


@pytest.mark.parametrize(
    ("found", "total"),
    [
        (said("How many chargers are there in 城关镇?"), "the total of “chargers” is 40"),
        (bought("长虹电源的金额合计多少？"), "“金额（元）”合计 351000"),
    ],
)
def test_numbers_of_the_rows_with_a_value_are_added_up(found, total):
    assert total in found


@pytest.mark.parametrize(
    "question",
    [
        "Which station had the highest kWh in 2023?",  # a year that no column has
        "Which new station has the most chargers?",  # a word that may be a condition
        "Which station is the highest?",  # of what?
        "Which station has the most chargers and kwh_2024?",  # two columns
        "How many new chargers are there in 城关镇?",
        "How many chargers are there in 青云镇?",  # one row says it itself
        "How many chargers are there in 白河镇?",
        "Who runs the station?",
    ],
)
def test_what_may_mean_something_else_is_not_computed(question):
    assert said(question) == ""


def test_tables_that_are_not_whole_or_have_a_total_are_left_alone():
    assert said("Which station has the most chargers?", whole=False) == ""
    assert said("Which station has the most chargers?", [*ROWS, ("Total", "", "52", "", "784900")]) == ""
    assert bought("哪种物品的数量最多？", [*BOUGHT, ("毛巾", "若干", "1", "甲")]) == ""
