"""Gaps of the coverage as tickets: one for each value that a department owes, none for what a row explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from kaozheng.county.ticket import Ticket
from kaozheng.indicators.coverage import Gap

NOBODY = "责任部门待定"
"""The department of an indicator that nobody answers for yet."""


def tickets_of(gaps: Iterable[Gap], opened_at: datetime) -> Iterator[Ticket]:
    """A ticket for each gap of which values were never delivered; `key` is region.indicator.year, so that the same gap
    never asks twice. A gap that is wholly explained by marks (—, …) asks nobody."""
    for gap in gaps:
        owed = gap.missing - gap.explained
        if owed <= 0:
            continue
        key = f"{gap.region}.{gap.indicator.key}.{gap.year}"
        reason = f"{gap.indicator.name}缺 {owed} 个数值"
        owner = gap.indicator.owner or NOBODY
        yield Ticket(
            key, gap.region, gap.indicator.key, gap.year, owner, reason, opened_at.isoformat(timespec="seconds")
        )
