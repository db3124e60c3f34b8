"""What a person does to memories in the library, one or thousands: expire, give an end date, place, say "still true".

Each is one transaction, one operation and one undo. A memory is guarded by the revision that was shown: a single one
that has moved on raises Stale with the texts, in a batch it is left alone and named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from store.elsewhere import take_over
from store.engine import Store
from store.entry import Entry, fingerprint
from store.errors import NoneQualified
from store.expiry import deciding
from store.facts import Actor, Done, Memory
from store.guards import cleaned_reason, conflict, guarded_memory
from store.ledger import Act
from store.reading import active_saying, active_with_keys, chunks, memories
from store.turning import standing
from store.wording import title

Chosen = Sequence[tuple[str, int]]
"""Memories by id, each with the revision that was shown."""
Left = list[tuple[str, str]]
_PAGE = 500


def expire(store: Store, chosen: Chosen, *, by: Actor, reason: str | None = None, instead: Chosen = ()) -> Done:
    """Take memories out of use now: no longer true. Their keys are free; approved again they are active again.

    ``instead`` are those that stay in their place: where one of them is not in use as it was shown, nothing is done.
    Raises NotFound or Stale for a single one, Conflict, or NoneQualified where nothing is left to do.
    """
    with deciding(store) as connection:
        staying = standing(connection, store.tenant, [one for one, _ in instead])
        if any(_why_left(staying.get(one), revision) for one, revision in instead):
            raise conflict("The one to keep has changed meanwhile.", "Look again.")
        _alone(store, connection, chosen)
        act = Act(store, connection, by, "expire", reason=cleaned_reason(reason), selection=_number(chosen))
        left: Left = []
        ids: list[str] = []
        for part in chunks(list(dict(chosen).items()), _PAGE):
            stands = standing(connection, store.tenant, [one for one, _ in part])
            for memory_id, revision in part:
                found = stands.get(memory_id)
                why = _why_left(found, revision)
                if found is None or why:
                    left.append((memory_id, why))
                else:
                    act.turn(found, "expired")
                    ids.append(memory_id)
        return _finish(store, connection, act, ids, left)


def until(store: Store, chosen: Chosen, valid_until: datetime | None, *, by: Actor) -> Done:
    """Give memories the date until which they hold, or (None) none. Raises as ``expire``; Conflict for a past date."""

    def dated(memory: Memory) -> Entry:
        return memory.entry.with_(valid_until=valid_until)

    if valid_until is not None and valid_until <= store.now():
        raise conflict("The date until which it would hold has passed.", "Give it another date, or expire it.")
    return _changed(store, chosen, dated, by=by, action="date")


def move(store: Store, chosen: Chosen, scope: str, *, by: Actor) -> Done:
    """Have memories hold elsewhere: ``scope`` is a project's identity, or global.

    Left alone is what another memory there says already, or holds the key of. Raises as ``expire``.
    """
    return _changed(store, chosen, lambda memory: memory.entry.with_(scope=scope), by=by, action="move")


def pin(store: Store, chosen: Chosen, on: bool, *, by: Actor) -> Done:
    """Pin memories, or take the pin off: pinned ones stand first in what agents are given. Raises as ``expire``."""
    with deciding(store) as connection:
        found, left = _fitting(store, connection, chosen)
        left += [(memory.id, _pinned(on)) for memory in found if memory.pinned is on]
        act = Act(store, connection, by, "pin" if on else "unpin", selection=_number(chosen))
        wanted = [memory for memory in found if memory.pinned is not on]
        for memory in wanted:
            act.change(memory, memory.entry, pinned=on)
        return _finish(store, connection, act, [memory.id for memory in wanted], left)


def _pinned(on: bool) -> str:
    return "it is pinned already" if on else "it is not pinned"


def _changed(store: Store, chosen: Chosen, anew: Callable[[Memory], Entry], *, by: Actor, action: str) -> Done:
    """Give each memory another entry; what would say what another says, or hold its key, is left alone."""
    with deciding(store) as connection:
        found, left = _fitting(store, connection, chosen)
        entries = {memory.id: anew(memory) for memory in found}
        same = [memory for memory in found if entries[memory.id] == memory.entry]
        left += [(memory.id, "it is so already") for memory in same]
        wanted = [memory for memory in found if entries[memory.id] != memory.entry]
        taken = _taken(connection, store.tenant, wanted, entries)
        left += taken.items()
        act = Act(store, connection, by, action, selection=_number(chosen))
        free = [memory for memory in wanted if memory.id not in taken]
        held = [act.change(memory, entries[memory.id]) for memory in free]
        if action == "move":
            take_over(act, held)
        return _finish(store, connection, act, [memory.id for memory in free], left)


def _taken(connection: Connection, tenant: str, wanted: Sequence[Memory], entries: dict[str, Entry]) -> dict[str, str]:
    """By memory why its new entry cannot stand beside the others, those of the batch among them."""
    moving = [one for one in wanted if entries[one.id].scope != one.entry.scope]
    marks = {one.id: fingerprint(entries[one.id].scope, "add", entries[one.id].content) for one in moving}
    pairs = {(entry.scope, entry.key) for one in moving if (entry := entries[one.id]).key is not None}
    said = {mark: one.id for one in active_saying(connection, tenant, list(marks.values())) for mark in [_mark(one)]}
    held = {where: one.id for where, one in active_with_keys(connection, tenant, pairs).items()}
    found: dict[str, str] = {}
    for one in moving:
        entry = entries[one.id]
        if said.setdefault(marks[one.id], one.id) != one.id:
            found[one.id] = "another memory there says it already"
        elif entry.key is not None and held.setdefault((entry.scope, entry.key), one.id) != one.id:
            found[one.id] = f"another memory there has the key {entry.key}"
    return found


def _mark(memory: Memory) -> str:
    return fingerprint(memory.entry.scope, "add", memory.entry.content)


def _fitting(store: Store, connection: Connection, chosen: Chosen) -> tuple[list[Memory], Left]:
    """The memories that stand as they were shown, and the others with the reason."""
    _alone(store, connection, chosen)
    found: list[Memory] = []
    left: Left = []
    for part in chunks(list(dict(chosen).items()), _PAGE):
        page = {one.id: one for one in memories(connection, store.tenant, [id_ for id_, _ in part])}
        for memory_id, revision in part:
            memory = page.get(memory_id)
            why = _why_left(memory, revision)
            if memory is None or why:
                left.append((memory_id, why))
            else:
                found.append(memory)
    return found, left


def _alone(store: Store, connection: Connection, chosen: Chosen) -> None:
    """A single one that has moved on is refused with the texts that met."""
    if len(chosen) == 1:
        guarded_memory(store, connection, *chosen[0], None)


def _number(chosen: Chosen) -> dict[str, Any]:
    return {"batch": len(chosen)} if len(chosen) > 1 else {}


def _why_left(memory: Any, revision: int) -> str:
    if memory is None:
        return "there is no such memory"
    if memory.status != "active":
        return f"it is {'turned down' if memory.status == 'retired' else memory.status} already"
    return f"revision {revision} has become {memory.revision}" if memory.revision != revision else ""


def _finish(store: Store, connection: Connection, act: Act, ids: Sequence[str], left: Left) -> Done:
    if not ids:
        if len(left) == 1:
            raise conflict(f"Not done: {left[0][1]}.")
        raise NoneQualified(f"None of the {len(left):,} could be changed.", left=tuple(left))
    operation = act.commit()
    return Done(operation, title(connection, store.tenant, operation), memory_ids=tuple(ids), left=tuple(left))
