"""Which indicator a head means; what is open is asked, never guessed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.county.catalogue import Catalogue, Known, Unknown, built_in, built_in_indicators
from kaozheng.county.row_id import KEY
from kaozheng.indicators.indicator import Calibre, Direction, PeriodType


def test_the_built_in_indicators_have_a_key_a_known_unit_and_a_department() -> None:
    keys = [indicator.key for _, indicator in built_in_indicators()]

    assert len(keys) == len(set(keys)) >= 60
    for domain, indicator in built_in_indicators():
        assert domain in {"economy", "industry", "agriculture", "trade"}
        assert re.fullmatch(KEY, indicator.key)
        assert indicator.measure.dimension, indicator.unit
        assert indicator.owner


@pytest.mark.parametrize(
    ("head", "key", "unit"),
    [
        ("gdp", "gdp", ""),
        ("地区生产总值(亿元)", "gdp", "亿元"),
        ("二、地区生产总值①（亿元，现价）", "gdp", "亿元"),
        ("ＧＤＰ", "gdp", ""),
        ("地区 生产　总值", "gdp", ""),
        ("地区生产总值（可比价）", "gdp_constant", ""),
        ("GDP增长%", "gdp_growth", "%"),
        ("地区生产总值比上年增长（%）", "gdp_growth", "%"),
        ("一般公共预算收入同比增长", "revenue_growth", ""),
        ("其中：税收收入", "tax", ""),
        ("年末常住人口[1]（万人）", "pop", "万人"),
        ("(一)第一产业", "primary", ""),
        ("单位GDP能耗（吨标准煤/万元）", "energy", "吨标准煤/万元"),
        ("万元GDP能耗", "energy", ""),
        ("金融机构各项存款余额，亿元", "deposits", "亿元"),
        ("执业（助理）医师（人）", "doctors", "人"),
        ("65岁及以上人口占比%", "aged_share", "%"),
        ("居民消费价格指数（上年=100）", "cpi", ""),
    ],
)
def test_a_head_means_an_indicator_however_it_is_written(head: str, key: str, unit: str) -> None:
    found = built_in().find(head)

    assert isinstance(found, Known), found
    assert (found.indicator.key, found.unit) == (key, unit)


@pytest.mark.parametrize(
    ("head", "candidates"),
    [
        ("财政收入", {"revenue", "fund_revenue"}),
        ("人口（万人）", {"pop", "pop_registered"}),
        ("#工业增加值", {"industry", "indva"}),
        ("人均可支配收入", {"income", "urban_income", "rural_income"}),
        ("一般公共预算收入（年末）", {"revenue"}),
    ],
)
def test_a_head_that_may_mean_several_is_asked_about(head: str, candidates: set[str]) -> None:
    found = built_in().find(head)

    assert isinstance(found, Unknown)
    assert {one.key for one in found.candidates} == candidates
    assert all(one.name in found.reason.zh and one.key in found.reason.en for one in found.candidates)


@pytest.mark.parametrize("head", ["增速", "比上年增长%", "", "合计", "备注", "指标"])
def test_a_head_that_names_nothing_is_unknown(head: str) -> None:
    assert isinstance(built_in().find(head), Unknown)


def test_a_misspelt_head_is_unknown_and_told_what_is_close() -> None:
    found = built_in().find("地区生产总植（亿元）")

    assert isinstance(found, Unknown)
    assert "gdp" in {one.key for one in found.candidates}
    assert found.unit == "亿元"


def test_the_unit_of_the_table_tells_two_of_one_name_apart() -> None:
    gdp = built_in().get("gdp")
    assert gdp is not None
    per_person = replace(gdp, key="output_each", name="产出", unit="元/人", aliases=())
    in_all = replace(gdp, key="output_all", name="产出", unit="亿元", aliases=())
    both = Catalogue([per_person, in_all])

    assert isinstance(both.find("产出"), Unknown)
    assert both.find("产出", "万元") == Known(in_all)
    assert both.find("产出（元/人）") == Known(per_person, "元/人")


def test_an_indicator_of_a_store_takes_the_place_of_the_built_in_one() -> None:
    gdp = built_in().get("gdp")
    assert gdp is not None
    own = replace(gdp, unit="万元", owner="县统计局")

    assert Catalogue([*built_in().indicators, own]).find("GDP") == Known(own)


def test_the_published_growth_beside_a_level_is_another_indicator() -> None:
    gdp, pop = built_in().get("gdp"), built_in().get("pop")
    assert gdp is not None
    assert pop is not None
    growth = built_in().growth_of(gdp)

    assert growth is not None
    assert (growth.key, growth.calibre, growth.period_type) == ("gdp_growth", Calibre.COMPARABLE, PeriodType.CUMULATIVE)
    assert growth.direction is Direction.MORE
    assert built_in().growth_of(pop) is None


@given(st.text(alphabet="地区生产总值GDP增长（）()%①[1]，、:：亿元现价累计# 　0", max_size=24))
def test_any_head_is_read_without_a_fault_and_the_same_twice(head: str) -> None:
    assert built_in().find(head) == built_in().find(head)
