"""Decisions on memories: edit, delete, rollback; and the log's words for people.

Turning down stands in ``retiring``, undo and redo in ``undo``.

Each is one transaction, one operation and one undo, and returns after the commit. Each takes the revision that was on
the screen and raises Stale (base, mine, theirs, by whom) where the memory has moved on.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from store import secrecy
from store.approval import already_known, key_taken
from store.engine import Store
from store.entry import Entry, fingerprint
from store.errors import AlreadyKnown, NoneQualified, NotFound
from store.expiry import deciding
from store.facts import Actor, Done, Memory, Operation, Version
from store.guards import cleaned, cleaned_reason, conflict, guarded_memory
from store.ledger import Act
from store.reading import active_saying, active_with_key, memories, versions
from store.retiring import retire, retire_many, why_retired
from store.undo import next_redo, next_undo, redo, undo
from store.wording import title

__all__ = [
    "delete", "delete_many", "describe", "edit", "next_redo", "next_undo", "redo", "retire", "retire_many", "rollback",
    "undo", "why_retired",
]  # fmt: skip


def describe(store: Store, operation: Operation) -> str:
    """An operation in words for people: "approved style.report_voice", "rejected 4", "undid: deleted 50,000".

    The words may hold agents' text: whoever paints them goes through ``visible``.
    """
    with store.read() as connection:
        return title(connection, store.tenant, operation)


def edit(
    store: Store,
    memory_id: str,
    revision: int,
    entry: Entry,
    *,
    by: Actor,
    reason: str | None = None,
    secret: secrecy.Word | None = None,
) -> Done:
    """Give a memory another entry. An expired one becomes active again where its date, as edited, allows.

    ``secret`` is the person's word on what is new in it and may be a secret, as for ``review.approve``. Raises
    NotFound, Stale, AlreadyKnown (also where the entry changes nothing), KeyTaken, NotAdmitted, SecretOpen, or Conflict
    for a deleted memory.
    """
    entry = cleaned(entry)
    with deciding(store) as connection:
        before = guarded_memory(store, connection, memory_id, revision, entry.content)
        act = Act(store, connection, by, "edit", reason=cleaned_reason(reason))
        status = before.status
        if status == "deleted":
            raise conflict("It was deleted.", "Bring it back first.")
        entry = secrecy.settled(act, entry, secret, before=before.entry)
        passed = entry.valid_until is not None and entry.valid_until <= act.at
        if status == "expired" and not passed:
            status = "active"
        if passed and status == "active":
            raise conflict("The date until which it holds has passed.", "Give it another date.")
        if entry == before.entry and status == before.status:
            raise AlreadyKnown("It says exactly this already.", kept="Nothing was changed.")
        if status == "active":
            _admissible(connection, store.tenant, before, entry)
        act.change(before, entry, status)
        return _finish(store, connection, act, (memory_id,))


def delete(store: Store, memory_id: str, revision: int, *, by: Actor, reason: str | None = None) -> Done:
    """Take a memory out of use; its history stays, and the same text proposed again is answered with this decision.

    Raises NotFound, Stale, or Conflict where it is deleted already.
    """
    with deciding(store) as connection:
        before = guarded_memory(store, connection, memory_id, revision, None)
        if before.status == "deleted":
            raise conflict("It is deleted already.")
        act = Act(store, connection, by, "delete", reason=cleaned_reason(reason))
        _delete(act, before)
        return _finish(store, connection, act, (memory_id,))


def delete_many(store: Store, chosen: Sequence[tuple[str, int]], *, by: Actor, reason: str | None = None) -> Done:
    """Delete a batch of (memory id, revision) as one operation; what has moved on is left alone and named.

    Raises NoneQualified where nothing is left to do.
    """
    with deciding(store) as connection:
        wanted = dict(chosen)
        found = {memory.id: memory for memory in memories(connection, store.tenant, list(wanted))}
        act = Act(store, connection, by, "delete", reason=cleaned_reason(reason), selection={"batch": len(wanted)})
        left: list[tuple[str, str]] = []
        gone: list[str] = []
        for memory_id, revision in wanted.items():
            memory = found.get(memory_id)
            why = _why_kept(memory, revision)
            if memory is None or why:
                left.append((memory_id, why))
                continue
            _delete(act, memory)
            gone.append(memory_id)
        if act.empty:
            raise NoneQualified(f"None of the {len(left):,} could be deleted.", left=tuple(left))
        return _finish(store, connection, act, gone, left)


def _why_kept(memory: Memory | None, revision: int) -> str:
    if memory is None:
        return "there is no such memory"
    if memory.revision != revision:
        return f"revision {revision} has become {memory.revision}"
    return "it is deleted already" if memory.status == "deleted" else ""


def _delete(act: Act, memory: Memory) -> None:
    act.change(memory, memory.entry, "deleted")
    act.turn_down(memory.entry.scope, _mark(memory.entry), "deleted")


def rollback(
    store: Store, memory_id: str, revision: int, *, by: Actor, to: int | None = None, reason: str | None = None
) -> Done:
    """Bring back what a memory said at revision ``to``, or (None) its previous value; it keeps its present key.

    A memory that is not active is brought back to life: with None, as it last was. Whatever the status of the chosen
    version, the memory is active afterwards, since that is what bringing back means. What it said until now is turned
    down for agents; a second rollback brings it back.

    Raises NotFound (no such version, no previous value), Stale, AlreadyKnown, KeyTaken, or Conflict where the version
    was erased, is the present one, or holds a date that has passed.
    """
    with deciding(store) as connection:
        history = versions(connection, store.tenant, memory_id)
        wanted = next((v.entry.content for v in history if v.revision == to and v.entry is not None), None)
        before = guarded_memory(store, connection, memory_id, revision, wanted)
        version = _chosen(before, history, to)
        act = Act(store, connection, by, "rollback", reason=cleaned_reason(reason), selection={"to": version.revision})
        if version.entry is None:
            raise conflict(f"Revision {version.revision} was erased.", "Choose another one.")
        entry = version.entry.with_(key=before.entry.key)
        if entry.valid_until is not None and entry.valid_until <= act.at:
            raise conflict(
                f"Revision {version.revision} held until {entry.valid_until:%Y-%m-%d %H:%M} UTC, which has passed.",
                "Edit the memory and give it another date.",
            )
        _admissible(connection, store.tenant, before, entry)
        act.change(before, entry)
        if before.status == "active" and _mark(entry) != _mark(before.entry):
            act.turn_down(before.entry.scope, _mark(before.entry), "rolled_back")
        return _finish(store, connection, act, (memory_id,))


def _chosen(memory: Memory, history: Sequence[Version], to: int | None) -> Version:
    if to is not None:
        version = next((v for v in history if v.revision == to), None)
        if version is None:
            raise NotFound(f"There is no revision {to}; the newest is {memory.revision}.", kept="Nothing was changed.")
        if version.revision == memory.revision and memory.status == "active":
            raise conflict(f"Revision {to} is what stands now.")
        return version
    if memory.status != "active":
        return history[0]
    for version in history:
        if version.entry is not None and version.entry.content == memory.previous_value:
            return version
    raise NotFound("It has no earlier value.", kept="Nothing was changed.")


def _admissible(connection: Connection, tenant: str, before: Memory, entry: Entry) -> None:
    """Raises KeyTaken or AlreadyKnown where another active memory holds the key or says exactly this."""
    if entry.key is not None:
        holder = active_with_key(connection, tenant, entry.scope, entry.key)
        if holder is not None and holder.id != before.id:
            raise key_taken(holder, entry)
    others = [memory for memory in active_saying(connection, tenant, [_mark(entry)]) if memory.id != before.id]
    if others and (before.status != "active" or _mark(entry) != _mark(before.entry)):
        raise already_known(others[0])


def _mark(entry: Entry) -> str:
    return fingerprint(entry.scope, "add", entry.content)


def _finish(
    store: Store, connection: Connection, act: Act, memory_ids: Sequence[str], left: Sequence[tuple[str, str]] = ()
) -> Done:
    operation = act.commit()
    return Done(
        operation=operation,
        title=title(connection, store.tenant, operation),
        memory_ids=tuple(memory_ids),
        left=tuple(left),
    )
