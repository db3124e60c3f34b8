"""Rows become facts: memories, versions, operations, and proposals re-based on the memories as they stand now."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, TextualSelect, and_, bindparam, literal_column, select, text, tuple_

from store import secrecy
from store.entry import Entry
from store.facts import OPEN, Flag, Memory, Operation, Proposal, Version
from store.models import MemoryRow, OperationRow, ProposalRow, VersionRow

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL = ProposalRow.__table__  # type: ignore[attr-defined]
VERSION = VersionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]
AT_PRESENT = and_(
    VERSION.c.tenant_id == MEMORY.c.tenant_id,
    VERSION.c.memory_id == MEMORY.c.id,
    VERSION.c.revision == MEMORY.c.revision,
)
"""Joins a memory to the version that says what it is now."""
HOLDS_KEY = (MEMORY.c.status == literal_column("'active'"), MEMORY.c.key.is_not(None))
"""The condition of the partial index of keys, spelled out: with a bound value no engine can tell that it applies."""
DATED = (MEMORY.c.status == literal_column("'active'"), MEMORY.c.valid_until.is_not(None))
"""The condition of the partial index of dates, spelled out for the same reason."""
UNDECIDED = PROPOSAL.c.status.in_([literal_column(f"'{status}'") for status in OPEN])
"""The condition of the partial index of what waits, spelled out for the same reason; every other test on the status
stands beside it."""
LOOKUP_SIZES = (1, 8, 64, 200)
LARGEST_LOOKUP = LOOKUP_SIZES[-1]
_T = TypeVar("_T")
ERASED = "[erased]"
"""What stands for a content that was erased."""


def _values(table: Any) -> Callable[[Any], Any]:
    """From a row of all columns to a named tuple: SQLAlchemy's rows look up every name anew, the most a page costs."""
    made: Any = namedtuple("made", list(table.c.keys()))  # type: ignore[misc]
    make: Callable[[Any], Any] = made._make
    return make


_proposal_values = _values(PROPOSAL)
_memory_values = _values(MEMORY)
_PROPOSALS = select(PROPOSAL).where(
    PROPOSAL.c.tenant_id == bindparam("tenant"), PROPOSAL.c.id.in_(bindparam("ids", expanding=True))
)
_MEMORIES = select(MEMORY).where(
    MEMORY.c.tenant_id == bindparam("tenant"), MEMORY.c.id.in_(bindparam("ids", expanding=True))
)
_ACTIVE = _MEMORIES.where(MEMORY.c.status == "active")


def entry_of(row: Any) -> Entry:
    """The entry that a memory or proposal row holds."""
    content = row.content
    aliases, paths = row.aliases, row.paths
    return Entry(
        scope=row.scope,
        content=content if content is not None else ERASED,
        kind=row.kind,
        key=row.key,
        aliases=tuple(aliases) if aliases else (),
        paths=tuple(paths) if paths else (),
        source=row.source,
        source_agent=row.source_agent,
        session_id=row.session_id,
        source_ref=row.source_ref,
        evidence=row.evidence,
        confidence=row.confidence,
        valid_until=row.valid_until,
    )


def memory_of(row: Any) -> Memory:
    """A memory row as a fact."""
    return Memory(
        id=row.id,
        entry=entry_of(row),
        content_hash=row.content_hash,
        previous_value=row.previous_value,
        status=row.status,
        pinned=row.pinned,
        revision=row.revision,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def operation_of(row: Any) -> Operation:
    """An operation row as a fact."""
    return Operation(
        id=row.id,
        seq=row.seq,
        action=row.action,
        actor=row.actor,
        surface=row.surface,
        reason=row.reason,
        selection=row.selection,
        count=row.count,
        undoes=row.undoes,
        at=row.at,
    )


def proposal_of(row: Any, target: Memory | None, *, same: bool = False) -> Proposal:
    """A proposal row against the memory it would change now (None where approving would add one).

    A removal whose target is gone keeps its op: approving it can only be refused. ``same`` says that the target,
    whatever its revision, says again what it said at the base.
    """
    op = row.op if row.op == "remove" else ("update" if target else "add")
    flags = tuple(Flag(flag["code"], flag.get("detail", "")) for flag in row.flags) if row.flags else ()
    moved = "" if same else _base_moved(row, target)
    return Proposal(
        id=row.id,
        op=op,
        proposed_op=row.op,
        target=target,
        base_revision=row.base_revision,
        entry=entry_of(row),
        content_hash=row.content_hash,
        flags=(*flags, Flag("stale_base", moved)) if moved else flags,
        redaction_version=row.redaction_version,
        idempotency_key=row.idempotency_key,
        status=row.status,
        mentions=row.mentions,
        branch=row.branch,
        group_id=row.group_id,
        revision=row.revision,
        created_at=row.created_at,
        commit=row.commit_hash,
    )


def _base_moved(row: Any, target: Memory | None) -> str:
    if row.status not in ("draft", "pending", "deferred"):
        return ""
    if row.target_id is not None and (target is None or target.id != row.target_id):
        return "what it was to change is gone"
    if target is not None and row.base_revision is None:
        return f"since it was proposed, the key was given a value (revision {target.revision})"
    if target is not None and row.base_revision is not None and target.revision != row.base_revision:
        return f"revision {row.base_revision} has become {target.revision}"
    return ""


def present(connection: Connection, tenant: str, rows: Sequence[Any]) -> list[Proposal]:
    """Proposal rows (all columns) as facts, in the same order, with a few look-ups whatever their number.

    The target is the active memory named at intake, else the active memory that holds the same scope and key (but for a
    removal, which is only ever about what it named).
    """
    by_id = _active_by_id(connection, tenant, {row.target_id for row in rows if row.target_id})
    orphans = [row for row in rows if row.key and row.target_id not in by_id and not _bound_to_target(row)]
    by_key = active_with_keys(connection, tenant, {(row.scope, row.key) for row in orphans})
    targets = [
        by_id.get(row.target_id) or (None if _bound_to_target(row) else by_key.get((row.scope, row.key)))
        for row in rows
    ]
    same = _same_again(connection, tenant, list(zip(rows, targets, strict=True)))
    made = [
        proposal_of(row, target, same=target is not None and (target.id, row.base_revision) in same)
        for row, target in zip(rows, targets, strict=True)
    ]
    return secrecy.without_answered_flags(connection, tenant, made)


def _same_again(
    connection: Connection, tenant: str, pairs: Sequence[tuple[Any, Memory | None]]
) -> set[tuple[str, int]]:
    """The (memory, base revision) whose text at that revision is the present one: what happened since was undone."""
    moved = {
        (target.id, row.base_revision): target
        for row, target in pairs
        if target is not None and target.id == row.target_id and row.base_revision not in (None, target.revision)
    }
    found: set[tuple[str, int]] = set()
    for part in chunks(sorted(moved)):
        chosen = select(VERSION.c.memory_id, VERSION.c.revision, VERSION.c.entry).where(
            VERSION.c.tenant_id == tenant, tuple_(VERSION.c.memory_id, VERSION.c.revision).in_(part)
        )
        for row in connection.execute(chosen):
            place = (row.memory_id, row.revision)
            if row.entry == moved[place].entry.canonical_json():
                found.add(place)
    return found


def _bound_to_target(row: Any) -> bool:
    """A removal is about the memory it named: another one that took the key since is none of its business."""
    return row.op == "remove" and row.target_id is not None


def _active_by_id(connection: Connection, tenant: str, ids: set[str]) -> dict[str, Memory]:
    found: dict[str, Memory] = {}
    for part in chunks(sorted(ids)):
        rows = map(_memory_values, connection.execute(_ACTIVE, {"tenant": tenant, "ids": part}).all())
        found |= {row.id: memory_of(row) for row in rows}
    return found


def active_with_keys(
    connection: Connection, tenant: str, places: set[tuple[str, str]]
) -> dict[tuple[str, str], Memory]:
    """By (scope, key), the active memories that hold these keys."""
    found: dict[tuple[str, str], Memory] = {}
    for part in chunks(sorted(places), LARGEST_LOOKUP):
        size = next(size for size in LOOKUP_SIZES if size >= len(part))
        asked = {"tenant": tenant}
        for n in range(size):
            asked[f"scope_{n}"], asked[f"key_{n}"] = part[n] if n < len(part) else ("", "")
        rows = map(_memory_values, connection.execute(_holders(size), asked).all())
        found |= {(row.scope, row.key): memory_of(row) for row in rows}
    return found


@lru_cache
def _holders(size: int) -> TextualSelect:
    """The active memories that hold one of ``size`` scopes and keys, each looked up in the index of keys.

    Written out: neither engine's planner takes that index for an IN list of pairs, and SQLAlchemy compiles a VALUES
    list anew each time. A few sizes only, so that every layer keeps the statement; nothing holds the
    empty key that fills up the places left over.
    """
    columns = ", ".join(f'memory."{name}"' for name in MEMORY.c.keys())  # noqa: SIM118 (columns, not a dict)
    places = ", ".join(f"(:scope_{n}, :key_{n})" for n in range(size))
    return text(
        f"WITH asked (scope, place) AS (VALUES {places}) "
        f'SELECT {columns} FROM asked JOIN memory ON memory.scope = asked.scope AND memory."key" = asked.place '
        "WHERE memory.tenant_id = :tenant AND memory.status = 'active' AND memory.\"key\" IS NOT NULL"
    ).columns(*MEMORY.c)


def chunks(items: Sequence[_T], size: int = 200) -> Iterable[Sequence[_T]]:
    """Slices of at most ``size``: an IN list has an upper bound on every engine."""
    return (items[start : start + size] for start in range(0, len(items), size))


def proposals(connection: Connection, tenant: str, ids: Sequence[str]) -> list[Proposal]:
    """The proposals with these ids, in the order asked for; ids that do not exist are left out."""
    rows: dict[str, Any] = {}
    for part in chunks(ids):
        found = map(_proposal_values, connection.execute(_PROPOSALS, {"tenant": tenant, "ids": part}).all())
        rows |= {row.id: row for row in found}
    return present(connection, tenant, [rows[one] for one in ids if one in rows])


def memory(connection: Connection, tenant: str, memory_id: str) -> Memory | None:
    """One memory in whatever status, or None."""
    row = connection.execute(select(MEMORY).where(MEMORY.c.tenant_id == tenant, MEMORY.c.id == memory_id)).first()
    return memory_of(row) if row else None


def memories(connection: Connection, tenant: str, ids: Sequence[str]) -> list[Memory]:
    """The memories with these ids, in the order asked for; ids that do not exist are left out."""
    found: dict[str, Memory] = {}
    for part in chunks(ids):
        rows = map(_memory_values, connection.execute(_MEMORIES, {"tenant": tenant, "ids": part}).all())
        found |= {row.id: memory_of(row) for row in rows}
    return [found[one] for one in ids if one in found]


def active_with_key(connection: Connection, tenant: str, scope: str, key: str) -> Memory | None:
    """The active memory that holds a key in a scope, or None."""
    return active_with_keys(connection, tenant, {(scope, key)}).get((scope, key))


def active_saying(connection: Connection, tenant: str, marks: Sequence[str]) -> list[Memory]:
    """The active memories that say exactly one of these (``store.entry.fingerprint`` with op add)."""
    found: list[Memory] = []
    for part in chunks(marks):
        chosen = select(MEMORY).where(
            MEMORY.c.tenant_id == tenant, MEMORY.c.fingerprint.in_(part), MEMORY.c.status == "active"
        )
        found += [memory_of(row) for row in connection.execute(chosen)]
    return found


def versions(
    connection: Connection,
    tenant: str,
    memory_id: str,
    *,
    limit: int | None = None,
    revisions: Sequence[int] | None = None,
) -> list[Version]:
    """A memory's history, newest first: whole, its newest ``limit`` versions, or those with these numbers."""
    of_it = _versions().where(VERSION.c.tenant_id == tenant, VERSION.c.memory_id == memory_id)
    if revisions is not None:
        of_it = of_it.where(VERSION.c.revision.in_(list(revisions)))
    chosen = of_it.order_by(VERSION.c.revision.desc()).limit(limit)
    return [version_of(row) for row in connection.execute(chosen)]


def _versions() -> Select[Any]:
    joined = and_(OPERATION.c.tenant_id == VERSION.c.tenant_id, OPERATION.c.id == VERSION.c.operation_id)
    return select(VERSION, OPERATION.c.actor, OPERATION.c.surface).join(OPERATION, joined)


def version_of(row: Any) -> Version:
    """A version row, joined with its operation's actor and surface, as a fact."""
    at: datetime = row.at
    return Version(
        memory_id=row.memory_id,
        revision=row.revision,
        status=row.status,
        entry=Entry.from_json(row.entry) if row.entry is not None else None,
        previous_value=row.previous_value,
        action=row.action,
        operation_id=row.operation_id,
        proposal_id=row.proposal_id,
        at=at,
        actor=row.actor,
        surface=row.surface,
    )
