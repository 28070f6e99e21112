"""The four levels of evidence, and what a claim of each level must carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from kaozheng.indicators.reason import Reason


class Level(IntEnum):
    """How much a statement is worth."""

    HARD_METRIC = 1  # a row of statistics with source, period and calibre
    SOFT_EVIDENCE = 2  # a policy, a report of the government, minutes
    HYPOTHESIS = 3  # a bottleneck, a supposed cause, a lead: to be verified
    EXPERT_RULE = 4  # a rule or threshold of economic analysis


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement with what it rests on: `sources` are rows, policies, clauses, results or rules; a hypothesis names
    how it is verified (`check`, 核验方法) and by whom (`department`, 责任部门)."""

    text: str
    level: Level
    sources: tuple[str, ...] = field(default=())
    check: str = ""
    department: str = ""

    def lacks(self) -> tuple[Reason, ...]:
        """What the claim must carry and does not."""
        if self.level is not Level.HYPOTHESIS:
            return () if self.sources else (Reason("没有注明来源", "It names no source."),)
        return tuple(
            reason
            for value, reason in (
                (self.check, Reason("待核验假设没有写核验方法", "The hypothesis says not how it is verified.")),
                (self.department, Reason("待核验假设没有写责任部门", "The hypothesis names no department in charge.")),
            )
            if not value.strip()
        )

    def as_dict(self) -> dict[str, Any]:
        """For reports: plain values only."""
        return {
            "text": self.text,
            "level": int(self.level),
            "sources": list(self.sources),
            "check": self.check,
            "department": self.department,
        }
