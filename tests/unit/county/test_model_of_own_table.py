"""Choosing rows of the store says nothing of a table of one's own: it is refused, never dropped without a word."""

from pathlib import Path

import pytest

from kaozheng.api.county_model import SampleOf, model
from kaozheng.county.modelling.request import ModelRequest
from kaozheng.errors import InputError


@pytest.mark.parametrize("chosen", [{"regions": ("511083",)}, {"years": (2020, 2021)}])
def test_regions_and_years_are_refused_for_a_table_of_ones_own(tmp_path, chosen):
    table = Path(tmp_path, "t.csv")
    table.write_text("period,gdp\n2020,1\n2021,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="rows of the store"):
        model("forecast", ModelRequest("gdp"), SampleOf(table, **chosen))
