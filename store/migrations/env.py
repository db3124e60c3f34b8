"""What Alembic runs: the revisions, on the connection and inside the transaction that ``store.migrate`` opened."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    # A table rebuilt in batch mode loses its triggers, and with foreign keys on its history goes with it.
    render_as_batch=False,
    transactional_ddl=True,
)
context.run_migrations()
