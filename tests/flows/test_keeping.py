"""The console backs its store up in the background, once a day, and goes on with an erasure that was cut short."""

from __future__ import annotations

import pytest

from console import keeping
from console.keeping import Keeper
from store import backup, erase, head, restoring
from store.erased import Ids
from store.verify import verify
from tests.flows.conftest import ADA, Console, Desk, Opener


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "AFTER", 0.01)


def begin(c: Console) -> None:
    c.app.keeper = Keeper(c.app, wanted=True)
    c.app.keeper.begin()


async def test_a_backup_is_made_once_a_day(console: Opener, desk: Desk) -> None:
    desk.known("one")
    async with console() as c:
        assert not backup.backups(desk.location)  # not in the first moments, and not of a store of tests
        begin(c)
        await c.until(lambda: backup.backups(desk.location) and not c.app.busy("care"), "a backup")
        begin(c)
        await c.pilot.pause(0.05)
        await c.until(lambda: not c.app.busy("care"))
    assert [one.label for one in backup.backups(desk.location)] == ["daily"]


@pytest.mark.long
async def test_an_erasure_is_finished_by_the_next_console(console: Opener, desk: Desk) -> None:
    memory = desk.known("zqxsecretword stands here")
    erase.blank(desk.store, erase.extent_of(desk.store, Ids(memories=frozenset((memory.id,)))), by=ADA)
    async with console() as c:
        begin(c)
        await c.until(lambda: not erase.unfinished(desk.store), "the erasure finished")
    assert b"zqxsecretword" not in desk.location.path.read_bytes()  # type: ignore[union-attr]


@pytest.mark.long
async def test_a_console_that_is_open_shows_what_was_restored_and_goes_on(console: Opener, desk: Desk) -> None:
    desk.known("kept", key="k.one")
    waiting = desk.propose("it waits")
    made = backup.back_up(desk.store)
    desk.propose("it comes later")
    async with console() as c:
        await c.shows("it comes later")
        with restoring.prepared(desk.location, made) as found:
            restoring.restore(desk.location, found, by=ADA)
        await c.until(lambda: "it comes later" not in c.text(), "the restored queue")
        await c.shows("it waits")
        await c.on(waiting)
        await c.ready()
        await c.press("a")
        await c.until(lambda: desk.status(waiting) == "approved", "approved after the restore")
    assert verify(desk.store) is None


@pytest.mark.long
async def test_a_backup_that_fails_is_told_once(console: Opener, desk: Desk) -> None:
    desk.known("one")
    head.put_back(desk.location, {"local": (99, "0" * 64)})
    async with console() as c:
        begin(c)
        await c.says("no backup today")
        assert [one.label for one in backup.backups(desk.location)] == ["daily"], "what there is, is copied"
