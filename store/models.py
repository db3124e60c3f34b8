"""The tables (design section 3): schema and CHECKs. Rules that span rows live in the modules that write them.

Here stand those of the ledger: memories and proposals, and the append-only rows that tell how each came to be what it
is. The others stand in ``store.models_beside`` and are named from here, so that who asks for one has the whole schema.

Table models do not validate; what enters is validated at the border (``admit``) and caught by the CHECKs as a net.
Every key and index starts with ``tenant_id``, except the integer key of ``search_doc``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    Integer,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

from store.columns import EntryColumns, entry_checks, json_list, one_of
from store.entry import OPS
from store.models_beside import BlockRow as BlockRow
from store.models_beside import EmbeddingRow as EmbeddingRow
from store.models_beside import HandoutRow as HandoutRow
from store.models_beside import ScopeRow as ScopeRow
from store.models_beside import SearchDocRow as SearchDocRow
from store.models_beside import SettingRow as SettingRow
from store.models_beside import SupportRow as SupportRow
from store.models_beside import UsageRow as UsageRow

PROPOSAL_STATUSES = ("draft", "pending", "deferred", "approved", "rejected", "superseded", "withdrawn")
MEMORY_STATUSES = ("active", "expired", "retired", "archived", "deleted")
CAUSES = ("rejected", "deleted", "rolled_back")
GIVEN = "status = 'active' AND kind IN ('fact', 'preference', 'procedure', 'decision', 'requirement')"
"""The memories that stand in a block, as SQL (``store.block.SECTIONS`` has the same kinds)."""


class MemoryRow(EntryColumns, table=True):
    """A memory's present state; it changes if and only if a version is appended."""

    __tablename__ = "memory"
    __table_args__ = (
        *entry_checks("memory"),
        one_of("status", MEMORY_STATUSES, "ck_memory_status"),
        Index(
            "uq_memory_key",
            "tenant_id",
            "scope",
            "key",
            unique=True,
            sqlite_where=text("status = 'active' AND key IS NOT NULL"),
            postgresql_where=text("status = 'active' AND key IS NOT NULL"),
        ),
        Index("ix_memory_fingerprint", "tenant_id", "fingerprint", "status"),
        Index("ix_memory_status", "tenant_id", "status", "id"),
        Index("ix_memory_scope", "tenant_id", "status", "scope", "updated_at", "id"),
        Index(
            "ix_memory_given",
            "tenant_id",
            "status",
            "scope",
            "updated_at",
            "id",
            sqlite_where=text(GIVEN),
            postgresql_where=text(GIVEN),
        ),
        Index(
            "ix_memory_valid_until",
            "tenant_id",
            "valid_until",
            sqlite_where=text("status = 'active' AND valid_until IS NOT NULL"),
            postgresql_where=text("status = 'active' AND valid_until IS NOT NULL"),
        ),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    id: str = Field(primary_key=True, sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    fingerprint: str = Field(sa_type=Text)
    previous_value: str | None = Field(default=None, sa_type=Text)
    status: str = Field(sa_type=Text)
    pinned: bool = False
    revision: int = Field(sa_type=Integer)
    created_at: datetime
    updated_at: datetime


class ProposalRow(EntryColumns, table=True):
    """What an agent, hook, import or person asks for. Inert: nothing here is ever retrieved.

    ``op``, ``target_id`` and ``base_revision`` are as triaged at intake; readers re-base them on the present.
    ``session_rank`` is the id of the first proposal of the same session, so that a session stands together, newest
    first. ``deferred_at`` orders what was put off.
    """

    __tablename__ = "proposal"
    __table_args__ = (
        *entry_checks("proposal"),
        one_of("op", OPS, "ck_proposal_op"),
        one_of("status", PROPOSAL_STATUSES, "ck_proposal_status"),
        CheckConstraint("mentions >= 1", name="ck_proposal_mentions"),
        ForeignKeyConstraint(["tenant_id", "target_id"], ["memory.tenant_id", "memory.id"], name="fk_proposal_target"),
        UniqueConstraint("tenant_id", "idempotency_key", name="uq_proposal_idempotency"),
        Index("ix_proposal_queue", "tenant_id", "status", "session_rank", "id", "scope"),
        Index(
            "ix_proposal_open",
            "tenant_id",
            "status",
            "scope",
            "session_rank",
            "id",
            "confidence",
            "kind",
            "source_agent",
            "source",
            "created_at",
            sqlite_where=text("status IN ('draft', 'pending', 'deferred')"),
            postgresql_where=text("status IN ('draft', 'pending', 'deferred')"),
        ),
        Index(
            "ix_proposal_age",
            "tenant_id",
            "status",
            "created_at",
            "id",
            "scope",
            sqlite_where=text("status IN ('draft', 'pending', 'deferred')"),
            postgresql_where=text("status IN ('draft', 'pending', 'deferred')"),
        ),
        Index("ix_proposal_group", "tenant_id", "group_id", "status"),
        Index("ix_proposal_fingerprint", "tenant_id", "fingerprint", "status"),
        Index("ix_proposal_session", "tenant_id", "session_id"),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    id: str = Field(primary_key=True, sa_type=Text)
    op: str = Field(sa_type=Text)
    target_id: str | None = Field(default=None, sa_type=Text)
    base_revision: int | None = Field(default=None, sa_type=Integer)
    content_hash: str = Field(sa_type=Text)
    fingerprint: str = Field(sa_type=Text)
    group_id: str = Field(sa_type=Text)
    flags: list[dict[str, str]] = json_list()
    redaction_version: int = Field(sa_type=Integer)
    idempotency_key: str | None = Field(default=None, sa_type=Text)
    status: str = Field(sa_type=Text)
    mentions: int = Field(default=1, sa_type=Integer)
    branch: str | None = Field(default=None, sa_type=Text)
    session_rank: str = Field(sa_type=Text)
    deferred_at: datetime | None = None
    revision: int = Field(default=1, sa_type=Integer)
    created_at: datetime
    commit_hash: str | None = Field(default=None, sa_type=Text)


class OperationRow(SQLModel, table=True):
    """One act with one undo; append-only. ``digest`` chains it to the one before."""

    __tablename__ = "operation"
    __table_args__ = (
        UniqueConstraint("tenant_id", "seq", name="uq_operation_seq"),
        ForeignKeyConstraint(
            ["tenant_id", "undoes"], ["operation.tenant_id", "operation.id"], name="fk_operation_undoes"
        ),
        Index("ix_operation_undoes", "tenant_id", "undoes"),
        CheckConstraint("seq >= 1", name="ck_operation_seq"),
        CheckConstraint("count >= 0", name="ck_operation_count"),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    id: str = Field(primary_key=True, sa_type=Text)
    seq: int = Field(sa_type=Integer)
    action: str = Field(sa_type=Text)
    actor: str = Field(sa_type=Text)
    surface: str = Field(sa_type=Text)
    reason: str | None = Field(default=None, sa_type=Text)
    selection: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)
    count: int = Field(sa_type=Integer)
    undoes: str | None = Field(default=None, sa_type=Text)
    at: datetime
    digest: str = Field(sa_type=Text)


class VersionRow(SQLModel, table=True):
    """One state of a memory; append-only. Erasure alone may set ``entry``, ``previous_value`` and ``salt`` to NULL."""

    __tablename__ = "version"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "memory_id"], ["memory.tenant_id", "memory.id"], name="fk_version_memory"),
        ForeignKeyConstraint(
            ["tenant_id", "operation_id"], ["operation.tenant_id", "operation.id"], name="fk_version_operation"
        ),
        one_of("status", MEMORY_STATUSES, "ck_version_status"),
        CheckConstraint("revision >= 1", name="ck_version_revision"),
        Index("ix_version_operation", "tenant_id", "operation_id"),
        Index("ix_version_proposal", "tenant_id", "proposal_id"),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    memory_id: str = Field(primary_key=True, sa_type=Text)
    revision: int = Field(primary_key=True, sa_type=Integer)
    status: str = Field(sa_type=Text)
    entry: str | None = Field(default=None, sa_type=Text)
    previous_value: str | None = Field(default=None, sa_type=Text)
    action: str = Field(sa_type=Text)
    operation_id: str = Field(sa_type=Text)
    proposal_id: str | None = Field(default=None, sa_type=Text)
    at: datetime
    salt: str | None = Field(default=None, sa_type=Text)
    commitment: str = Field(sa_type=Text)


class DecisionRow(SQLModel, table=True):
    """One change of a proposal's status (or placement, where both are equal); append-only."""

    __tablename__ = "decision"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "operation_id"], ["operation.tenant_id", "operation.id"], name="fk_decision_operation"
        ),
        ForeignKeyConstraint(
            ["tenant_id", "proposal_id"], ["proposal.tenant_id", "proposal.id"], name="fk_decision_proposal"
        ),
        one_of("from_status", PROPOSAL_STATUSES, "ck_decision_from"),
        one_of("to_status", PROPOSAL_STATUSES, "ck_decision_to"),
        Index("ix_decision_proposal", "tenant_id", "proposal_id"),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    operation_id: str = Field(primary_key=True, sa_type=Text)
    proposal_id: str = Field(primary_key=True, sa_type=Text)
    from_status: str = Field(sa_type=Text)
    to_status: str = Field(sa_type=Text)
    reason: str | None = Field(default=None, sa_type=Text)


class TombstoneRow(SQLModel, table=True):
    """A text that was decided against. It binds agents while ``lifted_by`` is NULL.

    ``operation_id`` laid it; ``lifted_by`` is the operation (an undo, or a later approval) that took it away.
    """

    __tablename__ = "tombstone"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "operation_id"], ["operation.tenant_id", "operation.id"], name="fk_tombstone_operation"
        ),
        one_of("cause", CAUSES, "ck_tombstone_cause"),
        Index("ix_tombstone_operation", "tenant_id", "operation_id"),
        Index("ix_tombstone_lifted", "tenant_id", "lifted_by"),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    fingerprint: str = Field(primary_key=True, sa_type=Text)
    operation_id: str = Field(primary_key=True, sa_type=Text)
    scope: str = Field(sa_type=Text)
    cause: str = Field(sa_type=Text)
    lifted_by: str | None = Field(default=None, sa_type=Text)
    refusals: int = Field(default=0, sa_type=Integer)
