"""Pages, slides and sheets in words, and those words told from headings."""

import pytest

from kaozheng.sources.places import is_place, named
from kaozheng.sources.source import Place


@pytest.mark.parametrize(
    ("places", "zh", "en"),
    [
        ([Place(0, "page", "3")], "第 3 页", "page 3"),
        ([Place(0, "page", "3"), Place(9, "page", "4"), Place(20, "page", "5")], "第 3–5 页", "pages 3–5"),
        ([Place(0, "slide", "12")], "第 12 张幻灯片", "slide 12"),
        ([Place(0, "sheet", "a`b")], "工作表 ``a`b``", "sheet ``a`b``"),
        ([Place(0, "sheet", "甲"), Place(9, "sheet", "乙")], "工作表 `甲`–`乙`", "sheets `甲`–`乙`"),
    ],
)
def test_places_are_named_in_both_languages_and_known_again(places, zh, en):
    assert (named(places, "zh"), named(places, "en")) == (zh, en)
    assert is_place(zh)
    assert is_place(en)


@pytest.mark.parametrize(
    "heading", ["第 3 章", "第三页", "page three", "Pages", "工作表", "Sheet music", "slide rule 3", ""]
)
def test_headings_are_no_places(heading):
    assert not is_place(heading)
