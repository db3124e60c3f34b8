"""The tables beside the ledger: counters, what is found and served, who was told, scopes, settings.

No version and no operation covers them: they follow from the ledger, or nothing is decided by them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, Integer, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.columns import json_list, one_of

OWNERS = ("memory", "proposal")
"""What a vector may be of."""


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
    __table_args__ = (one_of("kind", ("session", "commit", "test"), "ck_support_kind"),)

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
        one_of("owner", OWNERS, "ck_embedding_owner"),
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
    items: list[Any] = json_list()


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
    paths: list[str] = json_list()


class SettingRow(SQLModel, table=True):
    """Small facts such as "kept for this commit", a drained spool file, the answer to an idempotency key."""

    __tablename__ = "setting"

    tenant_id: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(primary_key=True, sa_type=Text)
    value: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)
    at: datetime
