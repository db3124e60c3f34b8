"""Whether a store is whole: the chain of operations, the memories it explains, and what is derived from them.

Everything is streamed: the memory used does not grow with the store, only with the largest single operation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, or_, select
from sqlalchemy.exc import DBAPIError

from store import blocks, head
from store.engine import Store
from store.entry import commitment, content_hash, fingerprint
from store.errors import StoreDamaged
from store.facts import Broken
from store.ledger import DECISION, GENESIS, MEMORY, OPERATION, PROPOSAL, VERSION, digest_of
from store.models import SearchDocRow, TombstoneRow
from store.reading import entry_of, operation_of, proposal_of
from store.text import entry_grams

_SEARCH_DOC = SearchDocRow.__table__  # type: ignore[attr-defined]
_TOMBSTONE = TombstoneRow.__table__  # type: ignore[attr-defined]
_AT_A_TIME = 100


class _Unreadable(Exception):
    """A row that cannot even be read; carries what to tell."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(broken.what)
        self.broken = broken


def verify(store: Store) -> Broken | None:
    """The first broken thing, in words with ids, or None where everything agrees. Reads one snapshot, writes nothing.

    Raises StoreTrouble where the store cannot be read at all.
    """
    try:
        # Read before the snapshot is taken: a writer may then have moved the store past it, never behind it.
        heads = head.read(store.location)
    except (ValueError, OSError) as error:
        return Broken(f"The head file {store.location.head} cannot be read: {error}", "head")
    try:
        with store.read() as connection:
            for check in _CHECKS:
                found = check(store, connection)
                if found is not None:
                    return found
            return _head(store, connection, heads.get(store.tenant))
    except _Unreadable as error:
        return error.broken


def _engine(store: Store, connection: Connection) -> Broken | None:
    """The engine finds its own files whole."""
    said = store.backend.quick_check(connection)
    return Broken(f"The database itself is damaged: {said}", "database") if said is not None else None


def _references(store: Store, connection: Connection) -> Broken | None:
    """The engine finds no row that refers to one that is not there; asked last, since it names no ids."""
    said = store.backend.reference_check(connection)
    return Broken(f"The database itself is damaged: {said}", "database") if said is not None else None


def _chain(store: Store, connection: Connection) -> Broken | None:
    """Operations are numbered from 1 without gaps, and each digest follows from the one before and what it made."""
    tenant = store.tenant
    operations = select(OPERATION).where(OPERATION.c.tenant_id == tenant).order_by(OPERATION.c.seq)
    made = _Parts(_stream(store, connection, _parts(VERSION, tenant), "version"))
    ruled = _Parts(_stream(store, connection, _parts(DECISION, tenant), "decision"))
    previous, expected = GENESIS, 1
    for row in _stream(store, connection, operations, "operation"):
        if row.seq != expected:
            return Broken(
                f"Operation {expected} is missing: operation {row.seq} ({row.id}) follows {expected - 1}.",
                "operation",
                (row.id,),
            )
        versions, fault = _sealed(made.of(row.seq))
        if fault is not None:
            return fault
        decisions = [dict(one._mapping) for one in ruled.of(row.seq)]
        fault = _count(row, versions, decisions)
        if fault is not None:
            return fault
        decisions.sort(key=lambda one: str(one["proposal_id"]))
        if not _links(row, previous, versions, decisions):
            return Broken(
                f"Operation {row.seq} ({row.id}, {row.action} by {row.actor}) does not carry the digest of what it and "
                "its versions and decisions say: one of them was changed, added or removed.",
                "operation",
                (row.id,),
            )
        previous, expected = row.digest, expected + 1
    return None


def _links(row: Row[Any], previous: str, versions: list[dict[str, Any]], decisions: list[dict[str, Any]]) -> bool:
    try:
        return digest_of(previous, operation_of(row), versions, decisions) == str(row.digest)
    except (TypeError, ValueError, AttributeError):
        return False  # a value of another type than it was written with


def _sealed(rows: Iterator[Row[Any]]) -> tuple[list[dict[str, Any]], Broken | None]:
    """The versions of one operation by name, their texts checked against their commitments and let go."""
    kept = []
    for row in rows:
        if not _commits(row):
            what = f"Revision {row.revision} of memory {row.memory_id} does not say what it committed to."
            return [], Broken(what, "version", (row.memory_id, row.operation_id))
        named = dict(row._mapping)
        for text in ("entry", "previous_value", "salt"):
            del named[text]
        kept.append(named)
    return sorted(kept, key=lambda one: (str(one["memory_id"]), one["revision"])), None


def _commits(row: Row[Any]) -> bool:
    if row.salt is None and row.entry is None:
        return row.previous_value is None  # erased: all three are gone, and the commitment is covered by the chain
    try:
        return commitment(row.salt, row.entry, row.previous_value, row.status, row.revision) == str(row.commitment)
    except (TypeError, ValueError):
        return False


def _count(row: Row[Any], versions: list[dict[str, Any]], decisions: list[dict[str, Any]]) -> Broken | None:
    proposals = {one["proposal_id"] for one in decisions}
    count = len(versions) + len(proposals - {one["proposal_id"] for one in versions})
    said = row._mapping["count"]  # to a type checker Row.count is a method of tuples
    if said == count:
        return None
    what = f"Operation {row.seq} ({row.id}) says that it changed {said}, and {count} changes are there."
    return Broken(what, "operation", (row.id,))


def _strays(_store: Store, connection: Connection) -> Broken | None:
    """Every part belongs to an operation, every version to a memory, every tombstone to what laid and lifted it."""
    tenant = _store.tenant
    for table, column, other, name in (
        (VERSION, VERSION.c.operation_id, OPERATION, "version"),
        (VERSION, VERSION.c.memory_id, MEMORY, "version"),
        (DECISION, DECISION.c.operation_id, OPERATION, "decision"),
        (DECISION, DECISION.c.proposal_id, PROPOSAL, "decision"),
        (_TOMBSTONE, _TOMBSTONE.c.operation_id, OPERATION, "tombstone"),
        (_TOMBSTONE, _TOMBSTONE.c.lifted_by, OPERATION, "tombstone"),
        (_SEARCH_DOC, _SEARCH_DOC.c.memory_id, MEMORY, "search index"),
    ):
        joined = table.outerjoin(other, and_(other.c.tenant_id == table.c.tenant_id, other.c.id == column))
        missing = select(column).select_from(joined).where(table.c.tenant_id == tenant, column.is_not(None))
        stray = connection.scalar(missing.where(other.c.id.is_(None)).limit(1))
        if stray is not None:
            what = f"A row of the {name} table belongs to {other.name} {stray}, which is not there."
            return Broken(what, name, (str(stray),))
    return None


def _numbering(store: Store, connection: Connection) -> Broken | None:
    """The versions of each memory are numbered 1 to n."""
    first, last, all_ = func.min(VERSION.c.revision), func.max(VERSION.c.revision), func.count()
    wrong = (
        select(VERSION.c.memory_id, first.label("first"), last.label("last"), all_.label("number"))
        .where(VERSION.c.tenant_id == store.tenant)
        .group_by(VERSION.c.memory_id)
        .having(or_(first != 1, last != all_))
        .limit(1)
    )
    row = connection.execute(wrong).first()
    if row is None:
        return None
    what = f"Memory {row.memory_id} has {row.number} versions, numbered {row.first} to {row.last}."
    return Broken(what, "version", (row.memory_id,))


def _memories(store: Store, connection: Connection) -> Broken | None:
    """Each memory is what its last version says, and the search index holds its words."""
    later, first = VERSION.alias("later"), VERSION.alias("first")
    last = select(func.max(later.c.revision)).where(
        later.c.tenant_id == MEMORY.c.tenant_id, later.c.memory_id == MEMORY.c.id
    )
    of_memory = and_(VERSION.c.tenant_id == MEMORY.c.tenant_id, VERSION.c.memory_id == MEMORY.c.id)
    from_first = and_(first.c.tenant_id == MEMORY.c.tenant_id, first.c.memory_id == MEMORY.c.id, first.c.revision == 1)
    indexed = and_(_SEARCH_DOC.c.tenant_id == MEMORY.c.tenant_id, _SEARCH_DOC.c.memory_id == MEMORY.c.id)
    statement = (
        select(
            MEMORY,
            VERSION.c.entry.label("said"),
            VERSION.c.status.label("last_status"),
            VERSION.c.previous_value.label("last_previous"),
            VERSION.c.at.label("last_at"),
            VERSION.c.revision.label("last_revision"),
            first.c.at.label("first_at"),
            _SEARCH_DOC.c.grams,
        )
        .select_from(
            MEMORY.outerjoin(VERSION, and_(of_memory, VERSION.c.revision == last.scalar_subquery()))
            .outerjoin(first, from_first)
            .outerjoin(_SEARCH_DOC, indexed)
        )
        .where(MEMORY.c.tenant_id == store.tenant)
    )
    for row in _stream(store, connection, statement, "memory"):
        fault = _memory_fault(row)
        if fault is not None:
            return Broken(f"Memory {row.id} ({row.key or 'without a key'}): {fault}.", "memory", (row.id,))
    return None


def _memory_fault(row: Row[Any]) -> str | None:
    if row.last_revision is None:
        return "it has no version"
    if row.revision != row.last_revision:
        return f"it says revision {row.revision}, and its last version is {row.last_revision}"
    pairs = (
        ("status", row.status, row.last_status),
        ("previous value", row.previous_value, row.last_previous),
        ("time of change", row.updated_at, row.last_at),
        ("time of creation", row.created_at, row.first_at),
    )
    for name, here, there in pairs:
        if here != there:
            return f"its {name} is not that of its versions"
    if row.said is None or row.content is None:
        return None if row.said is None and row.content is None else "it is erased only in part"
    try:
        entry = entry_of(row)
        same = entry.as_dict() == json.loads(row.said)
        hashed = content_hash(entry.content) == row.content_hash
        printed = fingerprint(entry.scope, "add", entry.content) == row.fingerprint
        found = entry_grams(entry) == row.grams
    except (TypeError, ValueError, AttributeError):
        return "it holds a value of another type than its last version"
    if not same:
        return "it does not say what its last version says"
    if not hashed or not printed:
        return "its hash or its fingerprint is not that of its text"
    return None if found else "the search index does not hold its words"


def _proposals(store: Store, connection: Connection) -> Broken | None:
    """Each proposal has the status that its last decision gave it, and the hash and fingerprint of its text."""
    newest = (
        select(
            DECISION.c.proposal_id,
            DECISION.c.to_status,
            func.row_number().over(partition_by=DECISION.c.proposal_id, order_by=OPERATION.c.seq.desc()).label("place"),
        )
        .join(OPERATION, _of_operation(DECISION))
        .where(DECISION.c.tenant_id == store.tenant)
        .subquery()
    )
    decided = and_(newest.c.proposal_id == PROPOSAL.c.id, newest.c.place == 1)
    statement = (
        select(PROPOSAL, newest.c.to_status)  # whole rows: one that cannot be read keeps a queue from being shown
        .select_from(PROPOSAL.outerjoin(newest, decided))
        .where(PROPOSAL.c.tenant_id == store.tenant)
    )
    for row in _stream(store, connection, statement, "proposal"):
        if row.to_status is not None and row.to_status != row.status:
            what = f"Proposal {row.id} is {row.status}, and the last decision on it made it {row.to_status}."
            return Broken(what, "proposal", (row.id,))
        if row.content is not None and not _hashed(row):
            what = f"Proposal {row.id}: its hash or its fingerprint is not that of its text."
            return Broken(what, "proposal", (row.id,))
        if not _readable(row):
            return Broken(
                f"Proposal {row.id} holds a value of another type than it was written with.", "proposal", (row.id,)
            )
    return None


def _readable(row: Row[Any]) -> bool:
    try:
        proposal_of(row, None)
    except (TypeError, ValueError, KeyError, AttributeError):
        return False
    return all(isinstance(one, str) for one in (*row.aliases, *row.paths))


def _hashed(row: Row[Any]) -> bool:
    try:
        printed: bool = fingerprint(row.scope, row.op, row.content) == row.fingerprint
        return printed and content_hash(row.content) == row.content_hash
    except (TypeError, AttributeError):
        return False


def _head(store: Store, connection: Connection, kept: tuple[int, str] | None) -> Broken | None:
    """The newest operation that was noted beside the store is in it."""
    if kept is None:
        return None
    seq, digest = kept
    of_tenant = select(OPERATION.c.id, OPERATION.c.digest).where(OPERATION.c.tenant_id == store.tenant)
    row = connection.execute(of_tenant.where(OPERATION.c.seq == seq)).first()
    if row is None:
        newest = connection.scalar(select(func.max(OPERATION.c.seq)).where(OPERATION.c.tenant_id == store.tenant)) or 0
        return Broken(
            f"Operations {newest + 1} to {seq} are gone: the head file beside the store has seen operation {seq}, "
            f"and the store ends at {newest}.",
            "head",
        )
    if row.digest != digest:
        what = f"Operation {seq} ({row.id}) is not the one that the head file beside the store has seen."
        return Broken(what, "head", (row.id,))
    return None


def _blocks(store: Store, connection: Connection) -> Broken | None:
    """What agents are given of each scope is what its memories say."""
    scope = blocks.stray(store, connection)
    what = f"What agents are given of {scope} is not what its memories say."
    return None if scope is None else Broken(what, f"block of {scope}")


_CHECKS: tuple[Callable[[Store, Connection], Broken | None], ...] = (
    _engine,
    _chain,
    _strays,
    _numbering,
    _memories,
    _proposals,
    _blocks,
    _references,
)


class _Parts:
    """What operations made, handed out by their seq in the order of the chain."""

    def __init__(self, rows: Iterator[Row[Any]]) -> None:
        self._groups = groupby(rows, key=lambda row: row.seq)
        self._next = next(self._groups, None)

    def of(self, seq: int) -> Iterator[Row[Any]]:
        """The rows of one operation, to be taken to the end before those of the next are asked for."""
        if self._next is not None and self._next[0] == seq:
            yield from self._next[1]
            self._next = next(self._groups, None)


def _parts(table: Any, tenant: str) -> Select[Any]:
    joined = select(table, OPERATION.c.seq).join(OPERATION, _of_operation(table))
    return joined.where(table.c.tenant_id == tenant).order_by(OPERATION.c.seq)


def _of_operation(table: Any) -> Any:
    return and_(OPERATION.c.tenant_id == table.c.tenant_id, OPERATION.c.id == table.c.operation_id)


def _stream(store: Store, connection: Connection, statement: Select[Any], table: str) -> Iterator[Row[Any]]:
    """The rows of a statement, a few at a time; a row that cannot be read is a finding, not a crash."""
    try:
        yield from connection.execute(statement.execution_options(yield_per=_AT_A_TIME))
    except (ValueError, TypeError, StoreDamaged) as error:
        why = error.what if isinstance(error, StoreDamaged) else error
        raise _Unreadable(Broken(f"A row of the {table} table cannot be read: {why}", table)) from error
    except DBAPIError as error:
        if store.backend.translate(error, committing=False) is not None:
            raise
        raise _Unreadable(Broken(f"A row of the {table} table cannot be read: {error.orig}", table)) from error
