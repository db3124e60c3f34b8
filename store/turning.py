"""Memories whose status alone changes, by the ten thousand: read, recorded and written without unfolding their entries.

What a memory says stays as its newest version spells it, so the next version is that spelling under a new commitment.
``store.ledger`` writes these rows as parts of an operation, like any other change.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Integer, Text, and_, bindparam, insert, select, update

from store.entry import commitment
from store.memory_rows import execute_many, expect_all
from store.models import MemoryRow, OperationRow, VersionRow
from store.reading import AT_PRESENT, chunks

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
_PAGE: Final = 500


class Standing(NamedTuple):
    """A memory as it stands; ``entry`` is the canonical JSON of its newest version, None where it was erased."""

    id: str
    revision: int
    status: str
    scope: str
    previous_value: str | None
    entry: str | None


class Turned(NamedTuple):
    """Its next state: the same entry under another status."""

    before: Standing
    status: str
    action: str
    salt: str
    commitment: str


_STANDING: Final = (
    select(MEMORY.c.id, MEMORY.c.revision, MEMORY.c.status, MEMORY.c.scope, MEMORY.c.previous_value, VERSION.c.entry)
    .join(
        VERSION,
        AT_PRESENT,
    )
    .where(MEMORY.c.tenant_id == bindparam("tenant"), MEMORY.c.id.in_(bindparam("ids", expanding=True)))
)
# The time and the tenant come from the operation's row: a bound time would be spelled anew for every row.
_OF_OPERATION: Final = and_(OPERATION.c.tenant_id == bindparam("b_tenant"), OPERATION.c.id == bindparam("b_operation"))
_COLUMNS: Final = (
    "tenant_id", "operation_id", "at", "memory_id", "revision", "status", "entry", "previous_value", "action", "salt",
    "commitment",
)  # fmt: skip
_APPEND: Final = insert(VERSION).from_select(
    list(_COLUMNS),
    select(
        OPERATION.c.tenant_id,
        OPERATION.c.id,
        OPERATION.c.at,
        *(bindparam(f"v_{name}", type_=Integer if name == "revision" else Text) for name in _COLUMNS[3:]),
    ).where(_OF_OPERATION),
)
_WRITE: Final = (
    update(MEMORY)
    .where(
        MEMORY.c.tenant_id == bindparam("b_tenant"),
        MEMORY.c.id == bindparam("b_id"),
        MEMORY.c.revision == bindparam("b_revision"),
    )
    .values(
        status=bindparam("b_status"),
        revision=MEMORY.c.revision + 1,
        updated_at=select(OPERATION.c.at).where(_OF_OPERATION).scalar_subquery(),
    )
)


def standing(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, Standing]:
    """How memories stand, by id; ids that do not exist are left out."""
    found: dict[str, Standing] = {}
    for part in chunks(ids, _PAGE):
        rows = connection.execute(_STANDING, {"tenant": tenant, "ids": list(part)}).all()
        found |= {row[0]: Standing(*row) for row in rows}
    return found


def turned(before: Standing, status: str, action: str) -> Turned:
    """The next state of a memory that was not erased."""
    assert before.entry is not None
    salt = secrets.token_hex(16)
    mark = commitment(salt, before.entry, before.previous_value, status, before.revision + 1)
    return Turned(before, status, action, salt, mark)


def version_rows(rows: Sequence[Turned], made: dict[str, Any]) -> list[dict[str, Any]]:
    """What the chain's digest needs of each version: ``made`` has the columns that all share."""
    return [
        made
        | {
            "memory_id": one.before.id,
            "revision": one.before.revision + 1,
            "status": one.status,
            "action": one.action,
            "commitment": one.commitment,
        }
        for one in rows
    ]


def write(connection: Connection, tenant: str, operation_id: str, rows: Sequence[Turned]) -> None:
    """Bring the memories to their next state and append the versions. Raises Conflict where one has moved on."""
    own: dict[str, Any] = {"b_tenant": tenant, "b_operation": operation_id}
    expect_all(
        connection,
        _WRITE,
        [own | {"b_id": one.before.id, "b_revision": one.before.revision, "b_status": one.status} for one in rows],
        plain=True,
    )
    execute_many(
        connection,
        _APPEND,
        [
            own
            | {
                "v_memory_id": one.before.id,
                "v_revision": one.before.revision + 1,
                "v_status": one.status,
                "v_entry": one.before.entry,
                "v_previous_value": one.before.previous_value,
                "v_action": one.action,
                "v_salt": one.salt,
                "v_commitment": one.commitment,
            }
            for one in rows
        ],
    )
