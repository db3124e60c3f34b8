"""What the children of ``test_kill`` do: decide on and on, and say so after each commit, until they are killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from sqlalchemy import event, select

from store import backup, blocks, erase, erasing, history, restoring, review, tending
from store.engine import Store, open_store
from store.errors import NothingToUndo
from store.facts import Actor, Done
from store.location import Location
from tests.contract.decisions import ANN, TABLES, Desk

BATCH = 50
PROPOSAL: Any = TABLES["proposal"]
MEMORY: Any = TABLES["memory"]
Deed = Callable[[Desk], Done | None]


def _pending(desk: Desk, limit: int) -> list[str]:
    chosen = select(PROPOSAL.c.id).where(PROPOSAL.c.status == "pending").order_by(PROPOSAL.c.id).limit(limit)
    with desk.store.read() as connection:
        return list(connection.execute(chosen).scalars())


def approve(desk: Desk) -> Done | None:
    """Approve the next proposal; None where none is left."""
    waiting = _pending(desk, 1)
    return desk.approve(waiting[0]) if waiting else None


def approve_batch(desk: Desk) -> Done | None:
    """Approve the next fifty at once."""
    waiting = _pending(desk, BATCH)
    return review.approve_many(desk.store, [desk.see(one) for one in waiting], by=ANN) if waiting else None


def rollback(desk: Desk) -> Done | None:
    """Roll back the memory that was rolled back the longest ago."""
    with desk.store.read() as connection:
        row = connection.execute(select(MEMORY.c.id, MEMORY.c.revision).order_by(MEMORY.c.revision).limit(1)).one()
    return history.rollback(desk.store, row.id, row.revision, by=ANN)


def expire_many(desk: Desk) -> Done | None:
    """Take all that is in use out of use at once; None where nothing is."""
    chosen = select(MEMORY.c.id, MEMORY.c.revision).where(MEMORY.c.status == "active")
    with desk.store.read() as connection:
        held = [(row.id, row.revision) for row in connection.execute(chosen)]
    return tending.expire(desk.store, held, by=ANN) if held else None


def erase_next(desk: Desk) -> Done | None:
    """Erase the next memory that has a text, with all its files; None where none is left."""
    with desk.store.read() as connection:
        own = connection.scalar(select(MEMORY.c.id).where(MEMORY.c.content.is_not(None)).limit(1))
    if own is None:
        return None
    operation, proof = erasing.run(desk.store, erase.one(desk.store, "memory", own), by=ANN)
    assert operation is not None
    assert proof.clean, proof
    return Done(operation, "erased")


def restore_next(desk: Desk) -> Done | None:
    """Bring back one of the two backups beside the store, by turns."""
    location, who = desk.store.location, Actor("restorer", "cli")
    turn = len(backup.backups(location)) % 2
    file = sorted(one.path for one in backup.backups(location) if one.label == "manual")[turn]
    with restoring.prepared(location, file) as found:
        restoring.restore(location, found, by=who)
    return Done(desk.operations()[-1], "restored")


def undo(desk: Desk) -> Done | None:
    """Undo until nothing is left, then redo one."""
    try:
        return history.undo(desk.store, by=ANN)
    except NothingToUndo:
        return history.redo(desk.store, by=ANN)


def run(location: Location, deed: Deed, acks: Connection) -> None:
    """Do a deed again and again; the id of each operation goes to ``acks`` after its commit."""
    desk = Desk(open_store(location))
    blocks.ensure(desk.store)
    acks.send("ready")
    while (done := deed(desk)) is not None:
        acks.send(done.operation.id)


def run_to(location: Location, deed: Deed, acks: Connection, statement: int) -> None:
    """Do a deed once, and die before the statement of this number is sent to the engine."""
    store = open_store(location)
    desk = Desk(store)
    blocks.ensure(store)
    acks.send("ready")
    _die_before(store, statement)
    done = deed(desk)
    assert done is not None
    acks.send(done.operation.id)


def _die_before(store: Store, statement: int) -> None:
    said = 0

    def count(*_args: Any) -> None:
        nonlocal said
        said += 1
        if said >= statement:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store.engine, "before_cursor_execute", count)
    event.listen(store.engine, "commit", count)
