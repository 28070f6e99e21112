"""Which indicator a head means; what is open is asked, never guessed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.county.catalogue import Catalogue, built_in, built_in_indicators
from kaozheng.county.row_id import KEY
from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Calibre, Direction, Indicator, PeriodType


def keys(name: str) -> set[str]:
    return {one.key for one in built_in().find(name)}


def gdp() -> Indicator:
    return built_in().meant("gdp")


def test_the_built_in_indicators_have_a_key_a_known_unit_and_a_department() -> None:
    known = [indicator.key for _, indicator in built_in_indicators()]

    assert len(known) == len(set(known)) >= 60
    for domain, indicator in built_in_indicators():
        assert domain in {"economy", "industry", "agriculture", "trade"}
        assert re.fullmatch(KEY, indicator.key)
        assert indicator.measure.dimension, indicator.unit
        assert indicator.owner


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ("gdp", "gdp"),
        ("地区生产总值(亿元)", "gdp"),
        ("二、地区生产总值①（亿元）", "gdp"),
        ("ＧＤＰ", "gdp"),
        ("地区 生产　总值", "gdp"),
        ("地区生产总值（现价）", "gdp"),
        ("地区生产总值（可比价）", "gdp_constant"),
        ("GDP增长%", "gdp_growth"),
        ("地区生产总值比上年增长（%）", "gdp_growth"),
        ("一般公共预算收入同比增长", "revenue_growth"),
        ("其中：税收收入", "tax"),
        ("年末常住人口（万人）[1]", "pop"),
        ("(一)第一产业", "primary"),
        ("单位GDP能耗（吨标准煤/万元）", "energy"),
        ("万元GDP能耗", "energy"),
        ("执业（助理）医师（人）", "doctors"),
        ("65岁及以上人口占比%", "aged_share"),
        ("居民消费价格指数（上年=100）", "cpi"),
    ],
)
def test_a_head_means_an_indicator_however_it_is_written(head: str, key: str) -> None:
    assert built_in().meant(head).key == key


@pytest.mark.parametrize(
    ("head", "candidates"),
    [
        ("财政收入", {"revenue", "fund_revenue"}),
        ("人口（万人）", {"pop", "pop_registered"}),
        ("#工业增加值", {"industry", "indva"}),
        ("人均可支配收入", {"income", "urban_income", "rural_income"}),
    ],
)
def test_a_head_that_may_mean_several_is_asked_about(head: str, candidates: set[str]) -> None:
    assert keys(head) == candidates
    with pytest.raises(InputError, match="give the key") as raised:
        built_in().meant(head)
    assert all(key in str(raised.value) for key in candidates)


@pytest.mark.parametrize("head", ["增速", "比上年增长%", "", "合计", "备注", "指标", "地区生产总植"])
def test_a_head_that_names_nothing_is_no_indicator(head: str) -> None:
    assert keys(head) == set()


def test_a_misspelt_head_is_refused_and_told_what_is_close() -> None:
    with pytest.raises(InputError, match=r"地区生产总植.*nearest.*gdp"):
        built_in().meant("地区生产总植（亿元）")


def test_prices_of_a_base_year_are_never_taken_for_those_of_the_year() -> None:
    assert keys("第一产业增加值（可比价）") == set()


def test_an_indicator_of_a_store_takes_the_place_of_the_built_in_one() -> None:
    own = replace(gdp(), unit="万元", owner="县统计局")

    assert Catalogue([*built_in().indicators, own]).find("GDP") == (own,)


def test_the_published_growth_beside_a_level_is_another_indicator() -> None:
    growth = built_in().growth_of(gdp())

    assert growth is not None
    assert (growth.key, growth.calibre, growth.period_type) == ("gdp_growth", Calibre.COMPARABLE, PeriodType.CUMULATIVE)
    assert growth.direction is Direction.MORE
    assert built_in().growth_of(built_in().meant("pop")) is None


@given(st.text(alphabet="地区生产总值GDP增长（）()%①[1]，、:：亿元现价累计# 　0", max_size=24))
def test_any_head_is_read_without_a_fault_and_names_only_what_there_is(head: str) -> None:
    assert keys(head) <= {one.key for one in built_in().indicators}
