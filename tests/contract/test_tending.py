"""What a person does to memories in the library: one operation and one undo each, guarded by what was shown."""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import history, tending
from store.blocks import read
from store.entry import GLOBAL
from store.errors import Conflict, NoneQualified, Stale
from store.retrieval import search
from store.verify import verify
from tests.contract.decisions import ANN, BOB, Desk


def test_D060_all_that_match_are_expired_and_one_undo_brings_all_back(desk: Desk) -> None:
    held = desk.hold_many(*(f"Rule {number} of the old service" for number in range(250)))
    done = tending.expire(desk.store, [(one.id, one.revision) for one in held], by=ANN, reason="the service is gone")
    assert (len(done.memory_ids), done.left, done.title) == (250, (), "expired 250")
    assert desk.served() == {}
    assert search(desk.store, "Rule", scopes=None).total == 0
    history.undo(desk.store, by=ANN)
    assert len(desk.served()) == 250
    assert verify(desk.store) is None


def test_D110_what_has_moved_on_is_left_and_named_and_a_single_one_is_stale(desk: Desk) -> None:
    first, second = desk.hold_many("One", "Two")
    history.edit(desk.store, second.id, 1, second.entry.with_(content="Two, anew"), by=BOB)
    done = tending.expire(desk.store, [(first.id, 1), (second.id, 1)], by=ANN)
    assert done.memory_ids == (first.id,)
    assert done.left == ((second.id, "revision 1 has become 2"),)
    with pytest.raises(Stale):
        tending.expire(desk.store, [(second.id, 1)], by=ANN)
    with pytest.raises(NoneQualified):
        tending.expire(desk.store, [(first.id, 1), (second.id, 1)], by=ANN)
    assert desk.memory(second.id).status == "active"


def test_a_date_is_given_and_taken_and_one_undo_restores_what_stood(desk: Desk) -> None:
    first, second = desk.hold_many("One", "Two")
    day = desk.clock.now + timedelta(days=14)
    done = tending.until(desk.store, [(first.id, 1), (second.id, 1)], day, by=ANN)
    assert done.title == "set the end of 2"
    assert {desk.memory(one.id).entry.valid_until for one in (first, second)} == {day}
    assert desk.memory(first.id).previous_value is None
    history.undo(desk.store, by=ANN)
    assert desk.memory(first.id).entry.valid_until is None
    tending.until(desk.store, [(first.id, 3)], day, by=ANN)
    desk.clock.jump(days=15)
    assert list(desk.served().values()) == ["Two"]
    with pytest.raises(Conflict):
        tending.until(desk.store, [(second.id, 3)], day, by=ANN)
    assert verify(desk.store) is None


def test_moved_memories_are_given_in_the_other_scope_only_and_clashes_are_left(desk: Desk) -> None:
    held = desk.hold("Use uv", key="build.tool")
    same = desk.hold("Tabs, four wide")
    desk.hold("Use pip", key="build.tool", scope=GLOBAL)
    desk.hold("Tabs, four wide", scope=GLOBAL)
    free = desk.hold("Reports are short", key="style")
    done = tending.move(desk.store, [(one.id, 1) for one in (held, same, free)], GLOBAL, by=ANN)
    assert done.memory_ids == (free.id,)
    assert dict(done.left) == {
        held.id: "another memory there has the key build.tool",
        same.id: "another memory there says it already",
    }
    assert [len(items) for items in read(desk.store, ("shop", GLOBAL))] == [2, 3]
    assert [hit.memory.id for hit in search(desk.store, "Reports", scopes=(GLOBAL,)).hits] == [free.id]
    assert search(desk.store, "Reports", scopes=("shop",)).total == 0
    history.undo(desk.store, by=ANN)
    assert desk.memory(free.id).entry.scope == "shop"
    assert verify(desk.store) is None


def test_two_that_would_meet_in_one_scope_do_not_both_go(desk: Desk) -> None:
    first = desk.hold("Use uv", key="build.tool")
    second = desk.hold("Use pip", key="build.tool", scope="other")
    done = tending.move(desk.store, [(first.id, 1), (second.id, 1)], GLOBAL, by=ANN)
    assert (done.memory_ids, [one for one, _ in done.left]) == ((first.id,), [second.id])


def test_a_pin_and_its_undo_and_redo(desk: Desk) -> None:
    first, second = desk.hold_many("One", "Two")
    tending.pin(desk.store, [(first.id, 1)], True, by=ANN)
    done = tending.pin(desk.store, [(first.id, 2), (second.id, 1)], True, by=ANN)
    assert (done.memory_ids, done.left) == ((second.id,), ((first.id, "it is pinned already"),))
    history.undo(desk.store, by=ANN)
    assert [desk.memory(one.id).pinned for one in (first, second)] == [True, False]
    history.redo(desk.store, by=ANN)
    assert desk.memory(second.id).pinned
    tending.pin(desk.store, [(first.id, 2)], False, by=ANN)
    history.undo(desk.store, by=ANN)
    assert desk.memory(first.id).pinned
    with pytest.raises(Conflict):
        tending.pin(desk.store, [(first.id, desk.memory(first.id).revision)], True, by=ANN)
    assert verify(desk.store) is None
