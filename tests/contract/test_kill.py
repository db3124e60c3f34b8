"""kill -9 in the middle of a decision: old or new, what was told is there, and the next start needs no action."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest

from store import backup, erasing, history, restoring
from store.engine import Store
from store.location import Location
from store.verify import verify
from tests.contract import killed
from tests.contract.decisions import ANN, Desk

ROUNDS = 30
FEWER = 8
"""Rounds on PostgreSQL, where the server that keeps the transaction is not what is killed."""
MANY = 501
"""Memories of one bulk expiry: more than are read in one statement."""
LONGEST = 0.06
"""Seconds after which a child is killed at the latest."""
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.contract.killed"])
Again = Callable[..., Store]


def _killed(target: Callable[..., None], *args: Any, after: float | None, acks: int = 0) -> list[str]:
    """Run a child, kill it ``after`` seconds and so many acks (None: it dies by itself); what it said before.

    How long a deed takes differs with the machine and what else it does: a test that wants one done asks for an ack.
    """
    ours, theirs = FORKS.Pipe(duplex=False)
    child = FORKS.Process(target=target, args=(*args[:2], theirs, *args[2:]))
    child.start()
    theirs.close()
    assert ours.recv() == "ready"
    said = [ours.recv() for _ in range(acks)]
    if after is not None:
        wait([child.sentinel], timeout=after)
        child.kill()
    said += _rest(ours)
    child.join()
    return said


def _rest(pipe: Connection) -> Any:
    while True:
        try:
            yield pipe.recv()
        except EOFError:
            return


def _whole(desk: Desk, acked: list[str], known: set[str]) -> None:
    """All that was told is there, at most one thing more, and every proposal is fully decided or not at all."""
    log = {operation.id for operation in desk.operations()}
    assert set(acked) <= log
    assert len(log - known) <= len(acked) + 1
    assert verify(desk.store) is None
    made = {row["proposal_id"] for row in desk.rows("version") if row["proposal_id"] and row["action"] == "approve"}
    for row in desk.rows("proposal"):
        assert (row["id"] in made) >= (row["status"] == "approved")


def _rounds(location: Location, again: Again, deed: killed.Deed, refill: Callable[[Desk], None] | None = None) -> None:
    dice = random.Random(20261130)
    for _ in range(ROUNDS if location.path is not None else FEWER):
        store = again()
        desk = Desk(store)
        if refill is not None:
            refill(desk)
        known = {operation.id for operation in desk.operations()}
        store.close()
        acked = _killed(killed.run, location, deed, after=dice.uniform(0.0, LONGEST))
        _whole(Desk(again()), acked, known)


def _refill(desk: Desk) -> None:
    missing = 60 - sum(row["status"] == "pending" for row in desk.rows("proposal"))
    number = len(desk.rows("proposal"))
    desk.lay_many([{"content": f"fact {number + n}", "key": f"k.{number + n}"} for n in range(max(missing, 1))])


def _overwritten(desk: Desk, number: int) -> None:
    for n in range(number):
        memory = desk.hold(f"first {n}", key=f"k.{n}")
        history.edit(desk.store, memory.id, 1, memory.entry.with_(content=f"second {n}"), by=ANN)


@pytest.mark.long
def test_kill_in_approve(location: Location, open_again: Again) -> None:
    _rounds(location, open_again, killed.approve, _refill)


@pytest.mark.long
def test_D023_kill_in_approving_fifty_leaves_each_fully_approved_or_pending(
    location: Location, open_again: Again
) -> None:
    desk = Desk(open_again())
    total = killed.BATCH * 12
    desk.lay_many([{"content": f"fact {n}", "key": f"k.{n}"} for n in range(total)])
    desk.store.close()
    dice = random.Random(23)
    acked: list[str] = []
    for _ in range(10):
        acked += _killed(killed.run, location, killed.approve_batch, after=dice.uniform(0.0, 0.4))
        desk = Desk(open_again())
        assert len(desk.served()) % killed.BATCH == 0
        assert len(desk.served()) == sum(row["status"] == "approved" for row in desk.rows("proposal"))
        assert len(desk.served()) >= killed.BATCH * len(acked)
        assert verify(desk.store) is None


@pytest.mark.long
def test_kill_in_rollback(location: Location, open_again: Again) -> None:
    _overwritten(Desk(open_again()), 5)
    _rounds(location, open_again, killed.rollback)


@pytest.mark.long
def test_kill_in_undo(location: Location, open_again: Again) -> None:
    _overwritten(Desk(open_again()), 5)
    _rounds(location, open_again, killed.undo)


@pytest.mark.long
def test_V60_kill_in_erase_leaves_each_whole_or_gone_and_the_next_one_finishes_it(
    location: Location, open_again: Again
) -> None:
    words = {f"zqx{n}secret of the {n}th": n for n in range(60)}
    desk = Desk(open_again())
    desk.hold_many(*words)
    if location.path is not None:
        backup.back_up(desk.store)
    desk.store.close()
    dice = random.Random(60)
    for round_ in range(20 if location.path is not None else FEWER):
        known = {operation.id for operation in Desk(open_again()).operations()}
        acked = _killed(
            killed.run, location, killed.erase_next, after=dice.uniform(0.0, 0.5), acks=int(round_ % 4 == 0)
        )
        _whole(Desk(open_again()), acked, known)
    desk = Desk(open_again())
    assert erasing.finish(desk.store, by=ANN).clean
    gone = set(words) - set(desk.served().values())
    assert gone
    for path in location.folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert not [word for word in gone if word.encode() in data], path
    assert not restoring.leftovers(location)


@pytest.mark.long
@pytest.mark.parametrize("engine_name", ["sqlite"], indirect=True)
def test_V60_kill_in_restore_leaves_the_old_store_or_the_restored_one(location: Location, open_again: Again) -> None:
    desk = Desk(open_again())
    states = []
    for text in ("one", "two"):
        desk.hold_many(*(f"{text} {n}" for n in range(200)))
        backup.back_up(desk.store)
        states.append(desk.served())
    desk.hold("three")
    states.append(desk.served())
    desk.store.close()
    dice = random.Random(61)
    for round_ in range(15):
        wanted = int(round_ % 4 == 0)
        told = _killed(killed.run, location, killed.restore_next, after=dice.uniform(0.1, 1.2), acks=wanted)
        assert len(told) >= wanted
        again = Desk(open_again())
        assert again.served() in states
        assert verify(again.store) is None


@pytest.mark.long
@pytest.mark.parametrize(
    "deed", [killed.approve, killed.rollback, killed.undo, killed.expire_many], ids=lambda deed: deed.__name__
)
def test_V60_death_before_any_statement_leaves_the_old_state(
    deed: killed.Deed, location: Location, open_again: Again
) -> None:
    desk = Desk(open_again())
    _overwritten(desk, 1)
    desk.lay_many([{"content": "rival", "key": "k.0"}, {"content": "second rival", "key": "k.0"}])
    if deed is killed.expire_many:
        desk.hold_many(*(f"fact {n}" for n in range(MANY)))
    before = (desk.served(), desk.queue(), desk.operations())
    desk.store.close()
    step = (2 if deed is killed.expire_many else 1) if location.path is not None else 4
    for statement in range(1, 200, step):
        acked = _killed(killed.run_to, location, deed, statement, after=None)
        desk = Desk(open_again())
        assert verify(desk.store) is None
        if acked:
            assert desk.operations()[-1].id == acked[0]
            assert statement > 10
            if deed is killed.expire_many:
                assert desk.served() == {}
                assert len(before[0]) == MANY + 1 == sum(row["status"] == "expired" for row in desk.rows("memory"))
            return
        assert (desk.served(), desk.queue(), desk.operations()) == before
        desk.store.close()
    pytest.fail("it never came to an end")
