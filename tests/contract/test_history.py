"""Edit, delete and rollback of memories; the versions they leave."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from store import history, review
from store.entry import fingerprint
from store.errors import AlreadyKnown, Conflict, KeyTaken, NoneQualified, NotFound, Stale
from store.facts import Memory
from store.verify import verify
from tests.contract.decisions import ANN, BOB, START, TABLES, Desk


def _edit(desk: Desk, memory: Memory, content: str) -> Memory:
    history.edit(desk.store, memory.id, memory.revision, memory.entry.with_(content=content), by=ANN)
    return desk.memory(memory.id)


def test_D007_rollback_of_a_live_memory_gives_the_previous_value_and_a_second_one_undoes_it(desk: Desk) -> None:
    memory = desk.hold("A")
    memory = _edit(desk, _edit(desk, memory, "B"), "C")
    done = history.rollback(desk.store, memory.id, 3, by=ANN)
    assert (desk.memory(memory.id).entry.content, done.title) == ("B", "rolled back “B”")
    history.rollback(desk.store, memory.id, 4, by=ANN)
    assert desk.memory(memory.id).entry.content == "C"
    told = [(v.revision, v.action, v.entry.content) for v in desk.versions(memory.id) if v.entry]
    assert told == [(1, "approve", "A"), (2, "edit", "B"), (3, "edit", "C"), (4, "rollback", "B"), (5, "rollback", "C")]
    assert verify(desk.store) is None


def test_rollback_to_any_version_keeps_the_present_key_and_takes_all_else(desk: Desk) -> None:
    memory = desk.hold("one", key="old.key", kind="preference", evidence="said so", aliases=("k8s",))
    first = memory.entry
    history.edit(desk.store, memory.id, 1, memory.entry.with_(content="two", key="new.key", kind="fact"), by=ANN)
    memory = _edit(desk, desk.memory(memory.id), "three")
    history.rollback(desk.store, memory.id, 3, by=ANN, to=1)
    after = desk.memory(memory.id)
    assert after.entry == first.with_(key="new.key")
    assert (after.previous_value, after.revision) == ("three", 4)


def test_rollback_turns_the_text_down_for_agents_and_lifts_what_it_brings_back(desk: Desk) -> None:
    memory = _edit(desk, desk.hold("A"), "B")
    history.rollback(desk.store, memory.id, 2, by=ANN)
    assert desk.live_stones() == {fingerprint("shop", "add", "B")}
    assert [row["cause"] for row in desk.rows("tombstone")] == ["rolled_back"]
    history.rollback(desk.store, memory.id, 3, by=ANN)
    assert desk.live_stones() == {fingerprint("shop", "add", "A")}
    history.undo(desk.store, by=ANN)
    assert desk.live_stones() == {fingerprint("shop", "add", "B")}


def test_rollback_is_refused_where_there_is_nothing_to_bring_back(desk: Desk) -> None:
    memory = desk.hold("A")
    with pytest.raises(NotFound, match="no earlier value"):
        history.rollback(desk.store, memory.id, 1, by=ANN)
    for to in (0, 2, 99):
        with pytest.raises(NotFound, match="no revision"):
            history.rollback(desk.store, memory.id, 1, by=ANN, to=to)
    with pytest.raises(Conflict, match="stands now"):
        history.rollback(desk.store, memory.id, 1, by=ANN, to=1)
    with pytest.raises(NotFound):
        history.rollback(desk.store, "no-such", 1, by=ANN)
    assert desk.memory(memory.id) == memory


def test_rollback_to_an_erased_version_is_refused(desk: Desk) -> None:
    memory = _edit(desk, desk.hold("A"), "B")
    table = TABLES["version"]
    with desk.store.write() as connection:
        blank = {"entry": None, "previous_value": None, "salt": None}
        connection.execute(update(table).where(table.c.revision == 1).values(**blank))
    with pytest.raises(Conflict, match="erased"):
        history.rollback(desk.store, memory.id, 2, by=ANN, to=1)
    with pytest.raises(NotFound):
        history.rollback(desk.store, memory.id, 2, by=ANN)
    with pytest.raises(Conflict, match="erased"):
        history.undo(desk.store, by=ANN)
    assert desk.memory(memory.id).entry.content == "B"


def test_rollback_of_a_deleted_memory_brings_it_back_as_it_was(desk: Desk) -> None:
    memory = desk.hold("A", key="k")
    history.delete(desk.store, memory.id, 1, by=BOB)
    assert desk.live_stones() == {fingerprint("shop", "add", "A")}
    history.rollback(desk.store, memory.id, 2, by=ANN)
    after = desk.memory(memory.id)
    assert (after.status, after.entry, after.revision) == ("active", memory.entry, 3)
    assert not desk.live_stones()


def test_D010_restoring_a_deleted_key_that_a_newer_memory_took_shows_both_and_replaces_nothing(desk: Desk) -> None:
    old = desk.hold("PostgreSQL 14", key="db.engine")
    deletion = history.delete(desk.store, old.id, 1, by=ANN)
    new = desk.hold("SQLite", key="db.engine")
    tries = (
        lambda: history.undo(desk.store, by=ANN, operation_id=deletion.operation.id),
        lambda: history.rollback(desk.store, old.id, 2, by=ANN),
        lambda: history.rollback(desk.store, old.id, 2, by=ANN, to=1),
    )
    log = desk.operations()
    for attempt in tries:
        with pytest.raises(KeyTaken) as caught:
            attempt()
        assert (caught.value.holder, caught.value.mine) == (new, "PostgreSQL 14")
        assert caught.value.kept == "Nothing was replaced."
    assert desk.served() == {new.id: "SQLite"}
    assert desk.operations() == log
    history.edit(desk.store, new.id, 1, new.entry.with_(key="cache.engine"), by=ANN)
    history.rollback(desk.store, old.id, 2, by=ANN)
    assert desk.served() == {new.id: "SQLite", old.id: "PostgreSQL 14"}


def test_D011_after_five_edits_every_version_can_be_read_without_restoring(desk: Desk) -> None:
    memory = desk.hold("text 1")
    for number in range(2, 7):
        memory = _edit(desk, memory, f"text {number}")
    told = {v.revision: v.entry.content for v in desk.versions(memory.id) if v.entry}
    assert told == {n: f"text {n}" for n in range(1, 7)}
    assert desk.memory(memory.id) == memory


def test_D045_a_stale_editor_is_refused_with_base_mine_and_theirs_and_both_texts_survive(desk: Desk) -> None:
    memory = _edit(desk, _edit(desk, desk.hold("v1"), "v2"), "v3")
    done = history.edit(desk.store, memory.id, 3, memory.entry.with_(content="v4 by cli"), by=BOB)
    with pytest.raises(Stale) as caught:
        history.edit(desk.store, memory.id, 3, memory.entry.with_(content="v4 by editor"), by=ANN)
    lost = caught.value
    assert (lost.base, lost.mine, lost.theirs, lost.by) == ("v3", "v4 by editor", "v4 by cli", done.operation)
    assert "bob (cli)" in str(lost)
    assert desk.memory(memory.id).entry.content == "v4 by cli"
    for late in (
        lambda: history.delete(desk.store, memory.id, 3, by=ANN),
        lambda: history.rollback(desk.store, memory.id, 3, by=ANN),
    ):
        with pytest.raises(Stale):
            late()


def test_an_edit_that_changes_nothing_is_told_so(desk: Desk) -> None:
    memory = desk.hold("A")
    with pytest.raises(AlreadyKnown):
        history.edit(desk.store, memory.id, 1, memory.entry, by=ANN)
    assert desk.memory(memory.id) == memory


def test_an_edit_to_what_another_says_or_to_its_key_is_refused(desk: Desk) -> None:
    first, second = desk.hold("A", key="a"), desk.hold("B", key="b")
    with pytest.raises(AlreadyKnown):
        history.edit(desk.store, second.id, 1, second.entry.with_(content="A"), by=ANN)
    with pytest.raises(KeyTaken) as caught:
        history.edit(desk.store, second.id, 1, second.entry.with_(key="a"), by=ANN)
    assert caught.value.holder == first


def test_previous_value_is_the_content_before_the_last_change_of_content(desk: Desk) -> None:
    memory = _edit(desk, desk.hold("A"), "B")
    history.edit(desk.store, memory.id, 2, memory.entry.with_(kind="decision"), by=ANN)
    assert desk.memory(memory.id).previous_value == "A"
    history.delete(desk.store, memory.id, 3, by=ANN)
    assert desk.memory(memory.id).previous_value == "A"


def test_an_expired_memory_comes_back_through_an_edit_of_its_date(desk: Desk) -> None:
    memory = desk.hold("freeze", valid_until=START + timedelta(days=1))
    desk.clock.jump(days=2)
    desk.hold("something else")
    with pytest.raises(Conflict, match="another date"):
        history.rollback(desk.store, memory.id, 2, by=ANN)
    later = desk.clock.now + timedelta(days=1)
    history.edit(desk.store, memory.id, 2, memory.entry.with_(valid_until=later), by=ANN)
    assert desk.memory(memory.id).status == "active"


def test_what_is_deleted_is_not_edited_nor_deleted_again(desk: Desk) -> None:
    memory = desk.hold("A")
    history.delete(desk.store, memory.id, 1, by=ANN, reason="wrong")
    with pytest.raises(Conflict, match="Bring it back"):
        history.edit(desk.store, memory.id, 2, memory.entry.with_(content="B"), by=ANN)
    with pytest.raises(Conflict, match="already"):
        history.delete(desk.store, memory.id, 2, by=ANN)
    assert desk.operations()[-1].reason == "wrong"


def test_a_batch_of_deletions_is_one_operation_and_names_what_it_left(desk: Desk) -> None:
    held = [desk.hold(f"fact {n}") for n in range(5)]
    _edit(desk, held[0], "moved")
    chosen = [(memory.id, 1) for memory in held] + [("no-such", 1)]
    done = history.delete_many(desk.store, chosen, by=ANN)
    assert (done.operation.count, done.title) == (4, "deleted 4")
    assert dict(done.left) == {held[0].id: "revision 1 has become 2", "no-such": "there is no such memory"}
    assert list(desk.served().values()) == ["moved"]
    with pytest.raises(NoneQualified) as caught:
        history.delete_many(desk.store, chosen, by=ANN)
    assert len(caught.value.left) == 6
    history.undo(desk.store, by=ANN)
    assert len(desk.served()) == 5
    assert not desk.live_stones()


def test_words_for_people_name_the_key_or_the_beginning_of_the_text(desk: Desk) -> None:
    memory = desk.hold("A", key="style.voice")
    approved = desk.operations()[-1]
    assert history.describe(desk.store, approved) == "approved style.voice"
    removal = desk.approve(desk.lay("(remove)", op="remove", target=memory.id))
    assert removal.title == "approved the removal of “(remove)”"
    long = desk.hold("Write reports in the passive\nvoice, and in short sentences")
    assert history.describe(desk.store, desk.operations()[-1]) == "approved “Write reports in the passive vo…”"
    history.edit(desk.store, long.id, 1, long.entry.with_(content="short"), by=ANN)
    undone = history.undo(desk.store, by=ANN)
    assert undone.title == "undid: edited “short”"
    assert history.redo(desk.store, by=ANN).title == "redid: edited “short”"


def test_the_clock_flips_what_is_due_once_and_a_clock_set_back_changes_nothing(desk: Desk) -> None:
    memory = desk.hold("freeze", key="freeze", valid_until=START + timedelta(days=1))
    desk.clock.jump(days=3)
    other = desk.hold("new freeze", key="freeze")
    assert desk.memory(memory.id).status == "expired"
    desk.clock.jump(days=-30)
    desk.hold("unrelated")
    assert desk.served()[other.id] == "new freeze"
    assert memory.id not in desk.served()
    assert [o.seq for o in desk.operations()] == list(range(1, len(desk.operations()) + 1))
    assert verify(desk.store) is None
    review.withdraw(desk.store, desk.see(desk.lay("x")), by=ANN)
