"""A table row as a sentence leads back to the row and to the head."""

import pytest

from kaozheng.documents.span import Span
from kaozheng.evidence.row_told import row_told
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source

TABLE = "| 作物 | 面积（万亩） | 产量 |\n| --- | ---: | --- |\n| 玉米 | 12.3 | 4.6 万吨 |\n| 油茶 |  | 0.8 万吨 |\n"


def table(text=TABLE):
    return build_material(Reading([Source.of(text, path="a.md")], [])).passages[0]


def place(passage, line):
    start = passage.text.index(line)
    return Span(start, start + len(line))


@pytest.mark.parametrize(
    ("line", "language", "said"),
    [
        ("| 玉米 | 12.3 | 4.6 万吨 |", "zh", "玉米：面积（万亩） 12.3，产量 4.6 万吨。"),
        ("| 油茶 |  | 0.8 万吨 |", "zh", "油茶：产量 0.8 万吨。"),
        ("| 玉米 | 12.3 | 4.6 万吨 |", "en", "玉米: 面积（万亩） 12.3, 产量 4.6 万吨."),
    ],
)
def test_cells_are_told_with_their_columns(line, language, said):
    passage = table()
    told = row_told(passage, place(passage, line), language)
    assert told is not None
    assert told.text == said
    assert passage.text[told.head.start : told.head.end].startswith("| 作物 |")
    assert passage.text[told.row.start : told.row.end] == line


def test_a_row_of_other_columns_is_not_told():
    passage = table(TABLE + "| 茶叶 | 1.1 |\n")
    assert row_told(passage, place(passage, "| 茶叶 | 1.1 |"), "zh") is None


def test_prose_is_no_row():
    passage = table("产量 4.6 万吨。\n")
    assert row_told(passage, Span(0, 5), "zh") is None
