"""Keywords of an economy: names and indicators that occur, never a word that names nothing."""

import pytest

from kaozheng.sources.entities import economic_entities


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("隆昌市去年GDP是302.5亿元，规上工业增加值增长7.2%。", {"隆昌市", "GDP", "规上工业增加值", "302.5亿元"}),
        (
            "四川山川精密焊管有限公司在隆昌经济技术开发区投资3.2亿元。",
            {"四川山川精密焊管有限公司", "隆昌经济技术开发区", "3.2亿元"},
        ),
        (
            "娃哈哈集团都来了内江市东兴区，一般公共预算收入15.6亿元。",
            {"娃哈哈集团", "内江市", "东兴区", "一般公共预算收入"},
        ),
        ("Acme Trading Group invested $3 million; retail sales rose.", {"Acme Trading Group", "$3 million"}),
    ],
)
def test_names_indicators_and_amounts_are_found(text, names):
    assert names <= set(economic_entities(text))


@pytest.mark.parametrize(
    "text", ["他们公司不在这个县，我们园区的企业都上市了。", "去了公司以后再去超市。", "嗯，好的。", ""]
)
def test_what_names_nothing_is_no_keyword(text):
    assert economic_entities(text) == []


def test_the_most_frequent_come_first_and_amounts_last():
    found = economic_entities("投资30万元、30万元、30万元。内江市和隆昌市，隆昌市。", most=3)
    assert found == ["隆昌市", "内江市", "30万元"]
