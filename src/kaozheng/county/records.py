"""What else is kept of counties: enterprises, projects, factor constraints, chains, rules, mechanisms, business terms.

All are plain rows with an `id`; `region` is the code of GB/T 2260 and "" where a row belongs to none.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Enterprise:
    """An enterprise; `id` is its 统一社会信用代码 where it has one."""

    id: str
    region: str
    name: str
    industry: str = ""
    scope: str = ""
    is_large: bool = False
    """规模以上."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project: `investment` in 万元, `first_year` to `last_year` as its 建设周期."""

    id: str
    region: str
    name: str
    industry: str = ""
    investment: Decimal | None = None
    first_year: int | None = None
    last_year: int | None = None
    stage: str = ""


@dataclass(frozen=True, slots=True)
class FactorConstraint:
    """A limit on land, energy, water, labour or the environment: `value` of `unit` in `year`."""

    id: str
    region: str
    factor: str
    year: int
    value: Decimal | None
    unit: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A link of an industry's chain: what it takes (`upstream`) and where it goes (`downstream`)."""

    id: str
    industry: str
    name: str
    upstream: str = ""
    downstream: str = ""
    region: str = ""
    """The region that has this link; "" for the chain as such."""


@dataclass(frozen=True, slots=True)
class ExpertRule:
    """A rule of an expert with its bound: evidence of level 4. `rule` is in words, `source` says whose it is."""

    id: str
    topic: str
    rule: str
    source: str = ""
    region: str = ""


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A governance mechanism: who is in charge of what, and how it works."""

    id: str
    topic: str
    owner: str
    text: str
    region: str = ""


@dataclass(frozen=True, slots=True)
class BusinessTerms:
    """One domain's document that leads from words to tables: `terms` maps a word of the business to what holds it
    (`observations: gdp`, `enterprises`)."""

    id: str
    domain: str
    text: str
    terms: tuple[tuple[str, str], ...] = ()
    region: str = ""
