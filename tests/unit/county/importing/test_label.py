"""What a head says, however marks of notes, units and periods stand in it."""

import pytest

from kaozheng.county.importing.label import read_label


@pytest.mark.parametrize(
    ("head", "marks"),
    [("常住人口[1]（万人）", "[1]"), ("常住人口（万人）[1]", "[1]"), ("常住人口①（万人）", "①")],
)
def test_a_mark_may_stand_before_or_behind_the_unit(head, marks):
    label = read_label(head)
    assert (label.name, label.units, label.marks) == ("常住人口", ("万人",), marks)
