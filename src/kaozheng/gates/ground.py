"""What a draft is held against: the rows, policies and results that it may speak of, and what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from kaozheng.county.figures.fact_sheet import FactSheet
from kaozheng.county.policy import Policy
from kaozheng.county.regions.gazetteer import Gazetteer
from kaozheng.indicators.period import Period
from kaozheng.indicators.region import Region


@dataclass(frozen=True, slots=True)
class BoundResult:
    """The result of a model that stands behind a causal claim: what `treatment` did to the indicator `outcome` in
    `regions` (codes). Only a result of green or amber readiness carries a claim."""

    id: str
    family: str
    treatment: str
    outcome: str
    estimate: Decimal
    unit: str
    low: Decimal
    high: Decimal
    p: Decimal
    level: Decimal = Decimal(95)
    """Of the interval, in %."""
    n: int = 0
    readiness: str = "green"
    policy: str = ""
    regions: tuple[str, ...] = ()
    limits: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """`region` and `period` are those of the report: a sentence that names none speaks of them. `bindings` are the ids
    of the results that are bound to this draft."""

    facts: FactSheet
    gazetteer: Gazetteer
    today: date
    policies: Sequence[Policy] = ()
    results: Sequence[BoundResult] = ()
    region: Region | None = None
    period: Period | None = None
    report_type: str = ""
    """Whose sections gate 4 asks for; "" asks for none."""
    chunks: frozenset[str] = field(default=frozenset())
    """Ids of the chunks of knowledge bases that may be cited."""
    for_public: bool = False
    """Whether the text is to be published: gate 6 then asks a person."""
