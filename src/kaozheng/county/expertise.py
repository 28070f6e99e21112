"""What ships of expertise: rules of experts, bounds of early warning, mechanisms. Evidence of level 4: each names its
source, and none says anything about one county."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from kaozheng.county.catalogue import built_in
from kaozheng.county.lists import shipped_list
from kaozheng.county.records import ExpertRule, Mechanism
from kaozheng.errors import InputError
from kaozheng.indicators.early_warning import WarningRule


@dataclass(frozen=True, slots=True)
class Bound:
    """A rule of early warning on an indicator; with `change` it judges the growth over the year before."""

    rule: WarningRule
    indicator: str
    change: bool
    source: str


def expert_rules() -> tuple[ExpertRule, ...]:
    """The rules of experts that ship, by id."""
    rows = shipped_list("expert_rules.tsv")
    return tuple(ExpertRule(row["id"], row["topic"], row["rule"], row["source"]) for row in rows)


def mechanisms() -> tuple[Mechanism, ...]:
    """The mechanisms that ship, by id."""
    rows = shipped_list("mechanisms.tsv")
    return tuple(Mechanism(row["id"], row["topic"], row["owner"], row["text"]) for row in rows)


def warning_bounds() -> tuple[Bound, ...]:
    """The bounds of early warning that ship, by id."""
    return tuple(_bound(row) for row in shipped_list("warning_rules.tsv"))


def _bound(row: dict[str, str]) -> Bound:
    indicator = built_in().get(row["indicator"])
    if indicator is None:
        raise InputError(f"{row['id']}: no indicator {row['indicator']}")
    change = bool(row["change"])
    rule = WarningRule(
        row["id"],
        f"{indicator.name}同比" if change else indicator.name,
        "%" if change and not indicator.is_rate else "个百分点" if change else indicator.unit,
        Decimal(row["yellow"]),
        Decimal(row["red"]),
        bool(row["below"]),
    )
    return Bound(rule, indicator.key, change, row["source"])
