"""The tables of the knowledge schema on PostgreSQL. Migrations make them; a test holds the two together.

`facts`, `spaces`, `bases`, `documents`, `chunks` and `texts` are those of SQLite, in the same words.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.types import UserDefinedType

from kaozheng.providers.indexes import tables

SCHEMA = "knowledge"
READINGS = ("words", "pairs")

metadata = MetaData()
for shared in (tables.facts, tables.spaces, tables.bases, tables.documents, tables.chunks, tables.texts):
    shared.to_metadata(metadata)


class VectorType(UserDefinedType[str]):
    """pgvector's type, of any length."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """Its name in the database."""
        return "vector"


vectors = Table(
    "vectors",
    metadata,
    Column("row", Integer, primary_key=True, autoincrement=False),
    Column("document", Integer, nullable=False),
    Column("space", Integer, nullable=False),
    Column("vector", VectorType, nullable=False),
    Index("vectors_by_document", "document"),
)

for reading in READINGS:
    Table(
        reading,
        metadata,
        Column("row", Integer, primary_key=True, autoincrement=False),
        Column("document", Integer, nullable=False),
        Column("length", Integer, nullable=False),
        Column("terms", TSVECTOR, nullable=False),
        Column("counted", LargeBinary, nullable=False),
        Index(f"{reading}_by_term", "terms", postgresql_using="gin"),
    )
"""One for each reading. `terms` are looked for, `counted` says how often each stands in the chunk (see `counting`)."""

term_counts = Table(
    "term_counts",
    metadata,
    Column("reading", Text, primary_key=True),
    Column("term", Text, primary_key=True),
    Column("chunks", Integer, nullable=False),
)
"""How many chunks have a term."""

lengths = Table(
    "lengths",
    metadata,
    Column("reading", Text, primary_key=True),
    Column("chunks", BigInteger, nullable=False),
    Column("terms", BigInteger, nullable=False),
)
"""How many chunks have the reading, and all their terms: BM25 compares a chunk's length with the mean."""
