"""The list of regions that ships: its counts, its codes over the years, what became of whom."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from kaozheng.county.regions.gazetteer import NamedBy, Resolved, Unresolved
from kaozheng.county.regions.sichuan import sichuan, sichuan_changes, sichuan_entries
from kaozheng.indicators.region import ChangeKind, Region, stands_for


def code_of(text: str, year: int, within: str = "") -> str:
    found = sichuan().resolve(text, year, within)
    assert isinstance(found, Resolved), found
    return found.region.code


def test_today_there_are_183_county_level_regions_of_four_kinds() -> None:
    kinds = Counter(entry.kind for entry in sichuan_entries() if entry.until is None)

    assert len(sichuan().counties(2024)) == 183
    assert kinds == {"市辖区": 55, "县级市": 19, "县": 105, "自治县": 4, "地级市": 18, "自治州": 3, "省": 1}


def test_a_code_means_one_region_in_any_year() -> None:
    times: dict[str, list[tuple[int, int]]] = {}
    for entry in sichuan_entries():
        times.setdefault(entry.code, []).append((entry.since, entry.until or 9999))

    for code, spans in times.items():
        for before, after in pairwise(sorted(spans)):
            assert before[1] < after[0], code


def test_every_region_of_today_is_its_own_stable_code() -> None:
    assert all(entry.stable == entry.code for entry in sichuan_entries() if entry.until is None)


@pytest.mark.parametrize(
    ("text", "year", "code"),
    [
        ("隆昌县", 1981, "512423"),
        ("隆昌县", 1984, "512426"),
        ("隆昌县", 2016, "511028"),
        ("隆昌市", 2017, "511083"),
        ("512423", 1981, "512423"),
        ("511083.0", 2024, "511083"),
        ("511083000000", 2024, "511083"),
        ("隆昌", 2024, "511083"),
        ("隆 昌　市", 2024, "511083"),
        ("四川省内江市隆昌市", 2024, "511083"),
        ("四川隆昌", 2024, "511083"),
        ("内江市中区", 2024, "511002"),
        ("四川省乐山市市中区", 2024, "511102"),
        ("北川县", 2024, "510726"),
        ("凉山州会理市", 2024, "513402"),
        ("攀枝花市东区", 2024, "510402"),
        ("凉山州", 2024, "513400"),
        ("内江市", 2024, "511000"),
        ("510283", 1996, "510283"),
    ],
)
def test_a_name_or_code_of_the_year_means_that_region_without_a_remark(text: str, year: int, code: str) -> None:
    found = sichuan().resolve(text, year)

    assert isinstance(found, Resolved)
    assert (found.region, found.note) == (Region(code, year), None)


@pytest.mark.parametrize(
    ("text", "year", "code"),
    [
        ("隆昌县", 2024, "511083"),
        ("隆昌市", 2015, "511028"),
        ("511028", 2024, "511083"),
        ("511083", 2010, "511028"),
        ("会理县", 2024, "513402"),
        ("新津县", 2024, "510118"),
        ("射洪县", 2024, "510981"),
        ("宜宾县", 2024, "511504"),
        ("资阳县", 2024, "512002"),
        ("广元市市中区", 2024, "510802"),
        ("资阳市简阳市", 2024, "510185"),
    ],
)
def test_a_name_or_code_of_another_year_leads_to_the_region_with_a_remark(text: str, year: int, code: str) -> None:
    found = sichuan().resolve(text, year)

    assert isinstance(found, Resolved)
    assert (found.region.code, found.by) == (code, NamedBy.FORMER)
    assert found.note is not None
    assert text in found.note.zh
    assert code in found.note.en


def test_the_wrong_code_of_the_pilot_leads_to_longchang_with_a_remark() -> None:
    found = sichuan().resolve("510283", 2024)

    assert isinstance(found, Resolved)
    assert (found.region.code, found.by) == ("511083", NamedBy.ALIAS)
    assert found.note is not None
    assert "江津市" in found.note.zh


@pytest.mark.parametrize(
    ("text", "year", "candidates"),
    [
        ("市中区", 2024, {"511002", "511102"}),
        ("512423", 2024, {"511083", "512002"}),
        ("广安", 2024, {"511600", "511602"}),
        ("阿坝", 2024, {"513200", "513231"}),
        ("遂宁市市中区", 2024, {"510903", "510904"}),
    ],
)
def test_what_may_be_several_regions_is_never_guessed(text: str, year: int, candidates: set[str]) -> None:
    found = sichuan().resolve(text, year)

    assert isinstance(found, Unresolved)
    assert {region.code for region in found.candidates} == candidates


@pytest.mark.parametrize(("within", "code"), [("内江市", "511002"), ("511100", "511102"), ("四川省乐山市", "511102")])
def test_the_level_above_says_which_of_two_is_meant(within: str, code: str) -> None:
    assert code_of("市中区", 2024, within) == code


def test_a_region_of_another_prefecture_is_not_taken() -> None:
    found = sichuan().resolve("威远县", 2024, within="成都市")

    assert isinstance(found, Unresolved)
    assert "内江市威远县" in found.reason.zh


@pytest.mark.parametrize(
    ("text", "close"), [("降昌市", "511083"), ("四川省内江市隆昌巿", "511083"), ("威远先", "511024")]
)
def test_a_misspelt_name_is_refused_and_told_what_is_close(text: str, close: str) -> None:
    found = sichuan().resolve(text, 2024)

    assert isinstance(found, Unresolved)
    assert close in {region.code for region in found.candidates}
    assert close in found.reason.en


@pytest.mark.parametrize("text", ["", " ", "合计", "高新区", "江津市", "999999", "川南"])
def test_what_is_no_region_is_refused(text: str) -> None:
    assert isinstance(sichuan().resolve(text, 2024), Unresolved)


def test_a_year_before_the_list_is_refused_and_not_answered_from_later_years() -> None:
    found = sichuan().resolve("隆昌", 1970)

    assert isinstance(found, Unresolved)
    assert "1970" in found.reason.en


def test_longchang_is_followed_over_three_codes_without_a_break() -> None:
    assert stands_for(Region("512423", 1980), sichuan_changes(), 2024) == (Region("511083", 2024), ())


def test_a_district_that_was_divided_has_no_single_successor() -> None:
    assert stands_for(Region("510902", 2000), sichuan_changes(), 2024) == (None, (2003,))


def test_a_district_that_gave_away_a_part_goes_on_with_a_break() -> None:
    assert stands_for(Region("511602", 2010), sichuan_changes(), 2024) == (Region("511602", 2024), (2013,))


def test_changes_lead_from_a_region_that_stood_to_one_that_stands() -> None:
    entries = sichuan_entries()
    stood = {(entry.code, year) for entry in entries for year in range(entry.since, (entry.until or 2024) + 1)}

    for change in sichuan_changes():
        assert (change.old.code, change.old.year) in stood
        assert (change.new.code, change.new.year) in stood
        assert change.kind is not ChangeKind.RENAMED or change.old.code == change.new.code


def test_the_full_name_says_what_a_region_belongs_to() -> None:
    assert sichuan().full_name(Region("511002", 2024)) == "四川省内江市市中区"
    assert sichuan().full_name(Region("990000", 2024, "某地")) == "某地"
