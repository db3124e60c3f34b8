"""Vectors: whose they are, what they were made of, and in which order they were written; all ids of the queue in some
scopes, and by age, without reading a row; what a session was given."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of vectors anew: no program before this one has written to it."""
    op.drop_table("embedding")
    op.create_table(
        "embedding",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.Text(), nullable=False),
        sa.Column("model_key", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("dim", sa.Integer(), nullable=False),
        sa.Column("text_hash", sa.Text(), nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "owner_id", "model_key"),
        sa.CheckConstraint("owner IN ('memory', 'proposal')", name="ck_embedding_owner"),
    )
    op.create_index("ix_embedding_made_of", "embedding", ["tenant_id", "model_key", "owner_id", "text_hash"])
    op.create_index("ix_embedding_text", "embedding", ["tenant_id", "model_key", "text_hash"])
    op.create_index("ix_embedding_serial", "embedding", ["tenant_id", "model_key", "serial"])
    op.drop_index("ix_proposal_queue", "proposal")
    op.create_index("ix_proposal_queue", "proposal", ["tenant_id", "status", "session_rank", "id", "scope"])
    undecided = sa.text("status IN ('draft', 'pending', 'deferred')")
    op.create_index(
        "ix_proposal_age",
        "proposal",
        ["tenant_id", "status", "created_at", "id", "scope"],
        sqlite_where=undecided,
        postgresql_where=undecided,
    )
    op.create_index("ix_handout_session", "handout", ["tenant_id", "session_id", "memory_id"])
