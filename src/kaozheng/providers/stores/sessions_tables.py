"""The tables of the sessions, for SQLite and PostgreSQL. Migrations make them; a test holds the two together."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("owner", String(128), nullable=False),
    Column("title", Text, nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("updated_at", String(40), nullable=False),
    Column("turns", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("memory", JSON, nullable=False),
    Index("sessions_by_use", "owner", "updated_at"),
)

turns = Table(
    "turns",
    metadata,
    Column("session", String(64), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("citations", JSON, nullable=False),
    Column("interaction", String(64), nullable=False),
)

interactions = Table(
    "interactions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("owner", String(128), nullable=False),
    Column("at", String(40), nullable=False),
    Column("status", String(16), nullable=False),
    Column("session", String(64), nullable=False),
    Column("code", String(64), nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("task", JSON, nullable=False),
    Column("evidence", JSON, nullable=False),
    Column("citations", JSON, nullable=False),
    Column("grounding", JSON, nullable=False),
    Column("by", String(16), nullable=False),
    Column("error", Text, nullable=False),
    Column("usage", JSON, nullable=False),
    Column("timings", JSON, nullable=False),
    Index("interactions_by_age", "owner", "at"),
    Index("interactions_by_session", "session"),
)
