"""What agents are given: the block of each scope, rendered at commit, and the index that finds what stands in it; and
the commit that a proposal was made at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of blocks, empty (``store.blocks`` fills it), and the column of a proposal's commit."""
    op.create_table(
        "block",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("form", sa.Integer(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "scope"),
    )
    given = sa.text("status = 'active' AND kind IN ('fact', 'preference', 'procedure', 'decision', 'requirement')")
    op.create_index(
        "ix_memory_given",
        "memory",
        ["tenant_id", "status", "scope", "updated_at", "id"],
        sqlite_where=given,
        postgresql_where=given,
    )
    # Not in batch mode: SQLite adds a column in place, and nothing that refers to the table is touched.
    op.add_column("proposal", sa.Column("commit_hash", sa.Text(), nullable=True))
