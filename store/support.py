"""Support: the distinct sessions, commits and test runs that bore a memory out, carried over from its proposals.

Carried rows bear the time of the approving operation, which tells them from support that the memory had before; so an
undo takes away exactly what the approval brought.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, delete, exists, func, insert, literal, select, tuple_, update

from store.conditions import unindexed
from store.facts import Operation
from store.models import SupportRow, UsageRow, VersionRow

SUPPORT = SupportRow.__table__  # type: ignore[attr-defined]
USAGE = UsageRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]


def carry(connection: Connection, tenant: str, approval: Operation, *, through: str | None = None) -> None:
    """Give the memories that ``approval`` made the support of their proposals; counted in ``usage``.

    ``through`` limits it to the memories that another operation (a redo of the approval) touched.
    """
    made = _made_by(tenant, approval.id, through)
    own = SUPPORT.alias("own")
    held = SUPPORT.alias("held")
    already = exists().where(
        held.c.tenant_id == tenant,
        held.c.owner_id == VERSION.c.memory_id,
        held.c.kind == own.c.kind,
        held.c.ref == own.c.ref,
    )
    said = and_(own.c.tenant_id == VERSION.c.tenant_id, own.c.owner_id == VERSION.c.proposal_id)
    at = literal(approval.at, SUPPORT.c.at.type)
    rows = (
        select(VERSION.c.tenant_id, VERSION.c.memory_id, own.c.kind, own.c.ref, own.c.claimed, at)
        .select_from(VERSION)
        .join(own, said)
        .where(*made, VERSION.c.status == "active", ~already)
    )
    columns = ["tenant_id", "owner_id", "kind", "ref", "claimed", "at"]
    connection.execute(insert(SUPPORT).from_select(columns, rows))
    _count(connection, tenant, made)


def take_back(connection: Connection, tenant: str, approval: Operation, *, through: str) -> None:
    """Take away what ``carry`` gave the memories that the undo ``through`` touched."""
    made = _made_by(tenant, approval.id, through)
    own = SUPPORT.alias("own")
    said = and_(own.c.tenant_id == VERSION.c.tenant_id, own.c.owner_id == VERSION.c.proposal_id)
    # Not correlated: gathered once, and not again for every row.
    carried = select(VERSION.c.memory_id, own.c.kind, own.c.ref).select_from(VERSION).join(own, said).where(*made)
    brought = and_(
        SUPPORT.c.tenant_id == tenant,
        SUPPORT.c.at == approval.at,
        tuple_(SUPPORT.c.owner_id, SUPPORT.c.kind, SUPPORT.c.ref).in_(carried),
    )
    connection.execute(delete(SUPPORT).where(brought))
    _count(connection, tenant, made)


def _made_by(tenant: str, operation_id: str, through: str | None) -> list[Any]:
    # Unindexed: else SQLite walks the index of proposals, through every version there is, for one operation's few.
    proposed = unindexed(VERSION.c.proposal_id).is_not(None)
    made = [VERSION.c.tenant_id == tenant, VERSION.c.operation_id == operation_id, proposed]
    if through is not None:
        again = VERSION.alias("again")
        chosen = select(again.c.memory_id).where(again.c.tenant_id == tenant, again.c.operation_id == through)
        made.append(VERSION.c.memory_id.in_(chosen))
    return made


def _count(connection: Connection, tenant: str, made: list[Any]) -> None:
    touched = select(VERSION.c.memory_id).where(*made)
    counted = exists().where(USAGE.c.tenant_id == tenant, USAGE.c.memory_id == VERSION.c.memory_id)
    missing = select(VERSION.c.tenant_id, VERSION.c.memory_id, literal(0), literal(0), literal(0)).where(
        *made, ~counted
    )
    columns = ["tenant_id", "memory_id", "uses", "support", "claimed_support"]
    connection.execute(insert(USAGE).from_select(columns, missing))
    connection.execute(
        update(USAGE)
        .where(USAGE.c.tenant_id == tenant, USAGE.c.memory_id.in_(touched))
        .values(support=_number(tenant, False), claimed_support=_number(tenant, True))
    )


def _number(tenant: str, claimed: bool) -> Any:
    return (
        select(func.count())
        .select_from(SUPPORT)
        .where(SUPPORT.c.tenant_id == tenant, SUPPORT.c.owner_id == USAGE.c.memory_id, SUPPORT.c.claimed.is_(claimed))
        .scalar_subquery()
    )
