"""The tables (design section 3): schema and CHECKs. Rules that span rows live in the modules that write them.

Table models do not validate; what enters is validated at the border (``admit``) and caught by the CHECKs as a net.
Every key and index starts with ``tenant_id``, except the integer key of ``search_doc``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

from store.entry import KINDS, OPS, SOURCES

PROPOSAL_STATUSES = ("draft", "pending", "deferred", "approved", "rejected", "superseded", "withdrawn")
MEMORY_STATUSES = ("active", "expired", "retired", "archived", "deleted")
CAUSES = ("rejected", "deleted", "rolled_back")
OWNERS = ("memory", "proposal")
"""What a vector may be of."""
GIVEN = "status = 'active' AND kind IN ('fact', 'preference', 'procedure', 'decision', 'requirement')"
"""The memories that stand in a block, as SQL (``store.block.SECTIONS`` has the same kinds)."""


def _one_of(column: str, values: tuple[str, ...], name: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=name)


def _entry_checks(table: str) -> tuple[CheckConstraint, ...]:
    return (
        _one_of("kind", KINDS, f"ck_{table}_kind"),
        _one_of("source", SOURCES, f"ck_{table}_source"),
        CheckConstraint("confidence IS NULL OR (confidence >= 0 AND confidence <= 1)", name=f"ck_{table}_confidence"),
        CheckConstraint("key IS NULL OR (length(key) BETWEEN 1 AND 128 AND key = lower(key))", name=f"ck_{table}_key"),
        CheckConstraint("content IS NULL OR content <> ''", name=f"ck_{table}_content"),
        CheckConstraint("scope <> ''", name=f"ck_{table}_scope"),
        CheckConstraint("revision >= 1", name=f"ck_{table}_revision"),
    )


def _json_list() -> Any:
    return Field(default_factory=list, sa_type=JSON, nullable=False)


class EntryColumns(SQLModel):
    """The columns that hold an ``Entry``. ``content`` is NULL only where it was erased."""

    scope: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    key: str | None = Field(default=None, sa_type=Text)
    aliases: list[str] = _json_list()
    content: str | None = Field(default=None, sa_type=Text)
    paths: list[str] = _json_list()
    source: str = Field(sa_type=Text)
    source_agent: str | None = Field(default=None, sa_type=Text)
    session_id: str | None = Field(default=None, sa_type=Text)
    source_ref: str | None = Field(default=None, sa_type=Text)
    evidence: str | None = Field(default=None, sa_type=Text)
    confidence: float | None = None
    valid_until: datetime | None = None


class MemoryRow(EntryColumns, table=True):
    """A memory's present state; it changes if and only if a version is appended."""

    __tablename__ = "memory"
    __table_args__ = (
        *_entry_checks("memory"),
        _one_of("status", MEMORY_STATUSES, "ck_memory_status"),
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
        *_entry_checks("proposal"),
        _one_of("op", OPS, "ck_proposal_op"),
        _one_of("status", PROPOSAL_STATUSES, "ck_proposal_status"),
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
    flags: list[dict[str, str]] = _json_list()
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
        _one_of("status", MEMORY_STATUSES, "ck_version_status"),
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
        _one_of("from_status", PROPOSAL_STATUSES, "ck_decision_from"),
        _one_of("to_status", PROPOSAL_STATUSES, "ck_decision_to"),
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
        _one_of("cause", CAUSES, "ck_tombstone_cause"),
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


class UsageRow(SQLModel, table=True):
    """Counters, kept apart so that use never makes a reviewer's view stale."""

    __tablename__ = "usage"

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    memory_id: str = Field(primary_key=True, sa_type=Text)
    uses: int = Field(default=0, sa_type=Integer)
    last_used: datetime | None = None
    last_verified: datetime | None = None
    support: int = Field(default=0, sa_type=Integer)
    claimed_support: int = Field(default=0, sa_type=Integer)


class SupportRow(SQLModel, table=True):
    """One distinct session, commit or test run that bore out a memory, or said a proposal (``owner_id``)."""

    __tablename__ = "support"
    __table_args__ = (_one_of("kind", ("session", "commit", "test"), "ck_support_kind"),)

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    owner_id: str = Field(primary_key=True, sa_type=Text)
    kind: str = Field(primary_key=True, sa_type=Text)
    ref: str = Field(primary_key=True, sa_type=Text)
    claimed: bool = False
    at: datetime


class EmbeddingRow(SQLModel, table=True):
    """A stored vector: float16, of length 1, ``dim`` values; ``text_hash`` tells what it was made of.

    ``serial`` grows with every write of the tenant's, so that who keeps vectors in memory asks for the newer ones only.
    """

    __tablename__ = "embedding"
    __table_args__ = (
        _one_of("owner", OWNERS, "ck_embedding_owner"),
        Index("ix_embedding_made_of", "tenant_id", "model_key", "owner_id", "text_hash"),
        Index("ix_embedding_text", "tenant_id", "model_key", "text_hash"),
        Index("ix_embedding_serial", "tenant_id", "model_key", "serial"),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    owner_id: str = Field(primary_key=True, sa_type=Text)
    model_key: str = Field(primary_key=True, sa_type=Text)
    owner: str = Field(sa_type=Text)
    dim: int = Field(sa_type=Integer)
    text_hash: str = Field(sa_type=Text)
    serial: int = Field(sa_type=Integer)
    vector: bytes = Field(sa_type=LargeBinary)


class SearchDocRow(SQLModel, table=True):
    """The grams of one memory. On SQLite the content table of the FTS5 index. It holds no status."""

    __tablename__ = "search_doc"
    __table_args__ = (UniqueConstraint("tenant_id", "memory_id", name="uq_search_doc_memory"),)

    rid: int | None = Field(default=None, sa_column=Column(Integer, primary_key=True, autoincrement=True))
    tenant_id: str = Field(sa_type=Text)
    memory_id: str = Field(sa_type=Text)
    grams: str = Field(sa_type=Text)


class BlockRow(SQLModel, table=True):
    """What agents are given of one scope, rendered at every commit that changes it: ``store.block.Item`` as lists.

    The scope ``""`` stands for none: its row says that the tenant's blocks are kept in this ``form``.
    """

    __tablename__ = "block"

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    scope: str = Field(primary_key=True, sa_type=Text)
    form: int = Field(sa_type=Integer)
    items: list[Any] = _json_list()


class HandoutRow(SQLModel, table=True):
    """Which memory, at which revision, was given to which session, and when."""

    __tablename__ = "handout"
    __table_args__ = (
        Index("ix_handout_memory", "tenant_id", "memory_id", "at"),
        Index("ix_handout_session", "tenant_id", "session_id", "memory_id"),
    )

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    id: str = Field(primary_key=True, sa_type=Text)
    memory_id: str = Field(primary_key=True, sa_type=Text)
    revision: int = Field(sa_type=Integer)
    session_id: str | None = Field(default=None, sa_type=Text)
    agent: str | None = Field(default=None, sa_type=Text)
    surface: str = Field(sa_type=Text)
    at: datetime


class ScopeRow(SQLModel, table=True):
    """A project that has been seen: its identity, its readable label, the paths a person confirmed for it."""

    __tablename__ = "scope"

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    identity: str = Field(primary_key=True, sa_type=Text)
    label: str = Field(sa_type=Text)
    paths: list[str] = _json_list()


class SettingRow(SQLModel, table=True):
    """Small facts such as "kept for this commit", a drained spool file, the answer to an idempotency key."""

    __tablename__ = "setting"

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(primary_key=True, sa_type=Text)
    value: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)
    at: datetime
