"""The tables of the knowledge database. Migrations make them; a test holds the two together.

Chunks of a document have consecutive rows, and no row is ever used again: a document is a range, and what is known of
a row (in a matrix that another process mapped into its memory) stays true or is never asked for. The wide columns
stand in tables of their own, so that a search walks over narrow rows.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    select,
)

metadata = MetaData()

facts = Table(
    "facts",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""`id` of the database, `analyser` that made the terms, `changes` so far."""

spaces = Table(
    "spaces",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("embedder", Text, nullable=False, unique=True),
    Column("dimensions", Integer, nullable=False),
    sqlite_autoincrement=True,
)
"""Embedders: vectors can be compared within one space only."""

bases = Table(
    "bases",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("space", Integer),
)

documents = Table(
    "documents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("base", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("domain", Text, nullable=False),
    Column("data_type", Text, nullable=False),
    Column("data_period", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("stored", String(64), nullable=False),
    Column("first_row", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    UniqueConstraint("base", "name"),
    Index("documents_by_content", "base", "sha256"),
    sqlite_autoincrement=True,
)
"""`stored` is the hash of all that was given for it: with the same one there is nothing to do."""

chunks = Table(
    "chunks",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("document", Integer, nullable=False),
    Column("id", String(24), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("first_line", Integer, nullable=False),
    Column("last_line", Integer, nullable=False),
    sqlite_autoincrement=True,
)

texts = Table(
    "texts",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("path", JSON, nullable=False),
    Column("prefix", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("terms", LargeBinary, nullable=False),
)
"""`terms` are those in the full-text tables, packed: taking them out again needs them as they were put in."""

vectors = Table(
    "vectors",
    metadata,
    Column("first_row", Integer, primary_key=True),
    Column("space", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("vectors", LargeBinary, nullable=False),
)
"""Those of a whole document together, row after row as float32: a page holds two and a half single ones."""

FULL_TEXT = ("words", "pairs")
"""FTS5 tables without content, one for each reading of the text; `<name>_found` counts the rows of a term."""


def identity(connection: Connection) -> str:
    """The name that a database has for life."""
    return str(connection.execute(select(facts.c.value).where(facts.c.name == "id")).scalar_one())
