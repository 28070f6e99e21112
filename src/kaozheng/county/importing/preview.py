"""A plan as a small table for people: what would be imported, and what is told of which cells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from kaozheng.county.importing.finding import Code, Kind
from kaozheng.county.importing.plan import Plan
from kaozheng.county.regions.lineage import Lineage
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Observation
from kaozheng.indicators.reason import Reason


@dataclass(frozen=True, slots=True)
class IndicatorCount:
    """How many rows an indicator has, how many of them say that there is no value, of how many regions (隆昌县 and
    隆昌市 are one) and periods."""

    indicator: Indicator
    rows: int
    missing: int
    regions: int
    periods: int


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """All findings of one code: the first cells with what stands there, how many there are, and the first reason."""

    kind: Kind
    code: Code
    count: int
    cells: tuple[tuple[str, str], ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a plan, its indicators and its findings, refused ones first."""

    first: tuple[Observation, ...]
    rows: int
    refused: int
    indicators: tuple[IndicatorCount, ...]
    findings: tuple[FindingGroup, ...]
    unread: tuple[str, ...]


def preview(plan: Plan, rows: int = 10, cells: int = 5) -> Preview:
    """At most so many rows, and cells of each kind of finding."""
    lineage = Lineage(sichuan().entries)
    return Preview(
        first=plan.observations[:rows],
        rows=len(plan.observations),
        refused=plan.refused,
        indicators=tuple(_count(indicator, plan, lineage) for indicator in plan.indicators),
        findings=_groups(plan, cells),
        unread=plan.unread,
    )


def _count(indicator: Indicator, plan: Plan, lineage: Lineage) -> IndicatorCount:
    rows = [row for row in plan.observations if row.indicator == indicator.key]
    return IndicatorCount(
        indicator,
        len(rows),
        sum(row.missing is not None for row in rows),
        len({lineage.today(row.region.code, row.period.year) for row in rows}),
        len({row.period for row in rows}),
    )


def _groups(plan: Plan, cells: int) -> tuple[FindingGroup, ...]:
    counts = Counter((one.kind, one.code) for one in plan.findings)
    groups = []
    for (kind, code), count in sorted(counts.items(), key=lambda one: (one[0][0] is Kind.NOTED, -one[1], one[0][1])):
        these = [one for one in plan.findings if (one.kind, one.code) == (kind, code)]
        first = tuple((one.cell, one.raw) for one in these[:cells])
        groups.append(FindingGroup(kind, code, count, first, these[0].reason))
    return tuple(groups)
