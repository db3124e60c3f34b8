"""Turning down: a way the team decided against becomes, or stays, a ``retired`` memory with its reason.

It is kept and shown to reviewers beside what resembles it, and never given to an agent. Like every decision: one
transaction, one operation, one undo, guarded by what was on the screen. The text binds agents from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, select

from store import secrecy
from store.approval import already_known
from store.engine import Store
from store.entry import Entry, fingerprint
from store.errors import NoneQualified, UsageError
from store.expiry import deciding
from store.facts import Actor, Done, Memory, Seen
from store.guards import Item, cleaned_reason, conflict, guarded, guarded_memory
from store.ledger import Act
from store.models import OperationRow, VersionRow
from store.reading import AT_PRESENT, MEMORY, active_saying, chunks, memories, memory_of
from store.wording import title

VERSION = VersionRow.__table__  # type: ignore[attr-defined]
OPERATION = OperationRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Why:
    """Why a memory was turned down, by whom and when."""

    reason: str
    actor: str
    at: datetime


def turn_down(store: Store, seen: Seen, reason: str, by: Actor) -> Done:
    """Reject a proposal and keep what it says as a turned-down memory, with the reason.

    What may be a secret in it is masked. The memory that said the same before, expired or turned down, is that memory
    again. Raises Stale, AlreadyDecided,
    NotFound, AlreadyKnown where an active memory says it, UsageError without a reason, or Conflict for a removal.
    """
    why = _needed(reason)
    with deciding(store) as connection:
        item = guarded(store, connection, seen)
        if item.proposal.op == "remove":
            raise conflict("A removal says nothing that could be turned down.", "Reject it.")
        act = Act(store, connection, by, "retire", reason=why)
        memory = _stage_proposal(act, item)
        operation = act.commit()
        told = title(connection, store.tenant, operation)
        return Done(operation, told, memory_ids=(memory.id,), proposal_ids=(item.id,))


def retire(store: Store, memory_id: str, revision: int, reason: str, by: Actor) -> Done:
    """Turn a memory down: it leaves use, frees its key, and stays to be shown with the reason.

    Raises NotFound, Stale, UsageError without a reason, or Conflict where it is deleted or turned down already.
    """
    why = _needed(reason)
    with deciding(store) as connection:
        before = guarded_memory(store, connection, memory_id, revision, None)
        refusal = _why_kept(before, revision)
        if refusal:
            raise conflict(refusal[:1].upper() + refusal[1:] + ".")
        act = Act(store, connection, by, "retire", reason=why)
        _stage_memory(act, before)
        operation = act.commit()
        return Done(operation, title(connection, store.tenant, operation), memory_ids=(memory_id,))


def retire_many(store: Store, chosen: Sequence[tuple[str, int]], reason: str, by: Actor) -> Done:
    """Turn a batch of (memory id, revision) down as one operation; what has moved on is left alone and named.

    Raises UsageError without a reason, NoneQualified where nothing is left to do.
    """
    why = _needed(reason)
    with deciding(store) as connection:
        wanted = dict(chosen)
        found = {memory.id: memory for memory in memories(connection, store.tenant, list(wanted))}
        act = Act(store, connection, by, "retire", reason=why, selection={"batch": len(wanted)})
        left: list[tuple[str, str]] = []
        for memory_id, revision in wanted.items():
            memory = found.get(memory_id)
            refusal = _why_kept(memory, revision)
            if memory is None or refusal:
                left.append((memory_id, refusal))
            else:
                _stage_memory(act, memory)
        if act.empty:
            raise NoneQualified(f"None of the {len(left):,} could be turned down.", left=tuple(left))
        operation = act.commit()
        done = tuple(one for one in wanted if one not in dict(left))
        return Done(operation, title(connection, store.tenant, operation), memory_ids=done, left=tuple(left))


def why_retired(store: Store, ids: Sequence[str]) -> dict[str, Why]:
    """By memory, why it was turned down last; memories that never were are left out."""
    with store.read() as connection:
        return reasons(connection, store.tenant, ids)


def reasons(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, Why]:
    """The same within a transaction. An undo and its redo bring no reason of their own, so the decision's is told."""
    made = and_(OPERATION.c.tenant_id == VERSION.c.tenant_id, OPERATION.c.id == VERSION.c.operation_id)
    found: dict[str, Why] = {}
    for part in chunks(list(ids)):
        chosen = (
            select(VERSION.c.memory_id, OPERATION.c.reason, OPERATION.c.actor, OPERATION.c.at)
            .join(OPERATION, made)
            .where(
                VERSION.c.tenant_id == tenant,
                VERSION.c.memory_id.in_(part),
                VERSION.c.status == "retired",
                OPERATION.c.action == "retire",
            )
            .order_by(OPERATION.c.seq)
        )
        found |= {row.memory_id: Why(row.reason or "", row.actor, row.at) for row in connection.execute(chosen)}
    return found


def _needed(reason: str) -> str:
    why = cleaned_reason(reason.strip())
    if not why:
        raise UsageError("What is turned down is kept for its reason.", kept="Nothing was changed.", todo="Say why.")
    return why


def _why_kept(memory: Memory | None, revision: int) -> str:
    if memory is None:
        return "there is no such memory"
    if memory.revision != revision:
        return f"revision {revision} has become {memory.revision}"
    words = {"deleted": "it was deleted", "retired": "it is turned down already"}
    return words.get(memory.status, "")


def _stage_proposal(act: Act, item: Item) -> Memory:
    proposal, tenant = item.proposal, act.store.tenant
    mark = _mark(proposal.entry)
    holding = active_saying(act.connection, tenant, [mark])
    if holding:
        raise already_known(holding[0])
    # What may be a secret is of no use in a way that nobody goes: it is masked without a question.
    entry = secrecy.settled(act, proposal.entry, "mask", version=proposal.redaction_version)
    before = _said_before(act.connection, tenant, _mark(entry))
    if before is not None and entry.key is None:
        entry = entry.with_(key=before.entry.key)
    after = act.change(before, entry, "retired", proposal_id=proposal.id)
    cleaned = secrecy.row_without(act, proposal, entry, "mask")
    act.decide(proposal.id, proposal.status, "rejected", revision=proposal.revision, reason=act.reason, **cleaned)
    act.turn_down(entry.scope, mark, "rejected")
    return after


def _stage_memory(act: Act, memory: Memory) -> None:
    act.change(memory, memory.entry, "retired")
    act.turn_down(memory.entry.scope, _mark(memory.entry), "rejected")


def _said_before(connection: Connection, tenant: str, mark: str) -> Memory | None:
    """The memory out of use that said exactly this last: turned down or expired."""
    made = and_(OPERATION.c.tenant_id == VERSION.c.tenant_id, OPERATION.c.id == VERSION.c.operation_id)
    chosen = (
        select(MEMORY)
        .join(VERSION, AT_PRESENT)
        .join(OPERATION, made)
        .where(
            MEMORY.c.tenant_id == tenant,
            MEMORY.c.fingerprint == mark,
            MEMORY.c.status.in_(("retired", "expired")),
        )
        .order_by(OPERATION.c.seq.desc(), MEMORY.c.id.desc())
        .limit(1)
    )
    row = connection.execute(chosen).first()
    return memory_of(row) if row else None


def _mark(entry: Entry) -> str:
    return fingerprint(entry.scope, "add", entry.content)
