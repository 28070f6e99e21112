from __future__ import annotations

from kaozheng.gates.report_types import ReviewWhen, report_types


def test_every_chain_has_its_report_with_sections_in_both_languages() -> None:
    types = report_types().values()
    assert len(types) == 11
    for asked in types:
        assert asked.sections or (asked.slots and asked.min_sections >= 4)
        for aliases in (*asked.sections, *asked.slots):
            assert not aliases[0].isascii()
            assert aliases[-1].isascii()
        assert asked.review.startswith("required_")
        assert asked.review_when


def test_what_must_be_looked_at_before_it_circulates_is_always_asked_for() -> None:
    circulating = {key for key, asked in report_types().items() if ReviewWhen.ALWAYS in asked.review_when}
    assert circulating == {"data_governance_report", "policy_decision_report", "one_county_one_policy_outline"}
