from dataclasses import replace

import pytest
from bench.econ_reference import _columbus_request as request_of

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics import spatial
from kaozheng.indicators.econometrics.sample import draw


def rho(columns, request):
    sample = draw(columns, ["CRIME", "INC", "HOVAL"], [request.unit])
    return spatial.lag_model(sample, request)[0][-1].point


@pytest.fixture(scope="module")
def old(columbus):
    return columbus[0], request_of("NEIG", columbus[1], "Anselin 1988")


def test_the_matrix_is_joined_by_id_whatever_the_order_of_rows(old):
    columns, request = old
    turned = {name: list(column)[::-1] for name, column in columns.items()}
    assert rho(columns, request) == pytest.approx(0.43102, abs=1e-5)
    assert rho(turned, request) == pytest.approx(0.43102, abs=1e-5)


def test_rows_numbered_in_file_order_would_give_another_rho(old):
    columns, request = old
    assert rho({**columns, "NEIG": range(1, 50)}, request) == pytest.approx(0.315, abs=2e-3)


def test_another_matrix_another_rho_and_the_specification_says_which(columbus):
    columns, _, queen = columbus
    request = request_of("POLYID", queen, "queen contiguity of columbus.gal")
    assert rho(columns, request) == pytest.approx(0.4233, abs=1e-4)
    result = spatial.spatial_lag(columns, request)
    assert result.status == "estimated"
    assert "queen contiguity of columbus.gal; 236 links" in result.specification.weights_matrix


def test_nothing_is_printed(old, capsys):
    rho(*old)
    assert capsys.readouterr().out == ""


def test_a_matrix_without_source_or_with_unknown_ids_needs_data(old):
    columns, request = old
    unsaid = replace(request, neighbours=replace(request.neighbours, source=""))
    assert spatial.spatial_lag(columns, unsaid).status == "needs_data"
    strange = spatial.spatial_lag({**columns, "NEIG": range(101, 150)}, request)
    assert (strange.status, strange.readiness.item("matched").value) == ("needs_data", 49)
    with pytest.raises(InputError, match="does not know 101"):
        rho({**columns, "NEIG": range(101, 150)}, request)


def test_an_island_blocks(old):
    columns, request = old
    alone = {name: ({} if name == "1" else row) for name, row in request.neighbours.weights.items()}
    result = spatial.spatial_lag(columns, replace(request, neighbours=replace(request.neighbours, weights=alone)))
    assert result.status == "blocked"
    assert result.readiness.item("islands").value == 1
