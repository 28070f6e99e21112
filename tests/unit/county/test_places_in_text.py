"""Where a prose names regions, and where it only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.regions.gazetteer import Resolved, Unresolved
from kaozheng.county.regions.region_index import RegionIndex
from kaozheng.county.regions.sichuan import sichuan

LISTED = RegionIndex(
    (
        RegionEntry("511028", "隆昌县", 1985, 2016, "", "511000", "511083"),
        RegionEntry("511083", "隆昌市", 2017, None, "", "511000", "511083", (("510283", "试点误码"),)),
        RegionEntry("511002", "市中区", 1985, None, "", "511000", "511002", (("内江市中区", ""), ("内江市市中区", ""))),
        RegionEntry("511102", "市中区", 1985, None, "", "511100", "511102", (("乐山市中区", ""), ("乐山市市中区", ""))),
    )
)


def named(text: str, index: RegionIndex | None = None) -> list[tuple[str, str]]:
    mentions = (index or sichuan()).mentions(text, 2024)
    return [(text[one.span.start : one.span.end], "/".join(region.code for region in one.regions)) for one in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024年隆昌市地区生产总值379.45亿元", [("隆昌市", "511083")]),
        ("四川省内江市隆昌市", [("四川省内江市隆昌市", "511083")]),
        ("隆昌较威远高3个百分点", [("隆昌", "511083"), ("威远", "511024")]),
        ("隆昌人均GDP", [("隆昌", "511083")]),
        ("隆昌县1985年设立", [("隆昌县", "511083")]),
        ("市中区工业", [("市中区", "511002/511102")]),
        ("我市市中区", [("市中区", "511002/511102")]),
        ("四川隆昌", [("四川隆昌", "511083")]),
        ("云南和四川南部", [("四川", "510000")]),
        ("四川隆昌路", [("四川", "510000")]),
        ("内江市市中区、乐山市中区", [("内江市市中区", "511002"), ("乐山市中区", "511102")]),
        ("内江、自贡、宜宾三市", [("内江", "511000"), ("自贡", "510300"), ("宜宾", "511500")]),
        ("三台县、高县和犍为县", [("三台县", "510722"), ("高县", "511525"), ("犍为县", "511123")]),
        ("其中江油市", [("江油市", "510781")]),
        ("凉山州会理市", [("凉山州会理市", "513402")]),
        ("资中县投资中占比", [("资中县", "511025")]),
        ("石棉县的石棉", [("石棉县", "511824")]),
        ("攀枝花市东区", [("攀枝花市东区", "510402")]),
    ],
)
def test_regions_are_found_by_their_longest_names(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "隆昌路施工",
        "隆昌站",
        "市中区域经济",
        "提高县域经济、管理县域",
        "较高县区",
        "发达县区",
        "公安县级",
        "投资中心与外资中心",
        "三台机组",
        "江油田",
        "长江油田",
        "高新区",
        "建成都市圈",
        "通江达海",
        "名山大川",
        "南部县域",
        "东区和西区",
        "城市中区块",
        "前锋作用",
        "安居工程",
        "全省平均",
        "江津市",
        "济南市市中区",
        "阿普格评分",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    assert named(text) == []


def test_a_list_in_memory_works_without_the_levels_above() -> None:
    assert LISTED.resolve("510283", 2024) != LISTED.resolve("隆昌", 2024)
    assert [region.code for region in LISTED.counties(2024)] == ["511002", "511083", "511102"]
    assert named("内江市市中区与隆昌、市中区", LISTED) == [
        ("内江市市中区", "511002"),
        ("隆昌", "511083"),
        ("市中区", "511002/511102"),
    ]
    found = LISTED.resolve("市中区", 2024, within="内江市")
    assert isinstance(found, Resolved)
    assert found.region.code == "511002"
    assert isinstance(LISTED.resolve("市中区", 2024), Unresolved)


@given(st.text(alphabet="四川省内江市隆昌威远县中区高三台、。 在的a1", max_size=60))
def test_places_are_in_order_apart_and_resolve_to_what_they_name(text: str) -> None:
    end = 0
    for mention in sichuan().mentions(text, 2024):
        assert mention.span.start >= end
        end = mention.span.end
        found = sichuan().resolve(text[mention.span.start : end], 2024)
        assert mention.regions == ((found.region,) if isinstance(found, Resolved) else found.candidates)
