"""The queue by age: `O` turns from sessions to oldest first to newest first, and what has waited long is marked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from console.screens.queue_model import OLDER
from store.models import ProposalRow
from tests.flows.conftest import Console, Desk, Opener

TABLE = ProposalRow.__table__  # type: ignore[attr-defined]


def age(desk: Desk, days: dict[str, float]) -> None:
    """Have these been proposed so many days ago."""
    now = desk.store.now()
    with desk.store.write() as connection:
        for id_, number in days.items():
            then = now - timedelta(days=number, minutes=1)
            connection.execute(update(TABLE).where(TABLE.c.id == id_).values(created_at=then))


def listed(c: Console) -> list[str]:
    ids = c.queue.listing.ids
    return [ids[at] for at in range(len(ids))]


async def order(c: Console, words: str) -> list[str]:
    """Ask for the next order, and the ids in it."""
    await c.press("O")
    await c.says(words)
    await c.until(lambda: not c.queue.busy("ids"), "ids")
    await c.ready()
    return listed(c)


async def test_D026_by_age_and_the_stale_marked(desk: Desk, console: Opener) -> None:
    a, b, c_, d = (desk.propose(f"Fact number {n}", session_id="one") for n in range(4))
    age(desk, {a: 3, b: 45, c_: 0, d: 31})
    async with console() as c:
        assert listed(c) == [c_, a, OLDER]
        await c.shows("▸            2 older than 30 days")
        await c.press("j", "j")
        await c.shows("may no longer be true")
        await c.press("enter")
        assert listed(c) == [c_, a, OLDER, d, b]
        await c.shows("45d")
        lines = {n: next(line for line in c.text().splitlines() if f"Fact number {n}" in line) for n in range(4)}
        assert [n for n, line in lines.items() if "stale" in line] == [1, 3]
        await c.on(c_)
        assert await order(c, "oldest first") == [b, d, a, c_]
        assert c.here == b
        assert "oldest first" in c.text().splitlines()[0]
        assert await order(c, "newest first") == [c_, a, d, b]
        assert c.here == c_
        assert await order(c, "newest session first") == [c_, a, OLDER, d, b]
        assert "first" not in c.text().splitlines()[0]


async def test_what_is_old_is_decided_on_once_it_is_opened(desk: Desk, console: Opener) -> None:
    old, new = desk.propose("Deploys run on Tuesdays"), desk.propose("Tests run with pytest -q")
    age(desk, {old: 45})
    async with console() as c:
        assert "Queue 2" in c.text()
        await c.press("j", "x")
        await c.says("enter opens what is folded")
        await c.press("*")
        assert set(c.queue.listing.marks) == {new}, "what is folded is not meant by all"
        await c.press("escape", "enter", "j")
        await c.ready()
        await c.press("x")
        await c.until(lambda: desk.status(old) == "rejected", "decided on")
        await c.until(lambda: listed(c) == [new], "the empty fold goes")


async def test_where_all_is_old_nothing_is_folded_nor_where_one_asks_for_something(desk: Desk, console: Opener) -> None:
    old = desk.propose("Deploys run on Tuesdays")
    age(desk, {old: 45})
    async with console() as c:
        assert listed(c) == [old]
        new = desk.propose("Tests run with pytest -q")
        await c.until(lambda: listed(c) == [new, OLDER], "folded as soon as something newer waits")
        await c.press("/", *"tuesdays")
        await c.until(lambda: listed(c) == [old], "what matches is there")


async def test_a_decision_and_an_arrival_keep_the_order(desk: Desk, console: Opener) -> None:
    a, b, c_ = (desk.propose(f"Fact number {n}") for n in range(3))
    age(desk, {a: 1, b: 50, c_: 2})
    async with console(size=(140, 40)) as c:
        assert await order(c, "oldest first") == [b, c_, a]
        assert c.here == b
        await c.press("x")
        await c.says("rejected")
        await c.until(lambda: listed(c) == [c_, a], "the list follows")
        await c.ready()
        assert c.here == c_
        new = desk.propose("Fact number 9")
        await c.until(lambda: listed(c) == [c_, a, new], "what arrives is the newest")
        assert c.here == c_


@pytest.mark.parametrize("width", [40, 140])
async def test_the_mark_of_the_stale_leaves_room_for_the_text(desk: Desk, console: Opener, width: int) -> None:
    id_ = desk.propose("Tests run with pytest -q and never without reading what they say")
    age(desk, {id_: 400})
    async with console(size=(width, 24)) as c:
        await c.shows("400d")
        row = next(line for line in c.text().splitlines() if "400d" in line)
        assert "stale" in row and "Tests" in row
