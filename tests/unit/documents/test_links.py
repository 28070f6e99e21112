"""Relative links keep leading to the same files when a text moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaozheng.documents.links import moved_links, relinked


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("![图](img/a.png) 与 [文](../b.md#x)", "![图](../notes/img/a.png) 与 [文](../b.md#x)"),
        (
            "[x](https://a.b/c) [y](#z) [m](mailto:a@b.c) [r](/abs)",
            "[x](https://a.b/c) [y](#z) [m](mailto:a@b.c) [r](/abs)",
        ),
        ("`[x](a.md)`", "`[x](a.md)`"),
        ("[a](a.md) [a](a.md)", "[a](../notes/a.md) [a](../notes/a.md)"),
    ],
)
def test_only_relative_targets_move(text: str, moved: str) -> None:
    assert moved_links(text, Path("/w/notes"), Path("/w/out")) == moved


def test_there_and_back_is_the_same() -> None:
    text = "![图](img/a.png) [文](../b.md)"
    there = moved_links(text, Path("/w/notes"), Path("/w/x/y"))
    assert moved_links(there, Path("/w/x/y"), Path("/w/notes")) == text


def test_a_target_that_also_stands_in_the_label_is_replaced_in_its_place() -> None:
    assert relinked("[a.md](a.md)", lambda target: "b.md") == "[a.md](b.md)"
