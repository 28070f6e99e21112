from decimal import Decimal

import pytest

from kaozheng.county.modelling.evaluation import evaluate
from kaozheng.county.modelling.families import FAMILIES, estimate
from kaozheng.county.modelling.request import ModelRequest
from kaozheng.county.modelling.samples import columns_of_grid, columns_of_rows, with_months, with_treatment
from kaozheng.errors import InputError
from kaozheng.indicators.composite import entropy_weights, scaled, topsis
from kaozheng.indicators.econometrics.composite_score import Composite
from kaozheng.indicators.indicator import Direction
from kaozheng.indicators.period import Period
from kaozheng.sources.grid import Grid, GridCell

ROWS = [
    ("511083", "gdp", Period(2023), Decimal("358.72")),
    ("511083", "gdp", Period(2024), Decimal("379.45")),
    ("511083", "pop", Period(2024), None),
    ("511024", "gdp", Period(2024), Decimal("468.93")),
    ("511024", "pop", Period(2024), Decimal("54.3")),
]


def test_rows_become_one_line_a_region_and_period():
    columns = columns_of_rows(ROWS, ["gdp", "pop"])
    assert columns["region"] == ["511024", "511083", "511083"]
    assert columns["period"] == [2024, 2023, 2024]
    assert columns["pop"] == [Decimal("54.3"), None, None]


def test_months_are_neighbours_over_the_turn_of_the_year():
    rows = [("511083", "gdp", period, Decimal(1)) for period in (Period(2023, 0, 12), Period(2024, 0, 1))]
    first, second = columns_of_rows(rows, ["gdp"])["period"]
    assert (first, second) == (2023 * 12 + 12, 2024 * 12 + 1)


def test_quarters_and_mixed_periods_are_refused():
    with pytest.raises(InputError, match="years or months"):
        columns_of_rows([("511083", "gdp", Period(2024, 3), Decimal(1))], ["gdp"])
    with pytest.raises(InputError, match="years or months"):
        columns_of_rows([*ROWS, ("511083", "gdp", Period(2024, 0, 5), Decimal(1))], ["gdp"])


def test_treatment_codes_both_columns_and_knows_no_region_without_a_row():
    columns = with_treatment(columns_of_rows(ROWS, ["gdp"]), {"511083": 2024})
    assert columns["treated"] == [0, 1, 1]
    assert columns["first_treated"] == [0, 2024, 2024]
    with pytest.raises(InputError, match="511038"):
        with_treatment(columns, {"511038": 2024})


def grid_of(*lines):
    cells = {
        (row, column): GridCell(text, number)
        for row, line in enumerate(lines, 1)
        for column, (text, number) in enumerate(line, 1)
        if text
    }
    return Grid("Sheet1", cells)


def test_a_table_of_ones_own_keeps_numbers_names_and_gaps():
    columns = columns_of_grid(
        grid_of(
            [("unit", None), ("gdp", None), ("code", None)],
            [("a", None), ("1,2", Decimal("1.2")), ("0101", None)],
            [("b", None), ("3.4", None), ("", None)],
        )
    )
    assert columns == {"unit": ["a", "b"], "gdp": [Decimal("1.2"), Decimal("3.4")], "code": ["0101", None]}


def test_a_table_without_rows_or_with_a_name_twice_is_refused():
    with pytest.raises(InputError, match="column names"):
        columns_of_grid(grid_of([("unit", None)]))
    with pytest.raises(InputError, match="gdp is there twice"):
        columns_of_grid(grid_of([("gdp", None), ("gdp", None)], [("1", None), ("2", None)]))


def test_months_of_a_table_of_ones_own_are_counted_however_they_are_written():
    written = ["2023-12", Decimal(202401), "2024年2月", Decimal(2024 * 12 + 3), None]
    columns = with_months({"月份": written, "v": [1, 2, 3, 4, 5]}, "月份")
    assert columns["月份"] == [2023 * 12 + 12, 2024 * 12 + 1, 2024 * 12 + 2, 2024 * 12 + 3, None]
    assert columns["v"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("written", [Decimal(2024), "2024年三季度", "五月"])
def test_period_that_is_no_month_is_refused_where_months_are_asked_for(written):
    with pytest.raises(InputError, match="names no"):
        with_months({"period": [written]})


def counties(count=12):
    return {
        "region": [f"c{one}" for one in range(count)],
        "gdp": [Decimal(100 + one**2) for one in range(count)],
        "energy": [Decimal(400 - one**2) / 100 for one in range(count)],
    }


def test_composite_evaluation_is_entropy_weights_and_topsis_of_the_indicators_room():
    columns = counties()
    result = estimate(
        "composite",
        columns,
        ModelRequest(features=("gdp", "energy"), directions={"gdp": True, "energy": False}, signed_off_by="综合科"),
    )
    table = {
        unit: {"gdp": columns["gdp"][row], "energy": columns["energy"][row]}
        for row, unit in enumerate(columns["region"])
    }
    directions = {"gdp": Direction.MORE, "energy": Direction.LESS}
    weights = entropy_weights(scaled(table, directions))
    scores = topsis(table, weights, directions).scores
    assert result.status == "estimated"
    assert {one.name: round(one.point, 9) for one in result.estimates} == {
        unit: round(float(score), 9) for unit, score in scores.items()
    }


def test_a_direction_that_nobody_said_is_asked_for():
    with pytest.raises(InputError, match="more of energy better"):
        estimate("composite", counties(), ModelRequest(features=("gdp", "energy"), directions={"gdp": True}))


def test_evaluation_without_a_name_under_its_directions_needs_data():
    result = evaluate(counties(), Composite("region", {"gdp": True, "energy": False}))
    assert result.status == "needs_data"
    assert not result.estimates


def test_a_family_says_what_it_needs_and_which_name_was_meant():
    with pytest.raises(InputError, match="panel: say features"):
        estimate("panel", counties(), ModelRequest(outcome="gdp"))
    with pytest.raises(InputError, match="did you mean forecast"):
        estimate("forcast", counties(), ModelRequest())
    assert set(FAMILIES) == {"did", "psm", "panel", "spatial", "composite", "cluster", "forecast"}


def test_one_of_two_periods_alone_is_no_design():
    with pytest.raises(InputError, match="both periods"):
        estimate("did", counties(), ModelRequest(outcome="gdp", before=2019))
