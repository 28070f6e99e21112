"""The regions of Sichuan since 1980, from the lists that ship with the package (see NOTICE)."""

from __future__ import annotations

from functools import cache

from kaozheng.county.lists import shipped_list
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
            tuple(_alias(alias) for alias in row["aliases"].split("; ") if alias),
        )
        for row in shipped_list("regions/sichuan.tsv")
    )


def sichuan_changes() -> tuple[Change, ...]:
    """What became of the county-level regions, by year; before the changes of 1996-1997 also those of Chongqing."""
    return tuple(
        Change(
            Region(row["old_code"], int(row["year"]) - 1, row["old_name"]),
            Region(row["new_code"], int(row["year"]), row["new_name"]),
            ChangeKind(row["kind"]),
        )
        for row in shipped_list("regions/sichuan_changes.tsv")
    )


def _alias(written: str) -> tuple[str, str]:
    alias, _, note = written.partition("=")
    return alias, note
