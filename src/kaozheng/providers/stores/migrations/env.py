"""What Alembic runs: the migrations on the connection that `migrate` hands over."""

from __future__ import annotations

from alembic import context

given = context.config.attributes
context.configure(connection=given["connection"], version_table=given["version_table"], render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
