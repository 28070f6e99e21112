"""What is said in one quotation is told as one."""

import pytest

from kaozheng.documents.sentences import split
from kaozheng.roles.block_summarizer.offline.quotations import is_whole, whole


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("他道：“今日不得闲。改日再来。”众人散了。", ["他道：“今日不得闲。改日再来。”", "众人散了。"]),
        ("第一句。第二句。", ["第一句。", "第二句。"]),
        ("她说：「他问『谁？』没人答。我走了。」完了。", ["她说：「他问『谁？』没人答。我走了。」", "完了。"]),
        ("He said: “No. We will not.” They left.", ["He said: “No. We will not.”", "They left."]),
    ],
)
def test_a_quotation_of_several_sentences_stays_whole(text, parts):
    found = whole(split(text), text)
    assert [text[span.start : span.end] for span in found] == parts


def test_a_quotation_that_never_closes_joins_nothing():
    text = "他道：“" + "这是一句话。" * 60
    spans = split(text)
    assert whole(spans, text) == spans


@pytest.mark.parametrize("text", ["他道：“今日不得闲。", "改日再来。”", "多谢费心想着』。"])
def test_half_a_quotation_is_known(text):
    assert not is_whole(text)


@pytest.mark.parametrize("text", ["见附件 1)。", "他道：“好。”", "读《红楼梦》“序”。", "a) It’s fine."])
def test_what_is_whole_is_known(text):
    assert is_whole(text)
