"""The knowledge schema: bases, documents, chunks, their terms and vectors."""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables. Names are sorted as in SQLite, by their characters."""
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
    )
    op.create_table(
        "bases",
        sa.Column("name", sa.String(64, collation="C"), primary_key=True),
        sa.Column("space", sa.Integer),
    )
    _documents()
    _chunks()
    _terms()
    first = {"id": uuid.uuid4().hex, "analyser": "", "changes": "0", "last row": "0"}
    op.bulk_insert(facts, [{"name": name, "value": value} for name, value in first.items()])


def _documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("base", sa.String(64), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("title", "domain", "data_type", "data_period", "level")
        ),
        sa.Column("stored", sa.String(64), nullable=False),
        sa.Column("first_row", sa.Integer, nullable=False),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.UniqueConstraint("base", "name"),
    )
    op.create_index("documents_by_content", "documents", ["base", "sha256"])


def _chunks() -> None:
    op.create_table(
        "chunks",
        sa.Column("row", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("document", sa.Integer, nullable=False),
        sa.Column("id", sa.String(24), nullable=False),
        *(sa.Column(n, sa.Integer, nullable=False) for n in ("ordinal", "start", "end", "first_line", "last_line")),
    )
    op.create_table(
        "texts",
        sa.Column("row", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("path", sa.JSON, nullable=False),
        sa.Column("prefix", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("terms", sa.LargeBinary, nullable=False),
    )
    op.execute(
        "CREATE TABLE vectors (row integer PRIMARY KEY, document integer NOT NULL, space integer NOT NULL,"
        " vector vector NOT NULL)"
    )
    op.create_index("vectors_by_document", "vectors", ["document"])


def _terms() -> None:
    for reading in ("words", "pairs"):
        op.execute(
            f"CREATE TABLE {reading} (row integer PRIMARY KEY, document integer NOT NULL, length integer NOT NULL,"
            " terms tsvector NOT NULL, counted bytea NOT NULL)"
        )
        # Packed already: PostgreSQL would try to press it again, in vain.
        op.execute(f"ALTER TABLE {reading} ALTER COLUMN counted SET STORAGE EXTERNAL")
        # Every search goes through the list of pending entries: it is short. Without one, writing took twice as long.
        settings = "fastupdate = on, gin_pending_list_limit = 1024"
        op.execute(f"CREATE INDEX {reading}_by_term ON {reading} USING gin (terms) WITH ({settings})")
    # Room on each page for the counts that change all the time.
    op.execute(
        'CREATE TABLE term_counts (reading text NOT NULL, term text COLLATE "C" NOT NULL, chunks integer NOT NULL,'
        " PRIMARY KEY (reading, term)) WITH (fillfactor = 70)"
    )
    op.execute("CREATE TABLE lengths (reading text PRIMARY KEY, chunks bigint NOT NULL, terms bigint NOT NULL)")
    op.execute("INSERT INTO lengths VALUES ('words', 0, 0), ('pairs', 0, 0)")
