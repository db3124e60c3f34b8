"""A store in trouble under the open console: the reviewer sees it, nothing is decided, nothing is lost or claimed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from console.actions import footer
from console.places import DECIDE, LOG
from tests.flows.conftest import Console, Desk, Opener


def deleted(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    other = path.with_suffix(".other")
    shutil.copy(path, other)
    other.rename(path)


def newer(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version=99")


def noise(path: Path) -> None:
    """Every page but the first is overwritten, and a reader is told to look."""
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        for page in range(4096, path.stat().st_size, 4096):
            file.seek(page)
            file.write(os.urandom(4096))


@pytest.mark.parametrize(
    ("fault", "mark", "told"),
    [
        (deleted, "store gone", "was replaced or deleted while it was open"),
        pytest.param(replaced, "store gone", "was replaced or deleted while it was open", marks=pytest.mark.long),
        (newer, "newer store", "has schema 99, and this program"),
        (noise, "store damaged", "is damaged"),
    ],
)
async def test_D051_a_store_that_breaks_under_us_closes_every_decision_before_a_key(
    desk: Desk, console: Opener, fault: Callable[[Path], None], mark: str, told: str
) -> None:
    desk.known("Number two", key="two")
    desk.propose("Number one")
    path = desk.location.path
    assert path is not None
    async with console() as c:
        desk.store.close()
        fault(path)
        before = path.read_bytes() if path.exists() else b""
        await c.shows(mark)
        assert told in c.text().replace("\n ", " ") or told in (c.app.locked or "")
        for action, reason in footer("queue", c.queue.situation()):
            assert reason is not None or action.group not in (DECIDE, LOG), action.id
        for key in ("a", "x", "s", "u"):
            await c.press(key)
            await c.says(told)
        await c.shows("Number one")  # what was read stays readable
        assert (path.read_bytes() if path.exists() else b"") == before
        assert await _left_with(c) == 5


async def _left_with(c: Console) -> int | None:
    await c.press("q")
    await c.until(lambda: c.app.return_code is not None, "the end")
    return c.app.return_code


async def test_a_store_that_comes_back_the_same_is_decided_on_again(desk: Desk, console: Opener) -> None:
    first = desk.propose("Number one")
    path = desk.location.path
    assert path is not None
    away = path.with_suffix(".away")
    async with console() as c:
        path.rename(away)
        await c.shows("store gone")
        away.rename(path)
        await c.until(lambda: c.app.locked is None, "it is there again")
        await c.ready()
        await c.press("a")
        await c.says("approved")
        assert desk.status(first) == "approved"


async def test_F7_a_store_that_became_newer_is_refused_by_the_write_itself(desk: Desk) -> None:
    from store import review
    from store.errors import StoreNewer
    from tests.flows.conftest import ADA

    seen = desk.proposal(desk.propose("Number one")).seen()
    path = desk.location.path
    assert path is not None
    newer(path)
    with pytest.raises(StoreNewer, match="schema 99"):
        review.approve(desk.store, seen, by=ADA)
    with pytest.raises(StoreNewer):
        desk.store.check()
    assert desk.status(seen.proposal_id) == "pending"


async def test_D051_pages_that_cannot_be_read_at_all_are_told_in_their_place(desk: Desk, console: Opener) -> None:
    desk.propose("Number one")
    path = desk.location.path
    assert path is not None
    desk.store.close()
    noise(path)
    async with console(wait=False) as c:
        await c.shows("is damaged")
        await c.shows("No backup stands beside it.")
        assert "Number one" not in c.text()


async def test_D051_one_row_that_cannot_be_read_hides_no_other(desk: Desk, console: Opener) -> None:
    ids = [desk.propose(f"Number {number}") for number in range(5)]
    bad, good = ids[2], ids[4]
    path = desk.location.path
    assert path is not None
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA ignore_check_constraints=ON")
        raw.execute("UPDATE proposal SET created_at = 'no time at all' WHERE id = ?", (bad,))
    async with console(wait=False) as c:
        for number in (0, 1, 3, 4):
            await c.shows(f"Number {number}")
        await c.shows("cannot be read: damaged in the store")
        c.queue.listing.go_to(bad)
        await c.shows("q leaves")  # the detail says what is wrong, and shows no other item's text
        await c.press("a")
        await c.says("nothing here to decide")
        await c.on(good)
        await c.press("a")
        await c.says("approved")
        assert desk.status(good) == "approved"
        assert c.app.broken is None


@pytest.mark.parametrize("size", [(80, 9), *(pytest.param(one, marks=pytest.mark.long) for one in ((39, 24), (1, 1)))])
async def test_F12_a_question_in_a_window_too_small_to_read_it_decides_nothing(
    desk: Desk, console: Opener, size: tuple[int, int]
) -> None:
    ids = [desk.propose("Number one"), desk.propose("Number two")]
    async with console() as c:
        await c.press("asterisk", "x")
        await c.until(lambda: c.app.screen is not c.queue and getattr(c.app.screen, "ready", False), "asked")
        await c.pilot.resize_terminal(*size)
        c.clock.now += 1
        await c.until(lambda: not c.app.screen.held, "in its place")
        assert c.text().split() == (["meminbox", "needs", "40x10"] if size[0] > 20 else ["m"])
        await c.press("y", "enter")
        assert desk.statuses(*ids) == ["pending", "pending"]
        await c.pilot.resize_terminal(80, 24)
        await c.until(lambda: not c.app.screen.held, "in its place again")
        await c.shows("too small to see")  # the question still stands, and says why nothing was answered
        await c.press("y")
        await c.until(lambda: desk.statuses(*ids) == ["rejected", "rejected"], "done")


async def test_F12_the_inline_editor_saves_nothing_in_a_window_too_small(desk: Desk, console: Opener) -> None:
    id_ = desk.propose("Number one")
    async with console() as c:
        await c.press("e")
        await c.until(lambda: c.queue.editing, "editing")
        await c.pilot.resize_terminal(30, 8)
        await c.press("ctrl+s")
        await c.says("too small to see")
        assert desk.status(id_) == "pending"
        await c.pilot.resize_terminal(80, 24)
        await c.until(lambda: c.queue.editing, "the text is still there")


async def test_F9_an_opening_that_takes_its_time_is_spoken_of(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    from console import app
    from store import desk as door

    first = desk.propose("Number one")
    free, opens = threading.Event(), door.open_desk
    monkeypatch.setattr(app, "SLOW", 0.01)
    monkeypatch.setattr(door, "open_desk", lambda *said: (free.wait(10), opens(*said))[1])
    async with console(wait=False) as c:
        await c.says("opening the store")
        await c.press("a")
        await c.says("the store is being opened")
        free.set()
        await c.shows("Number one")
        await c.until(lambda: not c.words, "nothing more to say")
        assert desk.status(first) == "pending", "a key of before decides nothing"
