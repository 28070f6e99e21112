"""The tables of the journal, for SQLite and PostgreSQL. Migrations make them; a test holds the two together."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("id", String(128), primary_key=True),
    Column("workflow", String(64), nullable=False),
    Column("version", String(64), nullable=False),
    Column("topic", Text, nullable=False),
    Column("folder", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("exit_code", Integer),
    Column("created_at", String(40), nullable=False),
    Column("updated_at", String(40), nullable=False),
    Column("request", JSON, nullable=False),
    Column("result", JSON(none_as_null=True)),
    Column("usage", JSON, nullable=False),
    Column("resumes", Integer, nullable=False),
    Column("error", Text, nullable=False),
    Index("runs_by_age", "created_at"),
)

events = Table(
    "events",
    metadata,
    Column("run_id", String(128), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("data", JSON, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("run_id", String(128), primary_key=True),
    Column("fingerprint", String(128), primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("completion", JSON, nullable=False),
    Column("at", String(40), nullable=False),
)
