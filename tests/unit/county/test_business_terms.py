"""Words of the business lead to what holds the answer; what ships of expertise names its source."""

from __future__ import annotations

from kaozheng.county.business_terms import TABLES, business_terms, holders
from kaozheng.county.catalogue import built_in
from kaozheng.county.expertise import expert_rules, mechanisms, warning_bounds
from kaozheng.indicators.early_warning import Colour, judged


def holders_of(question: str) -> set[str]:
    return {hit.holder for hit in holders(question, business_terms())}


def test_five_domains_name_only_indicators_and_tables_that_there_are() -> None:
    documents = business_terms()

    assert [document.domain for document in documents] == [
        "经济GDP人口",
        "工业企业科技",
        "农业财政投资",
        "商贸金融民生",
        "县域综合速查",
    ]
    for document in documents:
        assert document.terms
        for term, holder in document.terms:
            table, _, key = holder.partition(": ")
            assert key == "" or built_in().get(key) is not None
            assert table == "observations" or table in TABLES
            assert term in document.text


def test_every_indicator_is_in_one_domain_and_in_the_overview() -> None:
    held = [{holder for _, holder in document.terms} for document in business_terms()]

    for indicator in built_in().indicators:
        assert [f"observations: {indicator.key}" in terms for terms in held].count(True) == 2


def test_a_question_leads_to_its_table() -> None:
    assert holders_of("隆昌 GDP 数据在哪个表") == {"observations: gdp"}
    assert holders_of("规上工业企业数和龙头企业") == {"observations: firms", "enterprises"}
    assert holders_of("有哪些文号") == {"policies"}
    assert holders_of("天气如何") == set()


def test_a_word_inside_a_longer_one_does_not_count() -> None:
    assert holders_of("年末常住人口") == {"observations: pop"}
    assert holders_of("人口") == {"observations: pop", "observations: pop_registered"}


def test_every_rule_and_mechanism_that_ships_names_whose_it_is() -> None:
    assert len(expert_rules()) >= 10
    assert all(rule.source and rule.rule for rule in expert_rules())
    assert all(mechanism.owner and mechanism.text for mechanism in mechanisms())
    assert all("经验值" in bound.source for bound in warning_bounds())


def test_every_bound_of_early_warning_fires_beyond_its_red_bound() -> None:
    for bound in warning_bounds():
        beyond = bound.rule.red - 1 if bound.rule.below else bound.rule.red + 1
        assert judged(bound.rule, beyond).colour is Colour.RED
