"""The journal: runs, their events and their answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.String(128), primary_key=True),
        sa.Column("workflow", sa.String(64), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("exit_code", sa.Integer),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("updated_at", sa.String(40), nullable=False),
        sa.Column("request", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("usage", sa.JSON, nullable=False),
        sa.Column("resumes", sa.Integer, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )
    op.create_index("runs_by_age", "runs", ["created_at"])
    op.create_table(
        "events",
        sa.Column("run_id", sa.String(128), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("run_id", sa.String(128), primary_key=True),
        sa.Column("fingerprint", sa.String(128), primary_key=True),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("completion", sa.JSON, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
    )
