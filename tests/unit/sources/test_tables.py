"""Tables put together again from the chunks of their document."""

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.source import Source
from kaozheng.sources.tables import alike, tables_in


def tables(text):
    return tables_in(chunks_of(Source.of(text, "a.md")))


def table(rows, head="| 单位 | 金额 |"):
    return "\n".join([head, "| --- | --- |", *(f"| {one} | {two} |" for one, two in rows)])


@given(st.integers(1, 400), st.integers(1, 12))
def test_all_rows_of_a_table_are_there_however_it_was_cut(count, width):
    (one,) = tables(f"# 台账\n\n前言。\n\n{table([('甲' * width, n) for n in range(count)])}\n\n后记。\n")
    assert one.head == ("单位", "金额")
    assert list(one.rows.values()) == [("甲" * width, str(n)) for n in range(count)]
    assert one.lines == (7, 6 + count)
    assert one.whole


def test_escaped_bars_are_no_edges_of_cells():
    (one,) = tables(table([(r"甲\|乙", r"1\|")]))
    assert list(one.rows.values()) == [("甲|乙", "1|")]
    assert one.whole


def test_row_that_was_cut_in_two_makes_the_table_unsure():
    (one,) = tables(table([("甲", 1), ("乙" * 3000, 2), ("丙", 3)]))
    assert not one.whole


def test_row_with_other_cells_than_the_head_makes_the_table_unsure():
    (one,) = tables(table([("甲", "1 | 2")]))
    assert not one.whole


def test_tables_apart_are_tables_and_those_with_one_head_are_alike():
    text = f"{table([('甲', 1)])}\n\n文字。\n\n{table([('乙', 2)])}\n\n{table([('丙', 3)], '| 人 | 岁 |')}\n"
    assert [len(one.rows) for one in tables(text)] == [1, 1, 1]
    assert [(one.head, len(one.rows)) for one in alike(tables(text))] == [(("单位", "金额"), 2), (("人", "岁"), 1)]


def test_text_with_bars_is_no_table():
    assert tables("| 不是表 |\n\n| 也不是 |\n| 还不是 |\n") == []
