"""The synthetic world of database.yml as the ground that gates hold drafts against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kaozheng.county.figures.derivation import Derivation, Operation
from kaozheng.county.figures.fact_sheet import FactSheet
from kaozheng.county.policy import Clause, Policy
from kaozheng.county.regions.sichuan import sichuan
from kaozheng.county.row_id import RowId
from kaozheng.gates.ground import BoundResult, Ground
from kaozheng.indicators.indicator import Calibre, Direction, Indicator, PeriodType
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.period import read_period
from kaozheng.indicators.region import Region

HERE = Path(__file__).parent
Case = Mapping[str, Any]
_DIRECTIONS = {"higher": Direction.MORE, "lower": Direction.LESS, "neutral": Direction.NEUTRAL}
_OPERATIONS = {
    "diff": Operation.DIFFERENCE,
    "growth": Operation.GROWTH,
    "percent_of": Operation.SHARE,
    "ratio": Operation.RATIO,
    "cagr": Operation.CAGR,
    "rank_desc": Operation.RANK,
    "rank_asc": Operation.RANK_UP,
    "sum": Operation.SUM,
}


def cases(name: str) -> list[dict[str, Any]]:
    """The entries of attacks.yml or clean.yml."""
    entries: list[dict[str, Any]] = yaml.safe_load((HERE / name).read_text(encoding="utf-8"))
    return entries


@cache
def world() -> dict[str, Any]:
    """database.yml."""
    loaded: dict[str, Any] = yaml.safe_load((HERE / "database.yml").read_text(encoding="utf-8"))
    return loaded


def ground(case: Case | None = None) -> Ground:
    """The whole world; with a case its region and period, and the derivations that it says are registered."""
    context = (case or {}).get("context", {})
    regions = {region.code: region for region in _regions()}
    return Ground(
        facts=_sheet().registering(_registered(case or {})),
        gazetteer=sichuan(),
        today=date.fromisoformat(world()["today"]),
        policies=tuple(map(_policy, world()["policies"])),
        results=tuple(map(_result, world()["models"])),
        region=regions.get(context.get("region", "")),
        period=read_period(context["period"])[0] if context else None,
    )


def _registered(case: Case) -> Iterable[Derivation]:
    for number in (*case.get("numbers", ()), *case.get("true_numbers", ())):
        derive = number.get("derive")
        if derive and all(row.split(".")[0] in _keys() for row in derive["inputs"]):
            inputs = dict.fromkeys(map(RowId.parse, derive["inputs"]))  # a rank names its own row and then all of them
            yield Derivation(_OPERATIONS[derive["op"]], tuple(inputs))


def _keys() -> frozenset[str]:
    """What a row may be of: a figure that is also worked out from a clause (P08.2) is no derivation of rows."""
    return frozenset(entry["id"] for entry in world()["indicators"])


def _regions() -> tuple[Region, ...]:
    return tuple(Region(entry["code"], 2024, entry["name"]) for entry in world()["regions"])


@cache
def _sheet() -> FactSheet:
    regions = {region.code: region for region in _regions()}
    rows = [
        Observation(
            region=regions[row["region"]],
            indicator=row["indicator"],
            period=read_period(row["period"])[0],
            raw=row["raw"],
            value=Decimal(row["value"]) if row["value"] is not None else None,
            unit=row["unit"],
            source=row["source"],
            vintage=row["vintage"],
            missing=None if row["value"] is not None else Missing.NO_DATA,
        )
        for row in world()["observations"]
    ]
    return FactSheet.of(rows, map(_indicator, world()["indicators"]), synthetic=True)


def _indicator(entry: Case) -> Indicator:
    calibre = "" if entry["calibre"] == "不适用" else entry["calibre"]
    return Indicator(
        key=entry["id"],
        name=entry["name"],
        unit=entry["unit"],
        calibre=Calibre(calibre),
        period_type=PeriodType(entry["period_type"]),
        direction=_DIRECTIONS[entry["direction"]],
        owner=entry["owner"],
        aliases=tuple(entry["aliases"]),
    )


def _policy(entry: Case) -> Policy:
    clauses = tuple(Clause(one["id"], entry["id"], one["no"], one["text"]) for one in entry["clauses"])
    when = date.fromisoformat(entry["date"])
    count = entry["clause_count"]
    return Policy(entry["id"], entry["number"], entry["issuer"], when, entry["title"], entry["level"], clauses, count)


def _result(entry: Case) -> BoundResult:
    low, high = entry["ci95"]
    return BoundResult(
        id=entry["id"],
        family=entry["family"],
        treatment=entry["treatment"],
        outcome=entry["outcome"],
        estimate=Decimal(entry["estimate"]),
        unit=entry["unit"],
        low=Decimal(low),
        high=Decimal(high),
        p=Decimal(entry["p"]),
        n=int(entry["n"]),
        readiness=entry["readiness"],
        policy=entry["policy"],
        regions=tuple(entry["treated_regions"]),
        limits=entry["limits"],
    )
