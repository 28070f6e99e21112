import numpy as np

from kaozheng.indicators.econometrics.composite_score import Composite, composite

REQUEST = Composite("county", {"gdp": True, "energy": False}, signed_off_by="发改局综合科 2024-05-01")


def equal(table):
    return {name: 0.5 for name in next(iter(table.values()))}


def spread(table, weights):
    """Min-max by direction, weighted: enough of a score to see the conditions by."""
    scores = {}
    for unit, row in table.items():
        scores[unit] = 0.0
        for name, weight in weights.items():
            column = [one[name] for one in table.values()]
            share = (row[name] - min(column)) / (max(column) - min(column))
            scores[unit] += weight * (share if REQUEST.directions[name] else 1 - share)
    return scores


def made(units=12):
    gdp = np.arange(units, dtype=float) ** 1.5
    return {"county": [f"c{one}" for one in range(units)], "gdp": gdp, "energy": 40 - gdp}


def run(columns, request=REQUEST):
    return composite(columns, request, equal, spread, "equal weights, min-max")


def test_scores_come_with_their_range_under_other_weights():
    columns = made()
    columns["energy"] = columns["energy"] + np.tile([0.0, 6.0, -6.0], 4)
    result = run(columns)
    one = result.estimate("c5")
    assert result.status == "estimated"
    assert one.low < one.point < one.high


def test_unsigned_directions_need_data():
    result = run(made(), Composite("county", REQUEST.directions))
    assert (result.status, result.estimates) == ("needs_data", ())
    assert result.readiness.item("directions").colour == "red"


def test_a_constant_column_blocks():
    result = run({**made(), "energy": [1.0] * 12})
    assert result.status == "blocked"
    assert "energy" in result.readiness.item("constant").reason.zh


def test_gaps_beyond_a_tenth_need_data():
    columns = made()
    columns["gdp"] = [None, None, *columns["gdp"][2:]]
    assert run(columns).status == "needs_data"


def test_ranks_that_hang_on_the_weights_block():
    columns = made()
    columns["energy"] = columns["gdp"] + np.random.default_rng(0).normal(scale=0.5, size=12)
    result = run(columns)  # what one indicator gives the other takes: the weights decide everything
    assert (result.status, result.readiness.item("rank_stability").colour) == ("blocked", "red")
