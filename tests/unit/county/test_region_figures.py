"""What the rows say of one region: nothing is compared with a year that is not there or a boundary that moved."""

from decimal import Decimal

import pytest

from kaozheng.county.catalogue import built_in
from kaozheng.county.county_profile import DIMENSIONS
from kaozheng.county.region_figures import region_figures
from kaozheng.county.row_id import RowId
from kaozheng.indicators.early_warning import Colour
from kaozheng.indicators.growth import Growth
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.period import Period
from kaozheng.indicators.profile import Dimension
from kaozheng.indicators.ranks import Rank
from kaozheng.indicators.region import Region
from kaozheng.indicators.undefined import Undefined, Why

HERE = Region("511083", 2024, "隆昌市")
GDP, POP, FIRMS, ENERGY = (built_in().get(key) for key in ("gdp", "pop", "firms", "energy"))


def row(indicator, year, value, code="511083", vintage="2025"):
    missing = Missing.NO_DATA if value is None else None
    number = None if value is None else Decimal(value)
    cell = f"t.xlsx!{indicator.key}!{year}"
    return Observation(
        Region(code, year), indicator.key, Period(year), value or "", number, indicator.unit, cell, vintage, missing
    )


def of(indicators, observations, others=(), **rest):
    rows = [(one.region.code, one.indicator, one.period, one.value) for one in observations if one.period.year == 2024]
    everywhere = [*rows, *((code, key, Period(2024), Decimal(value)) for code, key, value in others)]
    return region_figures(HERE, Period(2024), indicators, observations, everywhere, **rest)


def test_figure_leads_to_its_row_and_grows_by_the_calendar():
    found = of([GDP], [row(GDP, 2024, "110"), row(GDP, 2023, "100"), row(GDP, 2022, "1")]).figures[0]
    assert (str(found.row), found.observation.source, found.value) == ("gdp.511083.2024", "t.xlsx!gdp!2024", 110)
    assert (found.on_year.rate, found.on_period) == (10, None)


def test_year_before_that_is_missing_gives_no_growth():
    found = of([GDP], [row(GDP, 2024, "110"), row(GDP, 2022, "100")]).figures[0]
    assert found.on_year == Undefined(Why.BASE_MISSING, "2023")


def test_no_growth_is_computed_over_a_change_of_area():
    rows = [row(GDP, 2024, "110"), row(GDP, 2023, "100")]
    assert of([GDP], rows, breaks=frozenset({2024})).figures[0].on_year.why is Why.BREAK
    assert isinstance(of([GDP], rows, breaks=frozenset({2023})).figures[0].on_year, Growth)


def test_series_goes_on_where_only_the_code_changed():
    found = region_figures(
        HERE, Period(2017), [GDP], [row(GDP, 2017, "110"), row(GDP, 2016, "100", code="511028")], []
    ).figures[0]
    assert found.on_year.rate == 10
    before = region_figures(HERE, Period(2016), [GDP], [row(GDP, 2016, "100", code="511028")], []).figures[0]
    assert (str(before.row), before.value) == ("gdp.511083.2016", 100)


def test_value_that_nobody_has_is_said_and_has_no_place():
    found = of([GDP, POP], [row(GDP, 2024, None)], [("511024", "gdp", "5")])
    gdp, pop = found.figures
    assert (gdp.value, gdp.observation.missing, gdp.place) == (None, Missing.NO_DATA, Undefined(Why.MISSING, "511083"))
    assert (pop.observation, pop.row) == (None, RowId("pop", "511083", Period(2024)))


def test_less_is_the_better_place_of_an_indicator_that_says_so():
    others = [("511024", "energy", "0.9"), ("511025", "energy", "0.5")]
    assert of([ENERGY], [row(ENERGY, 2024, "0.7")], others).figures[0].place == Rank(2, 3, 0, ())


@pytest.mark.parametrize(("value", "colour"), [("100", Colour.GREEN), ("99", Colour.YELLOW), ("90", Colour.RED)])
def test_bound_on_a_change_judges_the_growth_and_not_the_value(value, colour):
    found = of([FIRMS], [row(FIRMS, 2024, value), row(FIRMS, 2023, "100")]).figures[0]
    assert [(signal.rule.id, signal.colour) for signal in found.signals] == [("W08", colour)]


def test_warning_without_a_base_is_grey_and_never_green():
    assert of([FIRMS], [row(FIRMS, 2024, "90")]).figures[0].signals[0].colour is Colour.GREY


def test_warning_says_a_computed_rate_with_two_decimals():
    found = of([FIRMS], [row(FIRMS, 2024, "91"), row(FIRMS, 2023, "92")]).figures[0]
    assert "-1.09%" in found.signals[0].reason.zh


def test_large_county_is_not_unlike_others_for_being_large():
    """By logarithms 100 is as far from 10 as 1 is; by amounts 1 would be ten times nearer."""
    others = [("511024", "gdp", "100"), ("511025", "gdp", "1"), ("511011", "gdp", "11")]
    found = of([GDP], [row(GDP, 2024, "10")], others)
    far = {peer.region: round(peer.distance, 6) for peer in found.peers.nearest}
    assert [peer.region for peer in found.peers.nearest] == ["511011", "511024", "511025"]
    assert far["511024"] == far["511025"]


def test_peers_are_compared_only_by_what_all_of_them_have():
    others = [(code, "gdp", value) for code, value in (("511024", "100"), ("511025", "1"))] + [("511024", "pop", "5")]
    found = of([GDP, POP], [row(GDP, 2024, "10"), row(POP, 2024, "5")], others)
    assert (found.peers.compared, found.peers.left_out) == (2, ())


def test_profile_has_a_score_only_where_there_are_values():
    others = [(f"51102{place}", "gdp", str(place)) for place in range(1, 5)]
    scores = of([GDP], [row(GDP, 2024, "10")], others).profile
    assert scores[Dimension.SCALE] == 100
    assert all(isinstance(scores[one], Undefined) for one in Dimension if one is not Dimension.SCALE)


def test_profile_speaks_of_indicators_that_there_are_and_that_have_a_direction():
    for key in (key for keys in DIMENSIONS.values() for key in keys):
        indicator = built_in().get(key)
        assert indicator is not None, key
        assert indicator.direction.value != "中性", key
