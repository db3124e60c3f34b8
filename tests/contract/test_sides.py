"""Two values for one key: what stands on the live side, and both kept under two keys."""

from __future__ import annotations

import pytest

from store import history, review, sides
from store.errors import Conflict, KeyTaken, Stale
from store.raw import NotAdmitted
from store.verify import verify
from tests.contract.decisions import ANN, BOB, Desk


def test_both_are_kept_under_two_keys_and_one_undo_takes_the_second_away(desk: Desk) -> None:
    live = desk.hold("Reports in the active voice", key="style.voice", aliases=("tone",))
    asked = desk.lay("Reports in the passive voice", key="style.voice")
    other = desk.lay("Reports in verse", key="style.voice")
    before = desk.queue()
    done = sides.keep_both(desk.store, desk.see(asked), "style.voice.customers", by=ANN)
    assert done.title == "approved style.voice.customers"
    assert desk.memory(live.id) == live
    (second,) = done.memory_ids
    made = desk.memory(second)
    assert (made.entry.key, made.entry.content, made.entry.aliases, made.revision) == (
        "style.voice.customers",
        "Reports in the passive voice",
        (),
        1,
    )
    assert [desk.proposal(one).status for one in (asked, other)] == ["approved", "pending"]
    history.undo(desk.store, by=ANN)
    assert desk.queue() == before
    assert desk.served() == {live.id: live.entry.content}
    assert verify(desk.store) is None


def test_the_second_key_must_be_free_and_within_the_grammar(desk: Desk) -> None:
    desk.hold("PostgreSQL 16", key="db.engine")
    desk.hold("Redis 7", key="cache.engine")
    asked = desk.lay("SQLite", key="db.engine")
    for key in ("db.engine", "cache.engine"):
        with pytest.raises(KeyTaken):
            sides.keep_both(desk.store, desk.see(asked), key, by=ANN)
    with pytest.raises(NotAdmitted):
        sides.keep_both(desk.store, desk.see(asked), "Not a key", by=ANN)
    assert desk.proposal(asked).status == "pending"


def test_a_live_value_that_has_moved_on_is_shown_and_nothing_is_kept(desk: Desk) -> None:
    live = desk.hold("PostgreSQL 16", key="db.engine")
    asked = desk.lay("SQLite", key="db.engine")
    seen = desk.see(asked)
    history.edit(desk.store, live.id, live.revision, live.entry.with_(content="PostgreSQL 17"), by=BOB)
    with pytest.raises(Stale) as caught:
        sides.keep_both(desk.store, seen, "db.local", by=ANN)
    assert caught.value.theirs == "PostgreSQL 17"


def test_what_replaces_nothing_has_no_second_side(desk: Desk) -> None:
    asked = desk.lay("Redis 7", key="cache.engine")
    with pytest.raises(Conflict):
        sides.keep_both(desk.store, desk.see(asked), "cache.other", by=ANN)
    held = desk.hold("Use tabs", key="style.tabs")
    removal = desk.lay("(remove)", op="remove", target=held.id)
    with pytest.raises(Conflict):
        sides.keep_both(desk.store, desk.see(removal), "style.other", by=ANN)


def test_the_live_side_tells_who_set_it_and_what_bore_it_out(desk: Desk) -> None:
    first = desk.lay("PostgreSQL 16", key="db.engine", session_id="one")
    done = review.approve(desk.store, desk.see(first), by=ANN)
    side = sides.live(desk.store, done.memory_ids[0])
    assert [version.actor for version in side.versions] == ["ann"]
    assert side.memory.entry.content == "PostgreSQL 16"
    assert {**side.support, **side.claimed} == {"session": 1}
