"""Tombstones: the texts that were decided against, and what takes such a decision away again.

A tombstone binds agents while ``lifted_by`` is NULL. An operation that makes a text hold lifts the tombstones of that
text; an undo lifts those that the undone operation laid and puts back those that it had lifted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from store.models import TombstoneRow

TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Stone:
    """A text that an operation turns down, by its ``store.entry.fingerprint``."""

    scope: str
    fingerprint: str
    cause: str


def lay(connection: Connection, tenant: str, operation_id: str, stones: Sequence[Stone]) -> None:
    """Remember texts as turned down by an operation that has been written; each text once."""
    rows = {
        stone.fingerprint: {
            "tenant_id": tenant,
            "fingerprint": stone.fingerprint,
            "operation_id": operation_id,
            "scope": stone.scope,
            "cause": stone.cause,
            "lifted_by": None,
            "refusals": 0,
        }
        for stone in stones
    }
    if rows:
        connection.execute(insert(TOMBSTONE), list(rows.values()))


def lift(connection: Connection, tenant: str, operation_id: str, fingerprints: Collection[str]) -> None:
    """Take away every live tombstone of these texts: the operation makes them hold."""
    if not fingerprints:
        return
    statement = (
        update(TOMBSTONE)
        .where(
            TOMBSTONE.c.tenant_id == tenant,
            TOMBSTONE.c.fingerprint == bindparam("b_mark"),
            TOMBSTONE.c.lifted_by.is_(None),
        )
        .values(lifted_by=operation_id)
    )
    connection.execute(statement, [{"b_mark": mark} for mark in sorted(fingerprints)])


def lifted(connection: Connection, tenant: str, operation_id: str) -> set[str]:
    """The texts that an operation turned down, and that something has taken up since."""
    chosen = select(TOMBSTONE.c.fingerprint).where(
        TOMBSTONE.c.tenant_id == tenant, TOMBSTONE.c.operation_id == operation_id, TOMBSTONE.c.lifted_by.is_not(None)
    )
    return set(connection.execute(chosen).scalars())


def turn(
    connection: Connection,
    tenant: str,
    *,
    undone: str,
    undoing: str,
    root: str | None,
    fingerprints: Collection[str] | None = None,
) -> None:
    """Follow an undo: put back what ``undone`` had lifted, and lift what stood through it.

    ``root`` is the decision that laid the tombstones and is taken back here, be it directly or by the undo of a redo;
    None for a redo. ``fingerprints`` limits it to a part.
    """
    _retarget(connection, TOMBSTONE.c.lifted_by == undone, tenant, None, fingerprints)
    if root is not None:
        _retarget(connection, TOMBSTONE.c.operation_id == root, tenant, undoing, fingerprints)


def _retarget(
    connection: Connection, which: Any, tenant: str, lifted_by: str | None, fingerprints: Collection[str] | None
) -> None:
    statement = update(TOMBSTONE).where(TOMBSTONE.c.tenant_id == tenant, which).values(lifted_by=lifted_by)
    if fingerprints is None:
        connection.execute(statement)
    elif fingerprints:
        limited = statement.where(TOMBSTONE.c.fingerprint == bindparam("b_mark"))
        connection.execute(limited, [{"b_mark": mark} for mark in sorted(fingerprints)])
