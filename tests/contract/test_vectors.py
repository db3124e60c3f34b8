"""Vectors: what gets one and when, exact search among them, and that nothing stale or foreign ever comes back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select, update

from store import history, index_work, indexing, review, undo, vectors
from store.engine import Store
from store.errors import Conflict, NothingToUndo, UsageError
from store.facts import Memory
from store.indexing import Progress
from store.vector_rows import EMBEDDING
from store.verify import verify
from tests.contract.decisions import ANN, Desk
from tests.contract.vector_kit import Letters

DB = "The staging database listens on port 5433"
TABS = "Indent with tabs in every Makefile"


def index(store: Store, encoder: Letters, **how: Any) -> Progress:
    """Steps until nothing is left."""
    for _ in range(200):
        told = indexing.step(store, encoder, **how)
        if told.complete:
            return told
    raise AssertionError("indexing does not end")


def near(store: Store, encoder: Letters, text: str, **how: Any) -> list[str]:
    how.setdefault("scopes", ("shop",))
    return [one.id for one in vectors.nearest(store, encoder, encoder.encode([text])[0], **how)]


def approved(desk: Desk, content: str, **said: Any) -> Memory:
    return desk.hold(content, **said)


def edited(desk: Desk, memory: Memory, text: str) -> Memory:
    changed = memory.entry.with_(content=text)
    history.edit(desk.store, memory.id, memory.revision, changed, by=ANN)
    return desk.memory(memory.id)


def deleted(desk: Desk, memory: Memory) -> None:
    memory = desk.memory(memory.id)
    history.delete(desk.store, memory.id, memory.revision, by=ANN)


def undone(desk: Desk) -> None:
    undo.undo(desk.store, by=ANN)


def rows(store: Store) -> list[Any]:
    with store.read() as connection:
        return list(connection.execute(select(EMBEDDING).order_by(EMBEDDING.c.owner_id)).all())


def test_what_waits_and_what_is_known_gets_a_vector_newest_first(store: Store, desk: Desk) -> None:
    encoder = Letters()
    for n in range(3):
        approved(desk, f"Service {n} is written in Go")
    waiting = desk.lay_many([{"content": f"Service {n} logs to stderr"} for n in range(5)])
    first = indexing.step(store, encoder, limit=2)
    assert (first.done, first.total, first.complete) == (2, 8, False)
    assert set(first.encoded) == set(waiting[-2:])
    assert index(store, encoder, limit=2) == Progress(8, 8)
    assert len(encoder.encoded) == 8
    assert {row.dim for row in rows(store)} == {64}
    assert {row.model_key for row in rows(store)} == {encoder.key}


def test_the_item_on_the_screen_goes_first(store: Store, desk: Desk) -> None:
    encoder = Letters()
    waiting = desk.lay_many([{"content": f"Service {n} logs to stderr"} for n in range(9)])
    assert indexing.step(store, encoder, first=[waiting[0], "no such id"], limit=1).encoded == (waiting[0],)


def test_one_text_is_encoded_once_whoever_says_it(store: Store, desk: Desk) -> None:
    encoder = Letters()
    waiting = desk.lay(DB)
    desk.lay(DB, scope="elsewhere", session_id="s2")
    index(store, encoder)
    memory = desk.memory(desk.approve(waiting).memory_ids[0])
    index(store, encoder)
    assert encoder.encoded == [DB]
    assert near(store, encoder, DB) == [memory.id]


def test_an_edited_text_gets_a_new_vector_and_its_old_one_is_never_looked_at(store: Store, desk: Desk) -> None:
    encoder = Letters()
    memory = approved(desk, DB)
    index(store, encoder)
    assert near(store, encoder, DB) == [memory.id]
    edited(desk, memory, TABS)
    assert near(store, encoder, DB) == []
    assert vectors.vectors_of(store, encoder, [memory.id]) == {}
    index(store, encoder)
    assert near(store, encoder, TABS) == [memory.id]
    assert list(vectors.vectors_of(store, encoder, [memory.id])) == [memory.id]


@pytest.mark.parametrize("warm", [True, False])
def test_only_the_scopes_kinds_and_statuses_asked_for_come_back(store: Store, desk: Desk, warm: bool) -> None:
    encoder = Letters()
    mine = approved(desk, DB)
    preferred = approved(desk, f"{DB}, I prefer that", kind="preference")
    other = approved(desk, DB, scope="elsewhere")
    waiting = desk.lay(f"{DB} now")
    refused = desk.lay(f"{DB} too")
    review.reject(store, desk.see(refused), by=ANN)
    if warm:
        index(store, encoder)
        near(store, encoder, DB, scopes=None)
        near(store, encoder, DB)
    index(store, encoder)
    for once in (False, True):
        assert near(store, encoder, DB, once=once) == [mine.id, preferred.id]
        assert near(store, encoder, DB, kinds=("preference",), once=once) == [preferred.id]
    assert set(near(store, encoder, DB, scopes=None)) == {mine.id, preferred.id, other.id}
    assert near(store, encoder, DB, scopes=()) == []
    assert near(store, encoder, DB, owners="proposal") == [waiting]
    assert near(store, encoder, DB, owners="proposal", statuses=("rejected",)) == [refused]
    assert near(store, encoder, DB, exclude={mine.id}) == [preferred.id]
    assert near(store, encoder, DB, limit=1) == [mine.id]
    assert near(store, encoder, "zzzz qqqq", least=0.5) == []


def test_a_memory_past_its_date_is_an_expired_one_before_it_is_flipped(store: Store, desk: Desk) -> None:
    encoder = Letters()
    memory = approved(desk, DB, valid_until=desk.clock.now.replace(year=2027))
    index(store, encoder)
    assert near(store, encoder, DB) == [memory.id]
    desk.clock.jump(days=800)
    assert near(store, encoder, DB) == []
    assert near(store, encoder, DB, statuses=("expired",)) == [memory.id]


def test_what_is_deleted_is_not_found_loses_its_vector_and_gets_it_back_by_undo(store: Store, desk: Desk) -> None:
    encoder = Letters()
    memory = approved(desk, DB)
    index(store, encoder)
    assert near(store, encoder, DB) == [memory.id]
    deleted(desk, desk.memory(memory.id))
    assert near(store, encoder, DB) == []
    index(store, encoder)
    indexing.step(store, encoder)
    assert rows(store) == []
    undone(desk)
    index(store, encoder)
    assert near(store, encoder, DB) == [memory.id]


def test_a_batch_of_changes_in_a_warm_view_is_taken_in(store: Store, desk: Desk) -> None:
    encoder = Letters()
    ids = [approved(desk, f"{DB} of host {n}").id for n in range(12)]
    index(store, encoder)
    assert set(near(store, encoder, DB, limit=20)) == set(ids)
    edited(desk, desk.memory(ids[0]), TABS)
    deleted(desk, desk.memory(ids[1]))
    added = approved(desk, f"{DB} of host 99").id
    index(store, encoder)
    assert set(near(store, encoder, DB, limit=20)) == {*ids, added} - {ids[1]}
    assert near(store, encoder, TABS, limit=1) == [ids[0]]


def test_vectors_of_two_models_are_never_compared(store: Store, desk: Desk) -> None:
    encoder = Letters()
    memory = approved(desk, DB)
    index(store, encoder)
    for other in (Letters(dim=96), Letters(pooling="cls"), Letters(prompt="query: "), Letters(name="numbers")):
        assert near(store, other, DB) == []
        index(store, other)
        assert near(store, other, DB) == near(store, encoder, DB) == [memory.id]
        assert indexing.kept(store) == {encoder.key: 1, other.key: 1}
        assert indexing.forget_others(store, encoder.key) == 1
    assert indexing.kept(store) == {encoder.key: 1}


def test_D093_after_a_change_of_model_everything_can_still_be_decided(store: Store, desk: Desk) -> None:
    small, large = Letters(dim=384, name="small"), Letters(dim=768, name="large")
    memory = approved(desk, DB, key="db.port")
    waiting, refused = desk.lay(TABS), desk.lay("Deploy on Fridays")
    index(store, small)
    near(store, small, DB)
    # From here on the model is another one, and nothing has a vector of it yet.
    assert indexing.progress(store, large.key) == Progress(0, 3)
    memory = edited(desk, memory, f"{DB}, on host db2")
    history.rollback(store, memory.id, memory.revision, to=1, by=ANN)
    review.reject(store, desk.see(refused), by=ANN)
    desk.approve(waiting)
    deleted(desk, memory)
    undone(desk)
    assert verify(store) is None
    told = indexing.step(store, large, limit=1)
    assert not told.complete
    index(store, large, limit=1)
    assert near(store, large, DB)[0] == memory.id
    assert indexing.progress(store, large.key).complete


def test_two_that_index_at_once_do_the_work_once(store: Store, desk: Desk) -> None:
    mine, theirs = Letters(), Letters()
    desk.lay_many([{"content": f"Service {n} logs to stderr"} for n in range(10)])
    indexing.step(store, mine, limit=2)
    index_work.forget(store)  # as in another process
    index(store, theirs)
    assert len(mine.encoded) + len(theirs.encoded) == 10


def test_a_stored_vector_that_is_not_whole_is_left_out_and_made_again_elsewhere(store: Store, desk: Desk) -> None:
    encoder = Letters()
    memory = approved(desk, DB)
    index(store, encoder)
    with store.write() as connection:
        connection.execute(update(EMBEDDING).values(vector=b"\x00\x01\x02"))
    assert near(store, encoder, DB) == []
    assert vectors.vectors_of(store, encoder, [memory.id]) == {}
    approved(desk, DB, scope="elsewhere")
    index(store, encoder)
    assert near(store, encoder, DB, scopes=("elsewhere",)) != []


def act(desk: Desk, chance: random.Random, number: int) -> None:
    """One thing that somebody may do, by chance."""
    memories = [row for row in desk.rows("memory") if row["status"] == "active"]
    waiting = [row["id"] for row in desk.rows("proposal") if row["status"] == "pending"]
    memory = desk.memory(chance.choice(memories)["id"]) if memories else None
    what = chance.randrange(8)
    if what < 2 or memory is None:
        desk.lay(f"{chance.choice((DB, TABS))} and {number % 7}", scope=chance.choice(("shop", "global", "elsewhere")))
    elif what == 2:
        desk.hold(f"Host {number} is a mirror", scope=chance.choice(("shop", "global", "elsewhere")))
    elif what == 3:
        edited(desk, memory, f"{TABS}, says {number}")
    elif what == 4:
        deleted(desk, memory)
    elif what == 5 and waiting:
        review.reject(desk.store, desk.see(chance.choice(waiting)), by=ANN)
    elif what == 6 and waiting:
        review.defer(desk.store, desk.see(chance.choice(waiting)), by=ANN)
    else:
        undone(desk)


def seen(store: Store, encoder: Letters, views: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    asked = encoder.encode([DB])[0]
    found = [vectors.nearest(store, encoder, asked, limit=50, **view) for view in views]
    once = [vectors.nearest(store, encoder, asked, limit=50, once=True, **view) for view in views]
    assert [[one.id for one in part] for part in once] == [[one.id for one in part] for part in found]
    return [{one.id: pytest.approx(one.cos, abs=1e-5) for one in part} for part in found]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)])
def test_a_warm_view_says_what_a_cold_one_says_whatever_was_done(store: Store, desk: Desk, seed: int) -> None:
    encoder, chance = Letters(), random.Random(seed)
    views: list[dict[str, Any]] = [
        {"scopes": ("shop", "global")},
        {"scopes": None, "statuses": ("active", "expired", "retired")},
        {"scopes": ("shop", "global"), "owners": "proposal"},
        {"scopes": None, "owners": "proposal", "statuses": ("rejected", "deferred")},
    ]
    for number in range(25):
        with suppress(NothingToUndo, Conflict):
            act(desk, chance, number)
        if chance.random() < 0.6:
            indexing.step(store, encoder, limit=chance.choice((1, 50)))
        warm = seen(store, encoder, views)
        if chance.random() < 0.3:
            vectors.drop(store)
            assert seen(store, encoder, views) == warm
    index(store, encoder)
    warm = seen(store, encoder, views)
    vectors.drop(store)
    index_work.forget(store)
    assert indexing.step(store, encoder).encoded == ()
    assert seen(store, encoder, views) == warm
    assert indexing.progress(store, encoder.key).complete


def test_search_is_exact(store: Store, desk: Desk) -> None:
    encoder = Letters()
    said = [f"Rule {n * 7919 % 1000} about {'abcdefghij'[n % 10] * 3}" for n in range(120)]
    desk.lay_many([{"content": one} for one in said])
    index(store, encoder, limit=500)
    asked = encoder.encode(["Rule 77 about ccc"])[0]
    found = vectors.nearest(store, encoder, asked, owners="proposal", scopes=None, limit=30)
    right = np.sort(encoder.encode(said) @ asked)[::-1][:30]
    assert np.allclose([one.cos for one in found], right, atol=2e-3)


def test_what_cannot_be_asked_is_said(store: Store) -> None:
    encoder = Letters()
    asked = encoder.encode([DB])[0]
    wrong: Sequence[dict[str, Any]] = (
        {"statuses": ("deleted",)},
        {"statuses": ("pending",)},
        {"kinds": ("poem",)},
        {"owners": "proposal", "statuses": ("approved",)},
    )
    for how in wrong:
        with pytest.raises(UsageError):
            vectors.nearest(store, encoder, asked, scopes=None, **how)
    with pytest.raises(UsageError):
        vectors.nearest(store, encoder, asked[:10], scopes=None)


def test_likeness_begins_where_unrelated_texts_end() -> None:
    assert vectors.sim(1.0, 0.2) == 1.0
    assert vectors.sim(0.2, 0.2) == 0.0
    assert vectors.sim(0.1, 0.2) < 0
