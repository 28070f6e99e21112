"""The county database: regions, indicators, sources and their observations, records, tickets."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _make_measures()
    _make_observations()
    _make_records()
    op.create_table(
        "tickets",
        _key("key"),
        *_texts("region", "indicator"),
        sa.Column("year", sa.SmallInteger, nullable=False),
        *_texts("department", "reason", "opened_at"),
        sa.Column("state", sa.String(16), nullable=False),
    )


def _make_measures() -> None:
    op.create_table(
        "regions",
        _key("code"),
        sa.Column("since", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("until", sa.SmallInteger),
        *_texts("name", "kind", "parent", "stable"),
        sa.Column("aliases", sa.JSON, nullable=False),
    )
    op.create_table(
        "indicators",
        _key("key"),
        *_texts("name", "unit"),
        sa.Column("calibre", sa.String(16), nullable=False),
        sa.Column("period_type", sa.String(16), nullable=False),
        sa.Column("direction", sa.String(16), nullable=False),
        *_texts("owner"),
        sa.Column("aliases", sa.JSON, nullable=False),
    )


def _make_observations() -> None:
    op.create_table(
        "sources",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", _text(), nullable=False, unique=True),
        *_texts("title", "vintage", "publisher", "path", "sha256"),
        sa.Column("synthetic", sa.Boolean, nullable=False),
        *_texts("note"),
    )
    op.create_table(
        "observations",
        *map(_key, ("indicator", "region", "period")),
        sa.Column("source", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("year", sa.SmallInteger, nullable=False),
        *_texts("kind"),
        sa.Column("region_year", sa.SmallInteger, nullable=False),
        *_texts("region_name", "raw"),
        sa.Column("value", _text()),
        sa.Column("number", sa.Double),
        *_texts("unit"),
        sa.Column("missing", _text()),
        *_texts("cell"),
        sqlite_with_rowid=False,
    )
    op.create_index("observations_by_source", "observations", ["source"])


def _make_records() -> None:
    _table(
        "enterprises", *_texts("region", "name", "industry", "scope"), sa.Column("is_large", sa.Boolean, nullable=False)
    )
    _table(
        "projects",
        *_texts("region", "name", "industry"),
        sa.Column("investment", sa.Text),
        sa.Column("first_year", sa.SmallInteger),
        sa.Column("last_year", sa.SmallInteger),
        *_texts("stage"),
    )
    _table(
        "policies",
        *_texts("number", "issuer"),
        sa.Column("date", sa.Date, nullable=False),
        *_texts("title", "level"),
        sa.Column("clause_count", sa.SmallInteger, nullable=False),
        index="number",
    )
    op.create_table(
        "clauses",
        _key("policy"),
        sa.Column("place", sa.SmallInteger, primary_key=True, autoincrement=False),
        *_texts("id"),
        sa.Column("number", sa.Integer, nullable=False),
        *_texts("text"),
    )
    op.create_index("clauses_by_id", "clauses", ["id"])
    _table(
        "factor_constraints",
        *_texts("region", "factor"),
        sa.Column("year", sa.SmallInteger, nullable=False),
        sa.Column("value", sa.Text),
        *_texts("unit", "note"),
    )
    _table("chain_links", *_texts("industry", "name", "upstream", "downstream", "region"))
    _table("expert_rules", *_texts("topic", "rule", "source", "region"))
    _table("mechanisms", *_texts("topic", "owner", "text", "region"))
    _table("business_terms", *_texts("domain", "text"), sa.Column("terms", sa.JSON, nullable=False), *_texts("region"))


def _table(name: str, *columns: sa.Column[Any], index: str = "region") -> None:
    op.create_table(name, _key("id"), *_texts("origin"), *columns)
    op.create_index(f"{name}_by_{index}", name, [index])


def _text() -> Any:
    return sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _key(name: str) -> sa.Column[Any]:
    return sa.Column(name, _text(), primary_key=True)


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, _text(), nullable=False) for name in names]
