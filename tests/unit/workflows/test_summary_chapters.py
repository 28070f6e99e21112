"""What tells of several chapters is named by the first and the last."""

import pytest

from kaozheng.workflows.summarize.chapters import chapters_told


@pytest.mark.parametrize(
    ("headings", "language", "told"),
    [
        ([], "zh", ""),
        (["第一回 甲", "第一回 甲"], "zh", "第一回 甲"),
        (["第一回 甲", "第二回 乙", "第十二回 丙"], "zh", "第一回至第十二回"),
        (["一、背景", "三、结论"], "zh", "一至三"),
        (["背景", "结论"], "zh", "背景至结论"),
        (["Chapter 3 Ways", "Chapter 7 Means"], "en", "Chapter 3 to Chapter 7"),
        (["Aims", "Ends"], "en", "Aims to Ends"),
    ],
)
def test_from_which_to_which(headings, language, told):
    assert chapters_told(headings, language) == told
