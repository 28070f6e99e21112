"""Places of code in an overview: read, and taken out of the sentences that a document shows."""

from __future__ import annotations

import pytest

from kaozheng.workflows.write.code_places import counted_files, places_of, reference, without_places


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
        ("共有 3 个（统计得出，例如 `a.py#L1`）。", "共有 3 个。"),
        ("共有 3 个（统计得出）。", "共有 3 个。"),
        ("It has 3 (counted; for example `a.py#L1`).", "It has 3."),
        ("It has 3 (counted).", "It has 3."),
    ],
)
def test_brackets_that_name_places_go_and_others_stay(text: str, bare: str) -> None:
    assert without_places(text) == bare


def test_each_place_is_named_once_in_its_order() -> None:
    assert places_of("乙（`b.py#L2`），甲（`a.py#L1-L3`、`b.py#L2`）。") == ["b.py#L2", "a.py#L1-L3"]


def test_files_are_counted_with_their_different_places() -> None:
    assert counted_files(["（`a.py#L1`、`a.py#L9`）", "（`b.py#L1`、`a.py#L9`）"]) == {"a.py": 2, "b.py": 1}


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("入口是 `main`（`a.py#L3`、`b.py#L4`）。", "zh", "`a.py#L3`、`b.py#L4`"),
        ("共有 3 个文件（统计得出，例如 `a.py#L3`）。", "zh", "统计自代码库，例如 `a.py#L3`"),
        ("It has 3 files (counted; for example `a.py#L3`).", "en", "Counted over the code base; for example `a.py#L3`"),
        ("未发现入口（统计得出）。", "zh", "统计自整个代码库"),
        ("No entry was found.", "en", "From the whole code base"),
        (", ".join(f"`a.py#L{line}`" for line in range(1, 12)), "en", None),
    ],
)
def test_a_footnote_says_what_a_statement_rests_on(text: str, language: str, said: str | None) -> None:
    told = reference(text, language)
    assert told == said if said else told.endswith("`a.py#L8` and 3 more")
