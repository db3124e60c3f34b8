"""Undo and redo: exactly what stood before, by appending; refused whole where something later stands on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from store import history, queries, review
from store.errors import AlreadyDecided, Conflict, KeyTaken, LaterOperation, NotFound, NothingToUndo
from store.facts import Actor
from store.filters import parse
from store.verify import verify
from tests.contract.decisions import ANN, BOB, START, Desk


def _state(desk: Desk) -> Any:
    memories = {
        row["id"]: tuple(str(row[name]) for name in ("status", "content", "key", "scope", "previous_value"))
        for row in desk.rows("memory")
        if row["status"] != "deleted"
    }
    return memories, desk.queue(), desk.live_stones()


def test_undo_and_redo_of_every_kind_of_step_give_back_exactly_what_stood(desk: Desk) -> None:
    held = desk.hold("active voice", key="style.voice")
    update = desk.lay("passive voice", key="style.voice")
    rival = desk.lay("plain voice", key="style.voice")
    other = desk.lay("Use pnpm")
    steps = (
        lambda: review.defer(desk.store, desk.see(rival), by=ANN),
        lambda: review.place(desk.store, desk.see(other), by=ANN, valid_until=START + timedelta(days=7)),
        lambda: desk.approve(update),
        lambda: history.rollback(desk.store, held.id, 2, by=ANN),
        lambda: history.edit(
            desk.store, held.id, 3, desk.memory(held.id).entry.with_(content="own", key="voice"), by=ANN
        ),
        lambda: review.reject(desk.store, desk.see(other), by=ANN),
        lambda: history.delete(desk.store, held.id, 4, by=ANN),
    )
    states = [_state(desk)]
    for step in steps:
        step()
        states.append(_state(desk))
    for before in reversed(states[:-1]):
        history.undo(desk.store, by=ANN)
        assert _state(desk) == before
    for after in states[1:]:
        history.redo(desk.store, by=ANN)
        assert _state(desk) == after
    for before in reversed(states[:-1]):
        history.undo(desk.store, by=ANN)
        assert _state(desk) == before
    assert verify(desk.store) is None
    versions = desk.versions(held.id)
    assert [v.revision for v in versions] == list(range(1, len(versions) + 1))


def test_the_header_names_the_next_step_of_this_person_only(desk: Desk) -> None:
    assert history.next_undo(desk.store, ANN) is None
    with pytest.raises(NothingToUndo):
        history.undo(desk.store, by=ANN)
    desk.hold("A", key="a")
    desk.approve(desk.lay("B", key="b"), by=BOB)
    chosen = history.next_undo(desk.store, ANN)
    assert chosen is not None
    assert history.describe(desk.store, chosen) == "approved a"
    history.undo(desk.store, by=ANN)
    assert history.next_undo(desk.store, ANN) is None
    again = history.next_redo(desk.store, ANN)
    assert again is not None
    assert history.describe(desk.store, again) == "undid: approved a"
    assert history.next_redo(desk.store, BOB) is None
    history.redo(desk.store, by=ANN)
    assert history.next_redo(desk.store, ANN) is None
    with pytest.raises(NothingToUndo):
        history.redo(desk.store, by=ANN)


def test_what_no_person_did_is_never_chosen(desk: Desk) -> None:
    desk.hold("short", valid_until=START + timedelta(days=1))
    desk.clock.jump(days=2)
    desk.approve(desk.lay("B"), by=Actor("ann", "intake"))
    chosen = history.next_undo(desk.store, ANN)
    assert chosen is not None
    assert chosen.seq == 1


def test_undoing_a_step_twice_or_one_that_does_not_exist_changes_nothing(desk: Desk) -> None:
    done = desk.approve(desk.lay("A"))
    history.undo(desk.store, by=BOB, operation_id=done.operation.id)
    with pytest.raises(AlreadyDecided, match="bob"):
        history.undo(desk.store, by=ANN, operation_id=done.operation.id)
    with pytest.raises(NotFound):
        history.undo(desk.store, by=ANN, operation_id="no-such")
    with pytest.raises(Conflict):
        history.redo(desk.store, by=ANN, operation_id=desk.approve(desk.lay("B")).operation.id)


def test_an_old_step_that_was_undone_and_redone_can_be_undone_by_its_own_id(desk: Desk) -> None:
    done = desk.approve(desk.lay("A"))
    history.undo(desk.store, by=ANN)
    history.redo(desk.store, by=ANN)
    history.undo(desk.store, by=BOB, operation_id=done.operation.id)
    assert desk.served() == {}
    assert desk.memory(done.memory_ids[0]).status == "deleted"


def test_a_later_step_refuses_the_whole_and_offers_the_rest(desk: Desk) -> None:
    held = [desk.hold(f"fact {n}", key=f"k.{n}") for n in range(5)]
    deletion = history.delete_many(desk.store, [(m.id, 1) for m in held], by=ANN)
    history.rollback(desk.store, held[0].id, 2, by=BOB)
    before = _state(desk)
    with pytest.raises(LaterOperation) as caught:
        history.undo(desk.store, by=ANN)
    assert caught.value.blocked == (held[0].id,)
    assert set(caught.value.free) == {m.id for m in held[1:]}
    assert caught.value.todo == "Undo the other 4?"
    assert _state(desk) == before
    done = history.undo(desk.store, by=ANN, free_only=True)
    assert (done.operation.count, dict(done.left)) == (4, {held[0].id: "something later stands on it"})
    assert len(desk.served()) == 5
    assert not desk.live_stones()
    history.redo(desk.store, by=ANN)
    assert desk.served() == {held[0].id: "fact 0"}
    assert len(desk.live_stones()) == 4
    assert desk.operations()[-1].undoes == done.operation.id
    assert deletion.operation.count == 5
    assert verify(desk.store) is None


def test_a_memory_and_the_proposals_of_its_group_go_back_together_or_not_at_all(desk: Desk) -> None:
    first, rival, second = desk.lay("A", key="a"), desk.lay("A2", key="a"), desk.lay("B", key="b")
    done = review.approve_many(desk.store, [desk.see(rival), desk.see(second)], by=ANN)
    blocked = next(one for one in done.memory_ids if desk.memory(one).entry.key == "a")
    history.edit(desk.store, blocked, 1, desk.memory(blocked).entry.with_(content="A3"), by=BOB)
    with pytest.raises(LaterOperation) as caught:
        history.undo(desk.store, by=ANN)
    assert len(caught.value.free) == len(caught.value.blocked) == 1
    history.undo(desk.store, by=ANN, free_only=True)
    statuses = [desk.proposal(one).status for one in (first, rival, second)]
    assert statuses == ["superseded", "approved", "pending"]
    assert list(desk.served().values()) == ["A3"]


def test_what_came_back_is_named_before_what_had_only_given_way_to_it(desk: Desk) -> None:
    rivals = [desk.lay(content, key="tool") for content in ("Use pip", "Use uv", "Use poetry")]
    for chosen in rivals:
        desk.approve(chosen)
        assert history.undo(desk.store, by=ANN).proposal_ids[0] == chosen


def test_a_later_step_that_was_undone_stands_on_nothing(desk: Desk) -> None:
    memory = desk.hold("A")
    later = history.edit(desk.store, memory.id, 1, memory.entry.with_(content="B"), by=BOB)
    with pytest.raises(LaterOperation):
        history.undo(desk.store, by=ANN)
    history.undo(desk.store, by=BOB, operation_id=later.operation.id)
    history.undo(desk.store, by=ANN)
    assert desk.served() == {}
    with pytest.raises(LaterOperation):
        history.redo(desk.store, by=BOB)
    history.redo(desk.store, by=ANN)
    history.redo(desk.store, by=BOB)
    assert list(desk.served().values()) == ["B"]


def test_a_value_that_came_back_by_another_way_still_stands_on_the_step(desk: Desk) -> None:
    memory = desk.hold("A")
    history.delete(desk.store, memory.id, 1, by=BOB)
    history.rollback(desk.store, memory.id, 2, by=BOB)
    with pytest.raises(LaterOperation):
        history.undo(desk.store, by=ANN)


def test_the_clock_is_no_reason_to_keep_a_step(desk: Desk) -> None:
    proposed = desk.lay("freeze", valid_until=START + timedelta(days=1))
    memory_id = desk.approve(proposed).memory_ids[0]
    desk.clock.jump(days=2)
    history.undo(desk.store, by=ANN)
    assert [v.status for v in desk.versions(memory_id)] == ["active", "expired", "deleted"]
    assert desk.proposal(proposed).status == "pending"
    history.redo(desk.store, by=ANN)
    assert desk.memory(memory_id).status == "expired"


def test_keys_that_were_swapped_in_one_batch_are_swapped_back(desk: Desk) -> None:
    first, second = desk.hold("A", key="a"), desk.hold("B", key="b")
    asked = desk.lay_many([{"content": "A2", "target": first.id}, {"content": "B2", "target": second.id}])
    _swap(desk, first.id, second.id)
    keys = {desk.memory(one).entry.content: desk.memory(one).entry.key for one in (first.id, second.id)}
    assert keys == {"A": "b", "B": "a"}
    history.undo(desk.store, by=ANN)
    assert [desk.memory(one).entry.key for one in (first.id, second.id)] == ["a", "b"]
    history.redo(desk.store, by=ANN)
    assert [desk.memory(one).entry.key for one in (first.id, second.id)] == ["b", "a"]
    assert {desk.proposal(one).status for one in asked} == {"pending"}
    assert verify(desk.store) is None


def _swap(desk: Desk, first: str, second: str) -> None:
    from store.ledger import Act

    one, other = desk.memory(first), desk.memory(second)
    with desk.store.write() as connection:
        act = Act(desk.store, connection, ANN, "edit")
        act.change(one, one.entry.with_(key=other.entry.key))
        act.change(other, other.entry.with_(key=one.entry.key))
        act.commit()


def test_undo_of_an_approved_removal_meets_a_taken_key(desk: Desk) -> None:
    memory = desk.hold("old", key="k")
    removal = desk.approve(desk.lay("(remove)", op="remove", target=memory.id))
    new = desk.hold("new", key="k")
    with pytest.raises(KeyTaken) as caught:
        history.undo(desk.store, by=ANN, operation_id=removal.operation.id)
    assert (caught.value.holder, caught.value.mine) == (new, "old")
    assert desk.served() == {new.id: "new"}
    assert verify(desk.store) is None


@contextmanager
def _counted(desk: Desk) -> Iterator[list[str]]:
    said: list[str] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        said.append(statement)

    engine = desk.store.engine
    event.listen(engine, "before_cursor_execute", count)
    try:
        yield said
    finally:
        event.remove(engine, "before_cursor_execute", count)


@pytest.mark.long
def test_undo_takes_the_same_number_of_statements_whatever_the_size(desk: Desk) -> None:
    numbers = []
    for size in (3, 700):
        asked = desk.lay_many([{"content": f"{size} fact {n}", "key": f"k{size}.{n}"} for n in range(size)])
        done = review.approve_many(desk.store, [desk.see(one) for one in asked], by=ANN)
        history.delete_many(desk.store, [(one, 1) for one in done.memory_ids], by=ANN)
        for turn in (history.undo, history.redo, history.undo):
            with _counted(desk) as said:
                turn(desk.store, by=ANN)
            numbers.append(len(said))
        with _counted(desk) as said:
            history.undo(desk.store, by=ANN, operation_id=done.operation.id)
        numbers.append(len(said))
    assert numbers[:4] == numbers[4:]
    assert max(numbers) < 40


def test_a_text_that_was_taken_up_since_stands_on_the_step_that_turned_it_down(desk: Desk) -> None:
    refused = review.reject(desk.store, desk.see(desk.lay("Use tabs")), by=ANN)
    held = desk.approve(desk.lay("Use tabs"), by=BOB)
    with pytest.raises(LaterOperation):
        history.undo(desk.store, by=ANN)
    history.undo(desk.store, by=BOB, operation_id=held.operation.id)
    assert len(desk.live_stones()) == 1
    history.undo(desk.store, by=ANN)
    assert not desk.live_stones()
    assert history.next_undo(desk.store, ANN) is None
    assert refused.operation.count == 1


def test_what_was_undone_leaves_no_proposal_marked_as_moved_on(desk: Desk) -> None:
    """I11: the queue is again what it was, flags included; the filter by flag says the same."""
    held = desk.hold("Port 5432", key="db.port")
    waiting = desk.lay("Port 5433", key="db.port")

    def marked() -> tuple[bool, int]:
        (shown,) = queries.queue_rows(desk.store, [waiting])
        found = queries.queue_ids(desk.store, parse("flag:stale_base"), scopes=None, since=None)
        return "stale_base" in {flag.code for flag in shown.flags}, len(found)

    assert marked() == (False, 0)
    history.delete(desk.store, held.id, held.revision, by=ANN)
    assert marked() == (True, 1)
    history.undo(desk.store, by=ANN)
    assert marked() == (False, 0)
    (shown,) = queries.queue_rows(desk.store, [waiting])
    assert shown.target is not None
    history.edit(desk.store, held.id, shown.target.revision, held.entry.with_(content="Port 5434"), by=ANN)
    assert marked() == (True, 1)


def test_a_redo_that_somebody_took_back_can_be_done_once_more(desk: Desk) -> None:
    """Later acts that cancel each other out stand on nothing, however often it went back and forth."""
    waiting = desk.lay("Use tabs")
    review.reject(desk.store, desk.see(waiting), by=BOB)
    history.undo(desk.store, by=BOB)
    history.redo(desk.store, by=BOB)
    history.undo(desk.store, by=BOB)
    redone = history.redo(desk.store, by=BOB)
    history.undo(desk.store, by=ANN, operation_id=redone.operation.id)
    assert desk.proposal(waiting).status == "pending"
    history.redo(desk.store, by=BOB)
    assert desk.proposal(waiting).status == "rejected"
    assert verify(desk.store) is None
