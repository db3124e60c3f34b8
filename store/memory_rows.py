"""Memory rows: bringing them to their next state, guarded by revision, at the speed of executemany.

Only ``store.ledger`` calls this, together with the versions that record the changes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, bindparam, insert, update

from store.entry import Entry, fingerprint
from store.errors import Conflict
from store.facts import Memory
from store.models import MemoryRow

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Change:
    """A memory's next state, and the version that records it."""

    before: Memory | None
    after: Memory
    action: str
    proposal_id: str | None
    salt: str
    commitment: str
    entry_json: str


def memory_columns(memory: Memory, tenant: str) -> dict[str, Any]:
    """A memory as its row."""
    entry = memory.entry
    return {
        "tenant_id": tenant,
        "id": memory.id,
        "scope": entry.scope,
        "kind": entry.kind,
        "key": entry.key,
        "aliases": list(entry.aliases),
        "content": entry.content,
        "paths": list(entry.paths),
        "source": entry.source,
        "source_agent": entry.source_agent,
        "session_id": entry.session_id,
        "source_ref": entry.source_ref,
        "evidence": entry.evidence,
        "confidence": entry.confidence,
        "valid_until": entry.valid_until,
        "content_hash": memory.content_hash,
        "fingerprint": fingerprint(entry.scope, "add", entry.content),
        "previous_value": memory.previous_value,
        "status": memory.status,
        "pinned": memory.pinned,
        "revision": memory.revision,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


def write_memories(connection: Connection, tenant: str, changes: list[Change]) -> None:
    """Bring memory rows to their next state: keys leave ``active`` first and enter second."""
    moved = [c for c in changes if c.before is not None]
    rekeyed = [c for c in moved if _holds_key(c) and _held_another(c)]
    if rekeyed:
        park = update(MEMORY).where(MEMORY.c.tenant_id == tenant, MEMORY.c.id == bindparam("b_id"))
        connection.execute(park.values(status="archived"), [{"b_id": c.after.id} for c in rekeyed])
    _update_memories(connection, tenant, [c for c in moved if not _holds_key(c)])
    _update_memories(connection, tenant, [c for c in moved if _holds_key(c)])
    fresh = [memory_columns(c.after, tenant) for c in changes if c.before is None]
    if fresh:
        connection.execute(insert(MEMORY), fresh)


def _holds_key(change: Change) -> bool:
    return change.after.status == "active" and change.after.entry.key is not None


def _held_another(change: Change) -> bool:
    before = change.before
    if before is None or before.status != "active":
        return False
    return (before.entry.scope, before.entry.key) != (change.after.entry.scope, change.after.entry.key)


_ENTRY = tuple(one.name for one in fields(Entry))
_STATE_ONLY = ("status", "pinned", "revision", "previous_value", "updated_at")
"""The columns that a change of status alone touches; bulk acts are mostly such changes."""


def _update_memories(connection: Connection, tenant: str, changes: list[Change]) -> None:
    by_columns: dict[tuple[str, ...], list[Change]] = {}
    for change in changes:
        by_columns.setdefault(_touched(change), []).append(change)
    for names, part in by_columns.items():
        rows = [_columns(c.after, tenant, names) for c in part]
        _guarded_update(connection, tenant, rows, [c.before.revision for c in part if c.before])


def _touched(change: Change) -> tuple[str, ...]:
    """The columns of the entry that a change touches: in a bulk act the same few for all, and most often none."""
    assert change.before is not None
    before, after = change.before.entry, change.after.entry
    if before is after or before == after:
        return ()
    return tuple(name for name in _ENTRY if getattr(before, name) != getattr(after, name))


def _columns(memory: Memory, tenant: str, names: tuple[str, ...]) -> dict[str, Any]:
    """The columns of the state, those of the entry that were touched, and what follows from them."""
    if len(names) > len(_ENTRY) // 2:
        return memory_columns(memory, tenant)
    entry = memory.entry
    columns: dict[str, Any] = {"id": memory.id} | {name: getattr(memory, name) for name in _STATE_ONLY}
    for name in names:
        value = getattr(entry, name)
        columns[name] = list(value) if name in ("aliases", "paths") else value
    if "content" in names:
        columns["content_hash"] = memory.content_hash
    if "content" in names or "scope" in names:
        columns["fingerprint"] = fingerprint(entry.scope, "add", entry.content)
    return columns


def _guarded_update(connection: Connection, tenant: str, rows: list[dict[str, Any]], befores: list[int]) -> None:
    names = [name for name in rows[0] if name not in ("tenant_id", "id", "created_at")]
    statement = (
        update(MEMORY)
        .where(
            MEMORY.c.tenant_id == tenant,
            MEMORY.c.id == bindparam("b_id"),
            MEMORY.c.revision == bindparam("b_before"),
        )
        .values(**{name: bindparam(f"b_{name}") for name in names})
    )
    bound = [
        {"b_id": row["id"], "b_before": before} | {f"b_{name}": row[name] for name in names}
        for row, before in zip(rows, befores, strict=True)
    ]
    expect_all(connection, statement, bound)


def execute_many(connection: Connection, statement: Any, rows: list[dict[str, Any]]) -> int:
    """Run a statement for every row and return how many rows it touched in all.

    The values go to the driver as they are, so they must be texts, numbers or None: for thousands of rows the detour
    through each value's type costs as much as the engine's own work.
    """
    if not rows:
        return 0
    compiled = statement.compile(dialect=connection.dialect)
    constants = {name: value for name, value in compiled.params.items() if name not in rows[0]}
    if constants:
        rows = [row | constants for row in rows]
    if not compiled.positional:
        return connection.exec_driver_sql(compiled.string, rows).rowcount
    of = itemgetter(*compiled.positiontup)
    return connection.exec_driver_sql(compiled.string, [of(row) for row in rows]).rowcount


def expect_all(connection: Connection, statement: Any, rows: list[dict[str, Any]], *, plain: bool = False) -> None:
    """Run a guarded update for every row; the row count is the verdict. Raises Conflict where any guard failed.

    ``plain``: the values are such that ``execute_many`` may have them.
    """
    if plain:
        touched = execute_many(connection, statement, rows)
    else:
        touched = connection.execution_options(preserve_rowcount=True).execute(statement, rows).rowcount
    if touched != len(rows):
        raise Conflict(
            "Something changed between looking and deciding.",
            kept="Nothing was changed.",
            todo="Look at it again and decide.",
        )
