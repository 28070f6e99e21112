"""The regions of Sichuan since 1980, from the lists that ship with the package (see NOTICE)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from importlib import resources

from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.regions.region_index import RegionIndex
from kaozheng.indicators.region import Change, ChangeKind, Region


@cache
def sichuan() -> RegionIndex:
    """The gazetteer of Sichuan: province, prefectures and county-level regions of each year since 1980."""
    return RegionIndex(sichuan_entries(), sichuan_changes())


def sichuan_entries() -> tuple[RegionEntry, ...]:
    """The list itself, by level and code."""
    return tuple(
        RegionEntry(
            row["code"],
            row["name"],
            int(row["since"]),
            int(row["until"]) if row["until"] else None,
            row["kind"],
            row["parent"],
            row["stable"],
            tuple(_alias(alias) for alias in (row["aliases"] or "").split("; ") if alias),
        )
        for row in _lines("sichuan.tsv")
    )


def sichuan_changes() -> tuple[Change, ...]:
    """What became of the county-level regions, by year; before the changes of 1996-1997 also those of Chongqing."""
    return tuple(
        Change(
            Region(row["old_code"], int(row["year"]) - 1, row["old_name"]),
            Region(row["new_code"], int(row["year"]), row["new_name"]),
            ChangeKind(row["kind"]),
        )
        for row in _lines("sichuan_changes.tsv")
    )


def _alias(written: str) -> tuple[str, str]:
    alias, _, note = written.partition("=")
    return alias, note


def _lines(name: str) -> Iterator[dict[str, str]]:
    text = resources.files("kaozheng.county.regions").joinpath(name).read_text(encoding="utf-8")
    yield from csv.DictReader((line for line in text.splitlines() if not line.startswith("#")), delimiter="\t")
