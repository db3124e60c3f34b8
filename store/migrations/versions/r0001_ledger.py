"""The ledger: proposals, memories, and the append-only history of what was decided."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

PROPOSAL_STATUS = "IN ('draft', 'pending', 'deferred', 'approved', 'rejected', 'superseded', 'withdrawn')"
MEMORY_STATUS = "IN ('active', 'expired', 'retired', 'archived', 'deleted')"
APPEND_ONLY = ("operation", "version", "decision")
TIMES = {
    "memory": ("valid_until", "created_at", "updated_at"),
    "proposal": ("valid_until", "deferred_at", "created_at"),
    "operation": ("at",),
    "version": ("at",),
}
ERASABLE = ("entry", "previous_value", "salt")
KEPT = (
    "tenant_id",
    "memory_id",
    "revision",
    "status",
    "action",
    "operation_id",
    "proposal_id",
    "at",
    "commitment",
)


def upgrade() -> None:
    """Make the tables and bar every change of history on either engine."""
    _memory()
    _operation()
    _proposal()
    _version()
    _decision()
    _tombstone()
    if op.get_context().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgres()


def _text(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), nullable=null)


def _number(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=null)


def _time(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=null)


def _json(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(), nullable=False)


def _entry_columns() -> list[sa.Column[Any]]:
    return [
        _text("scope"),
        _text("kind"),
        _text("key", null=True),
        _json("aliases"),
        _text("content", null=True),
        _json("paths"),
        _text("source"),
        _text("source_agent", null=True),
        _text("session_id", null=True),
        _text("source_ref", null=True),
        _text("evidence", null=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        _time("valid_until", null=True),
    ]


def _entry_checks(table: str) -> list[sa.CheckConstraint]:
    kinds = "IN ('fact', 'preference', 'procedure', 'experience', 'decision', 'requirement', 'feedback')"
    sources = "IN ('user_feedback', 'task_success', 'task_failure', 'manual', 'import', 'unknown')"
    return [
        sa.CheckConstraint(f"kind {kinds}", name=f"ck_{table}_kind"),
        sa.CheckConstraint(f"source {sources}", name=f"ck_{table}_source"),
        sa.CheckConstraint(
            "confidence IS NULL OR (confidence >= 0 AND confidence <= 1)", name=f"ck_{table}_confidence"
        ),
        sa.CheckConstraint(
            "key IS NULL OR (length(key) BETWEEN 1 AND 128 AND key = lower(key))", name=f"ck_{table}_key"
        ),
        sa.CheckConstraint("content IS NULL OR content <> ''", name=f"ck_{table}_content"),
        sa.CheckConstraint("scope <> ''", name=f"ck_{table}_scope"),
        sa.CheckConstraint("revision >= 1", name=f"ck_{table}_revision"),
    ]


def _memory() -> None:
    op.create_table(
        "memory",
        *_entry_columns(),
        _text("tenant_id"),
        _text("id"),
        _text("content_hash"),
        _text("fingerprint"),
        _text("previous_value", null=True),
        _text("status"),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        _number("revision"),
        _time("created_at"),
        _time("updated_at"),
        sa.PrimaryKeyConstraint("tenant_id", "id"),
        *_entry_checks("memory"),
        sa.CheckConstraint(f"status {MEMORY_STATUS}", name="ck_memory_status"),
    )
    keyed = sa.text("status = 'active' AND key IS NOT NULL")
    dated = sa.text("status = 'active' AND valid_until IS NOT NULL")
    op.create_index(
        "uq_memory_key",
        "memory",
        ["tenant_id", "scope", "key"],
        unique=True,
        sqlite_where=keyed,
        postgresql_where=keyed,
    )
    op.create_index("ix_memory_fingerprint", "memory", ["tenant_id", "fingerprint", "status"])
    op.create_index("ix_memory_status", "memory", ["tenant_id", "status", "id"])
    op.create_index(
        "ix_memory_valid_until", "memory", ["tenant_id", "valid_until"], sqlite_where=dated, postgresql_where=dated
    )


def _operation() -> None:
    op.create_table(
        "operation",
        _text("tenant_id"),
        _text("id"),
        _number("seq"),
        _text("action"),
        _text("actor"),
        _text("surface"),
        _text("reason", null=True),
        _json("selection"),
        _number("count"),
        _text("undoes", null=True),
        _time("at"),
        _text("digest"),
        sa.PrimaryKeyConstraint("tenant_id", "id"),
        sa.UniqueConstraint("tenant_id", "seq", name="uq_operation_seq"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "undoes"], ["operation.tenant_id", "operation.id"], name="fk_operation_undoes"
        ),
        sa.CheckConstraint("seq >= 1", name="ck_operation_seq"),
        sa.CheckConstraint("count >= 0", name="ck_operation_count"),
    )
    op.create_index("ix_operation_undoes", "operation", ["tenant_id", "undoes"])


def _proposal() -> None:
    op.create_table(
        "proposal",
        *_entry_columns(),
        _text("tenant_id"),
        _text("id"),
        _text("op"),
        _text("target_id", null=True),
        _number("base_revision", null=True),
        _text("content_hash"),
        _text("fingerprint"),
        _text("group_id"),
        _json("flags"),
        _number("redaction_version"),
        _text("idempotency_key", null=True),
        _text("status"),
        _number("mentions"),
        _text("branch", null=True),
        _text("session_rank"),
        _time("deferred_at", null=True),
        _number("revision"),
        _time("created_at"),
        sa.PrimaryKeyConstraint("tenant_id", "id"),
        *_entry_checks("proposal"),
        sa.CheckConstraint("op IN ('add', 'update', 'remove')", name="ck_proposal_op"),
        sa.CheckConstraint(f"status {PROPOSAL_STATUS}", name="ck_proposal_status"),
        sa.CheckConstraint("mentions >= 1", name="ck_proposal_mentions"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "target_id"], ["memory.tenant_id", "memory.id"], name="fk_proposal_target"
        ),
        sa.UniqueConstraint("tenant_id", "idempotency_key", name="uq_proposal_idempotency"),
    )
    op.create_index("ix_proposal_queue", "proposal", ["tenant_id", "status", "session_rank", "id"])
    op.create_index("ix_proposal_group", "proposal", ["tenant_id", "group_id", "status"])
    op.create_index("ix_proposal_fingerprint", "proposal", ["tenant_id", "fingerprint", "status"])
    op.create_index("ix_proposal_session", "proposal", ["tenant_id", "session_id"])


def _version() -> None:
    op.create_table(
        "version",
        _text("tenant_id"),
        _text("memory_id"),
        _number("revision"),
        _text("status"),
        _text("entry", null=True),
        _text("previous_value", null=True),
        _text("action"),
        _text("operation_id"),
        _text("proposal_id", null=True),
        _time("at"),
        _text("salt", null=True),
        _text("commitment"),
        sa.PrimaryKeyConstraint("tenant_id", "memory_id", "revision"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "memory_id"], ["memory.tenant_id", "memory.id"], name="fk_version_memory"
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "operation_id"], ["operation.tenant_id", "operation.id"], name="fk_version_operation"
        ),
        sa.CheckConstraint(f"status {MEMORY_STATUS}", name="ck_version_status"),
        sa.CheckConstraint("revision >= 1", name="ck_version_revision"),
    )
    op.create_index("ix_version_operation", "version", ["tenant_id", "operation_id"])
    op.create_index("ix_version_proposal", "version", ["tenant_id", "proposal_id"])


def _decision() -> None:
    op.create_table(
        "decision",
        _text("tenant_id"),
        _text("operation_id"),
        _text("proposal_id"),
        _text("from_status"),
        _text("to_status"),
        _text("reason", null=True),
        sa.PrimaryKeyConstraint("tenant_id", "operation_id", "proposal_id"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "operation_id"], ["operation.tenant_id", "operation.id"], name="fk_decision_operation"
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "proposal_id"], ["proposal.tenant_id", "proposal.id"], name="fk_decision_proposal"
        ),
        sa.CheckConstraint(f"from_status {PROPOSAL_STATUS}", name="ck_decision_from"),
        sa.CheckConstraint(f"to_status {PROPOSAL_STATUS}", name="ck_decision_to"),
    )
    op.create_index("ix_decision_proposal", "decision", ["tenant_id", "proposal_id"])


def _tombstone() -> None:
    op.create_table(
        "tombstone",
        _text("tenant_id"),
        _text("fingerprint"),
        _text("operation_id"),
        _text("scope"),
        _text("cause"),
        _text("lifted_by", null=True),
        _number("refusals"),
        sa.PrimaryKeyConstraint("tenant_id", "fingerprint", "operation_id"),
        sa.ForeignKeyConstraint(
            ["tenant_id", "operation_id"], ["operation.tenant_id", "operation.id"], name="fk_tombstone_operation"
        ),
        sa.CheckConstraint("cause IN ('rejected', 'deleted', 'rolled_back')", name="ck_tombstone_cause"),
    )
    op.create_index("ix_tombstone_operation", "tombstone", ["tenant_id", "operation_id"])
    op.create_index("ix_tombstone_lifted", "tombstone", ["tenant_id", "lifted_by"])


def _erased_only(same: str) -> str:
    """The one change of a version that is allowed: its texts and salt become NULL together, all else stays."""
    gone = [f"NEW.{name} IS NULL" for name in ERASABLE]
    kept = [f"NEW.{name} {same} OLD.{name}" for name in KEPT]
    return " AND ".join(gone + kept)


def _guard_sqlite() -> None:
    for table in APPEND_ONLY:
        barred = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        when = f"WHEN NOT ({_erased_only('IS')}) " if table == "version" else ""
        op.execute(f"CREATE TRIGGER tr_{table}_update BEFORE UPDATE ON {table} {when}{barred}")
        op.execute(f"CREATE TRIGGER tr_{table}_delete BEFORE DELETE ON {table} {barred}")


def _guard_postgres() -> None:
    # The server knows infinity and years that Python cannot hold; such a row could never be read again.
    for table, columns in TIMES.items():
        for column in columns:
            bounds = "BETWEEN '0001-01-01 00:00+00' AND '9999-12-31 23:59:59.999999+00'"
            op.execute(f"ALTER TABLE {table} ADD CONSTRAINT ck_{table}_{column}_time CHECK ({column} {bounds})")
    op.execute(
        "CREATE FUNCTION meminbox_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; "
        "END $$"
    )
    op.execute(
        "CREATE FUNCTION meminbox_tell() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN PERFORM pg_notify('meminbox', ''); RETURN NULL; END $$"
    )
    call = "EXECUTE FUNCTION meminbox_append_only()"
    for table in APPEND_ONLY:
        when = f"WHEN (NOT ({_erased_only('IS NOT DISTINCT FROM')})) " if table == "version" else ""
        op.execute(f"CREATE TRIGGER tr_{table}_update BEFORE UPDATE ON {table} FOR EACH ROW {when}{call}")
        op.execute(f"CREATE TRIGGER tr_{table}_delete BEFORE DELETE ON {table} FOR EACH ROW {call}")
        op.execute(f"CREATE TRIGGER tr_{table}_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {call}")
    for table in ("proposal", "memory", "operation"):
        op.execute(
            f"CREATE TRIGGER tr_{table}_tell AFTER INSERT OR UPDATE OR DELETE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION meminbox_tell()"
        )
