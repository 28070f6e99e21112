"""What is computed over a whole table, and when that is not sure enough."""

import pytest

from kaozheng.evidence.table_totals import asks_for_all_rows, computed, has_total_row
from kaozheng.sources.tables import Table

ROWS = [("甲", "修路", "1,200"), ("工程乙", "造桥", "80.5"), ("甲", "造林", ""), ("丙", "修渠", "-3")]
NAMES = ("工程台账", "2023年工程台账.csv")


def made(rows=ROWS, head=("单位", "项目", "金额（万元）"), whole=True):
    return Table(head, {place: row for place, row in enumerate(rows, 3)}, whole)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("一共有多少个不同的单位", "按《工程台账》中整张表（4 行）计算：“单位”一列有 4 个值，其中不同的有 3 个"),
        ("单位去重后有几个？", "其中不同的有 3 个"),
        ("工程台账里共有多少家单位？", "其中不同的有 3 个"),
        ("金额合计是多少？", "“金额(万元)”一列的合计为 1277.5"),
        ("请问金额一共是多少", "合计为 1277.5"),
        ("金额总共多少万元？", "合计为 1277.5"),
        ("平均金额是多少？", "平均值约为 425.83（3 个数，合计 1277.5）"),
    ],
)
def test_count_total_and_average_are_of_all_rows(question, said):
    assert said in computed(question, made(), NAMES, "zh").replace("（万元）", "(万元)")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many different units are there?", "4 values, 3 of them different"),
        ("What is the total amount?", "the total of “Amount” is 1277.5"),
        ("What is the average amount in the table?", "about 425.83"),
    ],
)
def test_english_questions_are_computed_too(question, said):
    assert said in computed(question, made(head=("Units", "Project", "Amount")), ("works.csv",), "en")


@pytest.mark.parametrize(
    "question",
    [
        "四川一共有多少个不同的单位",  # a condition
        "2022年金额合计是多少",
        "甲的金额合计是多少",
        "金额合计是多少亿元",
        "工程的金额合计是多少",  # of the document's name, and of a row too
        "单位和项目一共有多少个",  # two columns
        "项目合计是多少",  # no numbers
        "一共有多少个不同的部门",  # no such column
        "哪个单位的金额最高",
        "金额是多少",
    ],
)
def test_what_may_mean_something_else_is_not_computed(question):
    assert computed(question, made(), NAMES, "zh") == ""


@pytest.mark.parametrize(
    "table",
    [
        made(whole=False),
        made([*ROWS, ("合计", "", "1277.5")]),
        made([*ROWS, ("丁", "修井", "约 5")]),
        made(head=("单位", "金额", "金额（万元）")),
    ],
    ids=["a row was cut", "it has a total already", "a cell that is no number", "two columns of one name"],
)
def test_total_of_an_unsure_table_is_not_computed(table):
    assert computed("金额合计是多少", table, NAMES, "zh") == ""


@pytest.mark.parametrize(("column", "question"), [("合计", "合计是多少？"), ("平均年龄", "平均年龄是多少？")])
def test_column_that_is_called_a_total_is_not_added_up_for_its_name(column, question):
    table = made([("甲", "x", "3"), ("乙", "y", "4")], head=("单位", "项目", column))
    assert computed(question, table, NAMES, "zh") == ""
    assert "合计为 7" in computed(f"{column}加起来一共是多少？", table, NAMES, "zh")


def test_numbers_are_counted_only_when_different_ones_are_asked_for():
    assert computed("一共有多少个金额", made(), NAMES, "zh") == ""
    assert "其中不同的有 3 个" in computed("一共有多少个不同的金额", made(), NAMES, "zh")


@pytest.mark.parametrize(
    "question",
    ["有多少家单位", "一共花了多少", "平均多少岁", "哪个县最多", "How many units", "Which county has the most?"],
)
def test_questions_over_all_rows_are_told(question):
    assert asks_for_all_rows(question)


@pytest.mark.parametrize("question", ["甲的金额是多少", "谁负责修路", "What does it cost at most per night?"])
def test_questions_about_one_row_are_told_apart(question):
    assert not asks_for_all_rows(question)


def test_row_that_is_a_total_is_told_by_its_first_cell():
    assert has_total_row({3: ("**合计**", "9")})
    assert has_total_row({3: ("Total", "9")})
    assert not has_total_row({3: ("合计划署", "9"), 4: ("Totally", "1")})
