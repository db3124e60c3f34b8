"""The queue and its pages by age: the order is that of the ages shown, on both engines, whole at any page size."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from sqlalchemy import update

from store import history, queries, review
from store.engine import Store
from store.queries import list_page
from tests.contract.decisions import ANN, TABLES, Desk

VIEW = ("shop", "global")
DAYS = 60


def aged(desk: Desk, number: int) -> list[str]:
    """So many proposals of 0 to 60 days in no order, twenty to a session; their ids, the oldest first."""
    ids = desk.lay_many([{"content": f"say {n}", "session_id": f"s{n // 20}"} for n in range(number)])
    ages = [DAYS * n / max(number - 1, 1) for n in range(number)]
    random.Random(26).shuffle(ages)
    table = TABLES["proposal"]
    with desk.store.write() as connection:
        for place, (own, days) in enumerate(zip(ids, ages, strict=True)):
            at = desk.clock.now - timedelta(days=days)
            values = {"created_at": at, "session_rank": ids[place // 20 * 20]}
            connection.execute(update(table).where(table.c.id == own).values(**values))
    return [own for _, own in sorted(zip(ages, ids, strict=True), reverse=True)]


def walk(store: Store, **asked: Any) -> list[str]:
    ids: list[str] = []
    page = list_page(store, **asked)
    while True:
        ids += [item.id for item in page.items]
        if page.next is None:
            return ids
        page = list_page(store, **asked, after=page.next)


def test_D026_400_proposals_aged_0_to_60_days_by_age(desk: Desk) -> None:
    oldest = aged(desk, 400)
    for scopes in (VIEW, None):
        asked: dict[str, Any] = {"scopes": scopes, "since": desk.clock.now}
        assert list(queries.queue_ids(desk.store, order="oldest", **asked)) == oldest
        assert list(queries.queue_ids(desk.store, order="newest", **asked)) == oldest[::-1]
        assert list(queries.queue_first(desk.store, order="oldest", size=7, **asked)) == oldest[:7]
        assert list(queries.queue_ids(desk.store, order="queue", **asked)) == sorted(oldest, reverse=True)
    for limit in (39, None):
        assert walk(desk.store, sort="oldest", limit=limit) == oldest
        assert walk(desk.store, sort="newest", limit=limit) == oldest[::-1]
    assert walk(desk.store, sort="oldest", scope="shop", kind="fact", limit=150) == oldest


def test_what_is_put_off_stands_last_in_every_order(desk: Desk) -> None:
    oldest = aged(desk, 5)
    opened = desk.clock.now
    desk.clock.jump(minutes=1)
    review.defer(desk.store, desk.see(oldest[1]), by=ANN)
    left = [oldest[0], *oldest[2:]]
    for order, rest in (("oldest", left), ("newest", left[::-1])):
        found = queries.queue_ids(desk.store, scopes=VIEW, since=opened, order=order)  # type: ignore[arg-type]
        assert list(found) == [*rest, oldest[1]]


def test_what_was_said_once_has_the_same_order(desk: Desk) -> None:
    oldest = aged(desk, 6)
    table = TABLES["proposal"]
    with desk.store.write() as connection:
        connection.execute(update(table).values(status="draft"))
    assert list(queries.draft_ids(desk.store, scopes=VIEW, order="oldest")) == oldest
    assert list(queries.draft_ids(desk.store, scopes=VIEW, order="newest")) == oldest[::-1]


def test_pages_are_whole_where_ages_are_equal(desk: Desk) -> None:
    ids = desk.lay_many([{"content": f"say {n}", "session_id": None} for n in range(9)])
    for limit in (1, 2, 4, 9):
        assert walk(desk.store, sort="oldest", limit=limit) == ids
        assert walk(desk.store, sort="newest", limit=limit) == ids[::-1]


def test_memories_by_their_last_change(desk: Desk) -> None:
    held = []
    for n in range(4):
        held.append(desk.hold(f"held {n}").id)
        desk.clock.jump(days=1)
    history.edit(desk.store, held[1], 1, desk.memory(held[1]).entry.with_(content="changed"), by=ANN)
    wanted = [held[0], held[2], held[3], held[1]]
    for limit in (1, 3, None):
        assert walk(desk.store, what="memory", sort="oldest", limit=limit) == wanted
        assert walk(desk.store, what="memory", sort="newest", limit=limit) == wanted[::-1]
    assert walk(desk.store, what="memory") == held[::-1]
