"""What the tables share: the columns of an entry, and CHECKs by name."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Text
from sqlmodel import Field, SQLModel

from store.entry import KINDS, SOURCES


def one_of(column: str, values: tuple[str, ...], name: str) -> CheckConstraint:
    """The CHECK that a column holds one of these words."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=name)


def entry_checks(table: str) -> tuple[CheckConstraint, ...]:
    """The CHECKs of ``EntryColumns`` and ``revision``, named for their table."""
    return (
        one_of("kind", KINDS, f"ck_{table}_kind"),
        one_of("source", SOURCES, f"ck_{table}_source"),
        CheckConstraint("confidence IS NULL OR (confidence >= 0 AND confidence <= 1)", name=f"ck_{table}_confidence"),
        CheckConstraint("key IS NULL OR (length(key) BETWEEN 1 AND 128 AND key = lower(key))", name=f"ck_{table}_key"),
        CheckConstraint("content IS NULL OR content <> ''", name=f"ck_{table}_content"),
        CheckConstraint("scope <> ''", name=f"ck_{table}_scope"),
        CheckConstraint("revision >= 1", name=f"ck_{table}_revision"),
    )


def json_list() -> Any:
    """A column that holds a list, empty where nothing is said."""
    return Field(default_factory=list, sa_type=JSON, nullable=False)


class EntryColumns(SQLModel):
    """The columns that hold an ``Entry``. ``content`` is NULL only where it was erased."""

    scope: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    key: str | None = Field(default=None, sa_type=Text)
    aliases: list[str] = json_list()
    content: str | None = Field(default=None, sa_type=Text)
    paths: list[str] = json_list()
    source: str = Field(sa_type=Text)
    source_agent: str | None = Field(default=None, sa_type=Text)
    session_id: str | None = Field(default=None, sa_type=Text)
    source_ref: str | None = Field(default=None, sa_type=Text)
    evidence: str | None = Field(default=None, sa_type=Text)
    confidence: float | None = None
    valid_until: datetime | None = None
