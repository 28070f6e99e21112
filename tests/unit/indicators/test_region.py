"""A region is a code in a year."""

import pytest

from kaozheng.indicators.region import Change, ChangeKind, Region, stands_for

OLD, NEW = Region("511028", 2016, "隆昌县"), Region("511083", 2017, "隆昌市")
CHANGES = [
    Change(Region("512423", 1981, "隆昌县"), Region("512426", 1982, "隆昌县"), ChangeKind.RECODED),
    Change(Region("512426", 1984, "隆昌县"), Region("511028", 1985, "隆昌县"), ChangeKind.RECODED),
    Change(OLD, NEW, ChangeKind.RECODED),
]


def test_a_code_that_changed_is_the_same_region():
    assert stands_for(Region("512423", 1980), CHANGES, 2024) == (Region("511083", 2024), ())
    assert stands_for(OLD, CHANGES, 2016) == (OLD, ())


def test_a_code_that_was_given_to_another_region_is_not_followed():
    later = Region("512423", 1990, "资阳县")
    assert stands_for(later, CHANGES, 2024)[0] == Region("512423", 2024)


def test_the_same_name_is_not_the_same_region():
    assert Region("511002", 2024, "市中区") != Region("511102", 2024, "市中区")
    assert Region("511002", 2024, "市中区") == Region("511002", 2024)


def test_a_new_area_breaks_the_series_and_a_division_ends_it():
    grown = [Change(NEW, Region("511083", 2020), ChangeKind.BOUNDARY)]
    assert stands_for(NEW, grown, 2024) == (Region("511083", 2024), (2020,))
    divided = [
        Change(NEW, Region("511084", 2020), ChangeKind.SPLIT),
        Change(NEW, Region("511085", 2020), ChangeKind.SPLIT),
    ]
    assert stands_for(NEW, divided, 2024) == (None, (2020,))


def test_a_code_is_six_digits():
    with pytest.raises(ValueError, match="six digits"):
        Region("51108", 2024)
    with pytest.raises(ValueError, match="before"):
        stands_for(NEW, CHANGES, 2016)
