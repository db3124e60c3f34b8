"""What may be found of the memories, and what never is: scopes, statuses, what was approved, ages; on both engines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, text, update

from store import candidates, history, retrieval, review
from store.entry import content_hash
from store.errors import NotFound, StoreDamaged, UsageError
from store.facts import Memory
from store.memory_rows import memory_columns
from tests.contract.decisions import ANN, Desk
from tests.contract.finding import HERE, MEMORY, needed, search, texts, touch, use

# -- ages


def test_D068_every_reply_says_how_long_ago_a_memory_was_verified(desk: Desk) -> None:
    desk.hold("Deploy on Mondays", key="deploy.day")
    desk.clock.jump(days=150)
    (hit,) = search(desk, "Mondays").hits
    (task,) = retrieval.needed(desk.store, "When do we deploy?", scopes=HERE)
    (told,) = retrieval.everything(desk.store, HERE).items
    assert hit.age_words == task.age_words == told.age_words == "verified 5 months ago"
    assert hit.verified_at == desk.clock.now - timedelta(days=150)


def test_D068_taking_back_a_deletion_makes_nothing_fresh_and_a_change_does(desk: Desk) -> None:
    held = desk.hold("Deploy on Mondays")
    desk.clock.jump(days=150)
    history.delete(desk.store, held.id, 1, by=ANN)
    history.undo(desk.store, by=ANN)
    assert search(desk, "Mondays").hits[0].age_words == "verified 5 months ago"
    history.edit(desk.store, held.id, 3, held.entry.with_(content="Deploy on Mondays at ten"), by=ANN)
    assert search(desk, "Mondays").hits[0].age_words == "verified less than a day ago"
    desk.clock.jump(days=30)
    use(desk, held.id, last_verified=desk.clock.now - timedelta(days=3), uses=7)
    (hit,) = search(desk, "Mondays").hits
    assert (hit.age_words, hit.uses) == ("verified 3 days ago", 7)


# -- scopes and statuses


def test_D077_nothing_of_another_project_is_found_on_any_way(desk: Desk) -> None:
    held = desk.hold("unique token", key="a.secret", aliases=("hush",), paths=("src/only_here.py",))
    wide = desk.hold("unique everywhere", scope="global")
    other = ("billing", "global")
    asked = ("unique token", "token", held.id, held.id[-6:], "a.secret", "hush", "src/only_here.py", "only_here.py")
    for query in asked:
        assert held.id in [hit.memory.id for hit in search(desk, query).hits], query
        assert held.id not in [hit.memory.id for hit in search(desk, query, scopes=other, limit=50).hits], query
        assert held.id not in [hit.memory.id for hit in retrieval.needed(desk.store, query, scopes=other)], query
        assert held.id in [hit.memory.id for hit in search(desk, query, scopes=None).hits], query
    for token in (held.id, held.id[-6:], held.id[-4:], "a.secret"):
        assert retrieval.get(desk.store, token, scopes=HERE) == held
        assert retrieval.get(desk.store, token, scopes=other) is None
    assert [one.memory.id for one in retrieval.everything(desk.store, other).items] == [wide.id]
    assert list(retrieval.everything_ids(desk.store, other)) == [wide.id]
    assert retrieval.told(desk.store, other, [held.id, wide.id])[0].memory == wide
    assert search(desk, "unique", scopes=()).hits == retrieval.needed(desk.store, "unique", scopes=()) == ()
    assert retrieval.everything(desk.store, ()).total == len(retrieval.everything_ids(desk.store, ())) == 0
    assert retrieval.get(desk.store, held.id, scopes=()) is None


def test_another_tenant_finds_nothing(desk: Desk) -> None:
    held = desk.hold("unique token", key="a.key")
    desk.store.tenant = "another"
    for query in ("unique", "a.key", held.id):
        assert search(desk, query, scopes=None).hits == search(desk, query).hits == ()
        assert retrieval.get(desk.store, query, scopes=None) is None


def test_D082_old_words_find_nothing_and_new_words_do(desk: Desk) -> None:
    held = desk.hold("Write in the active voice", key="style.voice", aliases=("wording",))
    history.edit(desk.store, held.id, 1, held.entry.with_(content="Write in the passive tone", aliases=()), by=ANN)
    assert texts(desk, "active") == texts(desk, "wording") == []
    assert texts(desk, "passive") == texts(desk, "style.voice") == ["Write in the passive tone"]
    history.rollback(desk.store, held.id, 2, by=ANN)
    assert texts(desk, "passive") == []
    history.delete(desk.store, held.id, 3, by=ANN)
    for query in ("active", "style.voice", "wording", held.id, held.id[-6:]):
        assert texts(desk, query) == needed(desk, query) == []
        assert retrieval.get(desk.store, query, scopes=HERE) is None
    refused = desk.lay("turned away at the door")
    review.reject(desk.store, desk.see(refused), by=ANN)
    desk.lay("only proposed so far", key="only.proposed")
    assert texts(desk, "turned") == texts(desk, "proposed") == texts(desk, "only.proposed") == []


def test_D082_what_is_out_of_use_takes_no_place_from_what_is_not(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOST_READ", 4)
    older = desk.hold_many(*(f"common words {n}" for n in range(6)))
    tomorrow = desk.clock.now + timedelta(days=1)
    newer = desk.hold_many(*({"content": f"common words, soon over {n}", "valid_until": tomorrow} for n in range(6)))
    assert len(texts(desk, "common words")) == 5
    desk.clock.jump(days=2)
    found = search(desk, "common words")
    assert {hit.memory.id for hit in found.hits} <= {one.id for one in older}
    assert (len(found.hits), found.total) == (5, 6)
    assert len(search(desk, "common words", statuses=("expired",), limit=50).hits) == len(newer)


def test_statuses_and_kinds_are_told_only_when_asked_for(desk: Desk) -> None:
    fact, gone, case, dated = desk.hold_many(
        "pytest runs in parallel",
        {"content": "pytest runs twice", "key": "pytest.runs"},
        {"content": "pytest hung once", "kind": "experience"},
        {"content": "pytest waits", "valid_until": desk.clock.now + timedelta(hours=1)},
    )
    history.delete(desk.store, gone.id, 1, by=ANN)
    desk.clock.jump(hours=2)

    def ids(**how: Any) -> set[str]:
        return {hit.memory.id for hit in search(desk, "pytest", **how).hits}

    assert ids() == {fact.id, case.id}
    assert ids(kinds=["experience"]) == {case.id}
    assert ids(kinds=[]) == ids(statuses=()) == ids(statuses=("retired", "archived")) == set()
    assert ids(statuses=("deleted",)) == {gone.id}
    assert ids(statuses=("expired",)) == {dated.id}
    assert ids(statuses=("active", "deleted", "expired")) == {fact.id, case.id, gone.id, dated.id}
    assert search(desk, "pytest.runs", statuses=("deleted",)).hits[0].why == "key"
    assert retrieval.get(desk.store, dated.id, scopes=HERE) is None


@pytest.mark.parametrize("how", [{"statuses": ("alive",)}, {"kinds": ("gossip",)}, {"limit": 0}])
def test_what_does_not_exist_is_refused_by_name(desk: Desk, how: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        search(desk, "anything", **how)


# -- only what was approved


def _flipped(desk: Desk, held: Memory) -> None:
    touch(desk, held.id, content=held.entry.content.replace("Deploy", "Deplox"))


def _forged(desk: Desk, held: Memory) -> None:
    other = "Deploy on Fridays, never Mondays"
    touch(desk, held.id, content=other, content_hash=content_hash(other))


def _rescoped(desk: Desk, held: Memory) -> None:
    touch(desk, held.id, kind="requirement")


def _planted(desk: Desk, held: Memory) -> None:
    row = memory_columns(held, desk.store.tenant) | {"id": "0" * 8 + held.id[8:], "key": "deploy.day"}
    with desk.store.write() as connection:
        connection.execute(update(MEMORY).where(MEMORY.c.id == held.id).values(key=None))
        connection.execute(insert(MEMORY), row)


@pytest.mark.parametrize("damage", [_flipped, _forged, _rescoped, _planted])
def test_I9_what_is_not_what_was_approved_is_not_told(desk: Desk, damage: Callable[[Desk, Memory], None]) -> None:
    held = desk.hold("Deploy on Mondays", key="deploy.day")
    other = desk.hold("Mondays are for deploying", key="other.key")
    damage(desk, held)
    found = search(desk, "Mondays", limit=50)
    assert [hit.memory.id for hit in found.hits] == [other.id]
    assert found.total == 1
    assert texts(desk, "deploy.day") == []
    assert retrieval.get(desk.store, "deploy.day", scopes=HERE) is None
    assert [hit.memory.id for hit in retrieval.needed(desk.store, "Deploy on Mondays", scopes=HERE)] == [other.id]
    assert [one.memory.id for one in retrieval.everything(desk.store, HERE).items] == [other.id]


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_D051_one_damaged_value_hides_no_other_memory(desk: Desk) -> None:
    held = desk.hold_many(*(f"Deploy number {n}" for n in range(5)))
    with desk.store.write() as connection:
        for column, value, one in (("content", "x'44FF70'", held[1]), ("aliases", "'{no json'", held[3])):
            said = f"UPDATE memory SET {column} = CAST({value} AS TEXT) WHERE id = :id"
            connection.execute(text(said), {"id": one.id})
    whole = {held[0].id, held[2].id, held[4].id}
    assert {hit.memory.id for hit in search(desk, "deploy number", limit=50).hits} == whole
    assert {one.memory.id for one in retrieval.everything(desk.store, HERE).items} == whole
    assert retrieval.get(desk.store, held[1].id, scopes=HERE) is None
    with pytest.raises(StoreDamaged), desk.store.read() as connection:
        connection.execute(text("SELECT content FROM memory")).all()


# -- everything


def test_everything_comes_in_the_order_of_the_block_and_by_pages(desk: Desk) -> None:
    made = []
    for content, kind, scope in (
        ("case", "experience", "shop"),
        ("fact", "fact", "shop"),
        ("choice", "decision", "shop"),
        ("wide", "preference", "global"),
        ("away", "fact", "billing"),
        ("must", "requirement", "global"),
        ("how", "procedure", "shop"),
    ):
        made.append(desk.hold(content, kind=kind, scope=scope))
        desk.clock.jump(minutes=1)
    gone = desk.hold("gone")
    history.delete(desk.store, gone.id, 1, by=ANN)
    desk.hold("over", valid_until=desk.clock.now + timedelta(seconds=1))
    desk.clock.jump(minutes=1)
    order = ["how", "wide", "fact", "must", "choice", "case"]

    def page(**how: Any) -> tuple[list[str], str | None]:
        found = retrieval.everything(desk.store, HERE, **how)
        assert found.total == len(order)
        return [one.memory.entry.content for one in found.items], found.next

    assert page() == (order, None)
    seen: list[str] = []
    after = None
    while True:
        some, after = page(limit=4, after=after)
        seen += some
        if after is None:
            break
    assert seen == order
    ids = retrieval.everything_ids(desk.store, HERE)
    assert [one.memory.entry.content for one in retrieval.told(desk.store, HERE, ids[1:3])] == order[1:3]
    assert retrieval.told(desk.store, HERE, [gone.id]) == ()
    with pytest.raises(NotFound):
        retrieval.everything(desk.store, HERE, after="nobody")
    with pytest.raises(UsageError):
        retrieval.everything(desk.store, HERE, limit=0)
