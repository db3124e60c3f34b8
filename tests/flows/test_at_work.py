"""What takes long says so, and can be stopped before it is kept: then nothing was changed."""

from __future__ import annotations

import itertools
import time
from threading import Event, Semaphore

import pytest

from store import history, queries, stopping
from store.expiry import deciding
from store.facts import Memory
from store.ledger import Act
from store.verify import verify
from tests.flows.conftest import ADA, Desk, Opener


async def test_a_long_decision_is_spoken_of_and_stopped_and_nothing_of_it_is_kept(desk: Desk, console: Opener) -> None:
    memory = desk.known("Tests run with pytest")
    ended: list[str] = []

    def endless(store: object) -> None:
        with deciding(desk.store) as connection:
            act = Act(desk.store, connection, ADA, "edit")
            for number in itertools.count():
                act.change(memory, memory.entry.with_(content=f"Rule {number}"))

    async with console() as c:
        c.app.ask("decide", endless, lambda _: ended.append("done"), keep=True)
        await c.says("esc stops it, and nothing is changed")
        await c.press("escape")
        await c.says("Stopped. Nothing was changed.")
    assert ended == []
    assert desk.memory(memory.id).entry.content == "Tests run with pytest"
    assert verify(desk.store) is None


def test_an_act_asks_once_more_before_it_is_written(desk: Desk) -> None:
    memory: Memory = desk.known("Tests run with pytest")
    with stopping.heard(lambda: True), pytest.raises(stopping.ActStopped):
        history.delete(desk.store, memory.id, memory.revision, by=ADA)
    assert queries.memory_rows(desk.store, [memory.id])[0].status == "active"
    history.delete(desk.store, memory.id, memory.revision, by=ADA)
    assert queries.memory_rows(desk.store, [memory.id])[0].status == "deleted"


async def test_an_answer_that_comes_while_the_console_is_taken_down_is_let_go(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[bool] = []
    async with console() as c:
        await c.ready()
        take_down = c.app._close_all

        async def one_part_first() -> None:
            await c.queue.listing.remove()  # parts go one after another: the list is no more, the footer still is
            assert c.queue.query("DeskFooter")
            c.app._polled(True)
            came.append(True)
            await take_down()

        monkeypatch.setattr(c.app, "_close_all", one_part_first)
    assert came == [True]


async def test_the_way_out_does_not_wait_for_what_is_being_looked_up(desk: Desk, console: Opener) -> None:
    desk.known("Tests run with pytest")
    began, heard = Event(), Semaphore(0)

    def endless(_: object) -> None:
        began.set()
        end = time.monotonic() + 10
        while time.monotonic() < end and not stopping.asked():
            time.sleep(0.001)
        if stopping.asked():
            heard.release()

    async with console() as c:
        for asker in (c.app, c.queue):
            began.clear()
            asker.ask("endless", endless, lambda _: None)
            await c.until(began.is_set, "under way")
    assert heard.acquire(timeout=10)
    assert heard.acquire(timeout=10)
