"""A translated sentence is held to the figures of the passages that it names."""

import pytest

from kaozheng.evidence.across_languages import carried_across, figures_lost, is_translated
from kaozheng.evidence.key_statements import key_statements
from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source

TEXT = "县医院 2024 年 3 月 5 日开工，总投资 1.2 亿元。\n\n床位 300 张，未设儿科。\n"


def passages():
    return build_material(Reading([Source.of(TEXT, path="a.md")], [])).passages


@pytest.mark.parametrize(
    "sentence",
    ["Work on the county hospital began on 5 March 2024.", "The county hospital will cost 120 million yuan."],
)
def test_true_figures_carry_a_translation(sentence):
    named = passages()[:1]
    assert is_translated(sentence, named)
    found = carried_across(sentence, named)
    assert [one.quote for one in found] == [named[0].text]


@pytest.mark.parametrize(
    "sentence", ["The county hospital will cost 210 million yuan.", "It has 30 beds.", "Work began on 5 May 2024."]
)
def test_invented_figures_are_carried_by_nothing(sentence):
    assert carried_across(sentence, passages()) == []


def test_a_sentence_that_names_nothing_is_carried_by_nothing():
    assert carried_across("The hospital is new.", []) == []


def test_figures_that_the_translation_left_out_are_lost():
    statements = key_statements(passages(), "zh")
    losses = figures_lost(statements, ["The hospital will have 300 beds.", "It costs 120 million yuan."])
    assert [fact.text for loss in losses for fact in loss.missing] == ["2024 年 3 月 5 日"]


def test_one_language_is_no_translation():
    assert not is_translated("县医院开工。", passages())
