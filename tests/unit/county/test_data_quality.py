"""What does not fit in rows is found once, and what rounding, revisions and rates explain is left alone."""

from decimal import Decimal

import pytest

from kaozheng.county.catalogue import built_in
from kaozheng.county.data_quality import misfits, totals
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.period import read_period
from kaozheng.indicators.region import Region


def row(key, value, period="2021年", vintage="2025", missing=None, source="S!A1"):
    indicator = built_in().get(key)
    when, _ = read_period(period)
    number = None if value is None else Decimal(value)
    return Observation(
        region=Region("511024", when.year),
        indicator=key,
        period=when,
        value=number,
        missing=missing,
        unit=indicator.unit,
        source=source,
        vintage=vintage,
        raw=value or "11≠12",
    )


def checks(*rows):
    return [one.found.check for one in misfits(rows, built_in(), lambda _: ())]


def industries(*values, **changed):
    return [
        row(key, value, **changed)
        for key, value in zip(("gdp", "primary", "secondary", "tertiary"), values, strict=True)
    ]


@pytest.mark.parametrize(("gdp", "found"), [("100.00", []), ("100.02", []), ("100.03", ["parts-and-total"])])
def test_industries_add_up_within_the_rounding(gdp, found):
    assert checks(*industries(gdp, "20.00", "30.00", "50.00")) == found


def test_parts_of_another_revision_are_not_added_up():
    assert checks(row("gdp", "110.00"), *industries("100.00", "20.00", "30.00", "50.00", vintage="2024")) == []


def test_a_part_is_at_most_its_total():
    assert checks(row("revenue", "10.0"), row("tax", "12.0")) == ["part-of-part"]
    assert checks(row("revenue", "10.0"), row("tax", "9.0")) == []


def test_a_wrong_unit_is_found():
    assert checks(row("revenue", "10.0"), row("revenue", "104000", "2022年")) == ["unit-jump"]


@pytest.mark.parametrize(("gdp", "found"), [("108.0", []), ("130.0", ["nominal-and-real"])])
def test_prices_that_growth_implies_are_plausible(gdp, found):
    assert checks(row("gdp", "100.0"), row("gdp", gdp, "2022年"), row("gdp_growth", "5.0", "2022年")) == found


def test_amounts_since_new_year_do_not_fall_but_rates_and_profits_may():
    for key, found in (("retail", ["cumulative-falls"]), ("retail_growth", []), ("ind_profit", [])):
        assert checks(row(key, "8.0", "2021年1-3月"), row(key, "7.0", "2021年1-4月")) == found


def test_two_values_of_one_revision_contradict_each_other_and_those_of_two_do_not():
    first = row("gdp", "100.0")
    assert checks(first, row("gdp", "101.0", source="T!A1")) == ["contradiction"]
    assert checks(first, row("gdp", "101.0", vintage="2024")) == []
    assert checks(row("gdp", None, missing=Missing.CONTRADICTED)) == ["contradiction"]


def test_totals_that_ship_are_of_indicators_in_one_unit():
    for total in totals():
        units = {built_in().get(key).unit for key in (total.key, *total.parts, *total.some)}
        assert len(units) == 1, total
