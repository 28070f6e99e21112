from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.county.regions.close_names import CloseNames

NAME = st.text(alphabet="隆昌威远市县区中", min_size=1, max_size=6)


@given(NAME, st.lists(NAME, max_size=30, unique=True))
def test_looking_among_few_names_finds_what_comparing_all_would(name: str, known: list[str]) -> None:
    assert list(CloseNames(known).to(name)) == difflib.get_close_matches(name, known, 3, 0.6)


def test_a_misspelt_name_leads_to_the_right_one() -> None:
    assert CloseNames(["隆昌市", "威远县", "资中县"]).to("隆晶市") == ("隆昌市",)
    assert CloseNames(["隆昌市"]).to("合计") == ()
