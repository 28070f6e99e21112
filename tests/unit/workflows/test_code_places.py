"""Places of code in an overview: read, and taken out of the sentences that a document shows."""

from __future__ import annotations

import pytest

from kaozheng.workflows.write.code_places import files_of, places_of, without_places


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("入口是 `main`（`src/cli.py#L3-L9`）。", "入口是 `main`。"),
        ("入口是 `main`（`src/cli.py#L3-L9`、`a.toml#L4`）。", "入口是 `main`。"),
        ("The entry is `main` (`src/cli.py#L3-L9`, `a.toml#L4`).", "The entry is `main`."),
        ("- 甲（`a.py#L1`）：乙（`b.py#L2`）。", "- 甲：乙。"),
        ("`` a`b.py `` 在此（`` a`b.py#L1 ``）。", "`` a`b.py `` 在此。"),
        ("见附注（共 3 个）。", "见附注（共 3 个）。"),
        ("`f(x)` (see `a.py`).", "`f(x)` (see `a.py`)."),
        ("（`my file (1).py#L2`）", ""),
    ],
)
def test_brackets_that_name_places_go_and_others_stay(text: str, bare: str) -> None:
    assert without_places(text) == bare


def test_each_place_is_named_once_in_its_order() -> None:
    assert places_of("乙（`b.py#L2`），甲（`a.py#L1-L3`、`b.py#L2`）。") == ["b.py#L2", "a.py#L1-L3"]


def test_files_are_counted_not_places() -> None:
    assert files_of(["（`a.py#L1`、`a.py#L9`）", "（`b.py#L1`）"]) == 2
