"""The tables of counties, for SQLite and PostgreSQL. Migrations make them; a test holds the two together.

The columns of a noun are named as its fields. `origin` is the source that a record came with; that column has another
name because a rule of an expert has a `source` of its own.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Boolean, Column, Date, Double, Index, Integer, MetaData, SmallInteger, Table

from kaozheng.county.policy import Policy
from kaozheng.county.records import (
    BusinessTerms,
    ChainLink,
    Enterprise,
    ExpertRule,
    FactorConstraint,
    Mechanism,
    Project,
)
from kaozheng.county.ticket import TicketState
from kaozheng.indicators.indicator import Calibre, Direction, PeriodType
from kaozheng.providers.stores.county_types import Digits, Tuples, Worded, text

metadata = MetaData()


def _texts(*names: str) -> list[Column[Any]]:
    return [Column(name, text(), nullable=False) for name in names]


def _records(name: str, *columns: Column[Any], index: str = "region") -> Table:
    own = (Column("id", text(), primary_key=True), *_texts("origin"))
    return Table(name, metadata, *own, *columns, Index(f"{name}_by_{index}", index))


regions = Table(
    "regions",
    metadata,
    Column("code", text(), primary_key=True),
    Column("since", SmallInteger, primary_key=True, autoincrement=False),
    Column("until", SmallInteger),
    *_texts("name", "kind", "parent", "stable"),
    Column("aliases", Tuples, nullable=False),
)

indicators = Table(
    "indicators",
    metadata,
    Column("key", text(), primary_key=True),
    *_texts("name", "unit"),
    Column("calibre", Worded(Calibre), nullable=False),
    Column("period_type", Worded(PeriodType), nullable=False),
    Column("direction", Worded(Direction), nullable=False),
    *_texts("owner"),
    Column("aliases", Tuples, nullable=False),
)

sources = Table(
    "sources",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", text(), nullable=False, unique=True),
    *_texts("title", "vintage", "publisher", "path", "sha256"),
    Column("synthetic", Boolean, nullable=False),
    *_texts("note"),
)

observations = Table(
    "observations",
    metadata,
    Column("indicator", text(), primary_key=True),
    Column("region", text(), primary_key=True),
    Column("period", text(), primary_key=True),
    Column("source", Integer, primary_key=True, autoincrement=False),
    Column("year", SmallInteger, nullable=False),
    Column("kind", text(), nullable=False),
    Column("region_year", SmallInteger, nullable=False),
    *_texts("region_name", "raw"),
    Column("value", text()),
    Column("number", Double),
    *_texts("unit"),
    Column("missing", text()),
    *_texts("cell"),
    Index("observations_by_source", "source"),
    sqlite_with_rowid=False,  # the key is nearly half of a row, which would be kept twice
)

enterprises = _records(
    "enterprises",
    *_texts("region", "name", "industry", "scope"),
    Column("is_large", Boolean, nullable=False),
)

projects = _records(
    "projects",
    *_texts("region", "name", "industry"),
    Column("investment", Digits),
    Column("first_year", SmallInteger),
    Column("last_year", SmallInteger),
    *_texts("stage"),
)

policies = _records(
    "policies",
    *_texts("number", "issuer"),
    Column("date", Date, nullable=False),
    *_texts("title", "level"),
    Column("clause_count", SmallInteger, nullable=False),
    index="number",
)

clauses = Table(
    "clauses",
    metadata,
    Column("policy", text(), primary_key=True),
    Column("place", SmallInteger, primary_key=True, autoincrement=False),
    *_texts("id"),
    Column("number", Integer, nullable=False),
    *_texts("text"),
    Index("clauses_by_id", "id"),
)

factor_constraints = _records(
    "factor_constraints",
    *_texts("region", "factor"),
    Column("year", SmallInteger, nullable=False),
    Column("value", Digits),
    *_texts("unit", "note"),
)

chain_links = _records("chain_links", *_texts("industry", "name", "upstream", "downstream", "region"))

expert_rules = _records("expert_rules", *_texts("topic", "rule", "source", "region"))

mechanisms = _records("mechanisms", *_texts("topic", "owner", "text", "region"))

business_terms = _records(
    "business_terms",
    *_texts("domain", "text"),
    Column("terms", Tuples, nullable=False),
    *_texts("region"),
)

tickets = Table(
    "tickets",
    metadata,
    Column("key", text(), primary_key=True),
    *_texts("region", "indicator"),
    Column("year", SmallInteger, nullable=False),
    *_texts("department", "reason", "opened_at"),
    Column("state", Worded(TicketState), nullable=False),
)

RECORDS: Final[dict[type, Table]] = {
    Enterprise: enterprises,
    Project: projects,
    Policy: policies,
    FactorConstraint: factor_constraints,
    ChainLink: chain_links,
    ExpertRule: expert_rules,
    Mechanism: mechanisms,
    BusinessTerms: business_terms,
}
"""From a kind of record to its table."""
