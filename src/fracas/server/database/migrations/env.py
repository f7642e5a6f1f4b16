"""Alembic's entry: run migrations on the connection that schema.py opened, in its transaction."""

from __future__ import annotations

from alembic import context

from fracas.server.database.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes most columns only by copying the table.
    render_as_batch=True,
    transactional_ddl=True,
    compare_server_default=True,
)
context.run_migrations()
