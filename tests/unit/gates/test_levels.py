from __future__ import annotations

from kaozheng.gates.levels import Claim, Level


def test_a_hypothesis_must_say_how_it_is_verified_and_by_whom() -> None:
    lacks = Claim("用工短缺", Level.HYPOTHESIS).lacks()
    assert [reason.zh for reason in lacks] == ["待核验假设没有写核验方法", "待核验假设没有写责任部门"]
    assert not Claim("用工短缺", Level.HYPOTHESIS, check="走访企业", department="市人社局").lacks()


def test_other_levels_must_name_what_they_rest_on() -> None:
    for level in (Level.HARD_METRIC, Level.SOFT_EVIDENCE, Level.EXPERT_RULE):
        assert Claim("增长6.1%", level).lacks()
        assert not Claim("增长6.1%", level, sources=("gdp_growth.511083.2024",)).lacks()


def test_a_claim_is_told_in_plain_values() -> None:
    told = Claim("用工短缺", Level.HYPOTHESIS, ("R1",), "走访企业", "市人社局").as_dict()
    assert told == {
        "text": "用工短缺",
        "level": 3,
        "sources": ["R1"],
        "check": "走访企业",
        "department": "市人社局",
    }
