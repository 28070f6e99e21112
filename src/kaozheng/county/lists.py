"""The lists that ship with the package: tab-separated, a head, comments behind #."""

from __future__ import annotations

import csv
from importlib import resources


def shipped_list(name: str) -> list[dict[str, str]]:
    """The lines of a list by its head; `name` is its place below this room ("indicators.tsv")."""
    text = resources.files("kaozheng.county").joinpath(*name.split("/")).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [{key: value or "" for key, value in row.items()} for row in csv.DictReader(lines, delimiter="\t")]
