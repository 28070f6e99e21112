"""The knowledge database: bases, documents, chunks, their terms and vectors."""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# A blank, and nothing else, ends a term: every other sign may be a part of one.
_SIGNS = "!#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"


def upgrade() -> None:
    """Make the tables."""
    facts = op.create_table(
        "facts",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "spaces",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("embedder", sa.Text, nullable=False, unique=True),
        sa.Column("dimensions", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "bases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("space", sa.Integer),
    )
    _documents()
    _chunks()
    for name in ("words", "pairs"):
        op.execute(
            f"CREATE VIRTUAL TABLE {name} USING fts5(terms, content='', tokenize=\"ascii tokenchars '{_SIGNS}'\")"
        )
        op.execute(f"CREATE VIRTUAL TABLE {name}_found USING fts5vocab({name}, row)")
    op.bulk_insert(
        facts,
        [
            {"name": "id", "value": uuid.uuid4().hex},
            {"name": "analyser", "value": ""},
            {"name": "changes", "value": "0"},
        ],
    )


def _documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("base", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("title", "domain", "data_type", "data_period", "level")
        ),
        sa.Column("stored", sa.String(64), nullable=False),
        sa.Column("first_row", sa.Integer, nullable=False),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.UniqueConstraint("base", "name"),
        sqlite_autoincrement=True,
    )
    op.create_index("documents_by_content", "documents", ["base", "sha256"])


def _chunks() -> None:
    op.create_table(
        "chunks",
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("document", sa.Integer, nullable=False),
        sa.Column("id", sa.String(24), nullable=False),
        *(sa.Column(n, sa.Integer, nullable=False) for n in ("ordinal", "start", "end", "first_line", "last_line")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "texts",
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("path", sa.JSON, nullable=False),
        sa.Column("prefix", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("terms", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "vectors",
        sa.Column("first_row", sa.Integer, primary_key=True),
        sa.Column("space", sa.Integer, nullable=False),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.Column("vectors", sa.LargeBinary, nullable=False),
    )
