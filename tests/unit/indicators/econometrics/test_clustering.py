import numpy as np
import pytest

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.clustering import Clustering, clustering

REQUEST = Clustering("county", ("gdp", "industry"), 3)


def made(apart=8.0):
    chance = np.random.default_rng(2)
    group = np.repeat([0, 1, 2], 20)
    gdp, industry = (apart * np.array(centres)[group] + chance.normal(size=60) for centres in ((0, 1, 2), (0, 1, 0)))
    return {"county": [f"c{place:02}" for place in range(60)], "gdp": gdp, "industry": industry}


def test_groups_that_are_there_are_found_and_numbered_from_the_top(pandas):
    result = clustering(made(), REQUEST)
    members = dict(result.tables)["members"]
    assert result.status == "estimated"
    assert result.readiness.colour == "green"
    assert members[0] == ("c40", 1)
    assert members[-1] == ("c19", 3)
    assert result.estimate("stability").low > 0.9


def test_the_order_of_rows_does_not_matter(pandas):
    columns = made()
    turned = {name: list(column)[::-1] for name, column in columns.items()}
    assert clustering(columns, REQUEST).tables == clustering(turned, REQUEST).tables


def test_no_groups_no_result(pandas):
    result = clustering(made(apart=0.0), REQUEST)
    assert (result.status, result.estimates) == ("blocked", ())


def test_few_rows_or_a_constant_column_are_refused(pandas):
    few = {name: list(column)[:12] for name, column in made().items()}
    assert clustering(few, REQUEST).status == "needs_data"
    constant = clustering({**made(), "industry": [1.0] * 60}, REQUEST)
    assert constant.status == "blocked"
    assert "industry" in constant.readiness.item("constant").reason.zh


def test_gaps_beyond_a_tenth_need_data(pandas):
    columns = made()
    columns["gdp"] = [None if place < 7 else value for place, value in enumerate(columns["gdp"])]
    assert clustering(columns, REQUEST).readiness.item("missing").colour == "red"
    with pytest.raises(InputError, match="twice"):
        clustering({**columns, "county": ["a"] * 60}, REQUEST)
