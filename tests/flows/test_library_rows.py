"""What the library's keys touch: one row, and nothing beside it; and looking for long, which is said and stopped."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import select

from console import actions
from console.screens.activity_told import ToldScreen
from console.screens.outdated import OutdatedScreen
from store import history, memory_copies, queries, rechecking, stopping
from store.models import MemoryRow, UsageRow, VersionRow
from tests.flows.conftest import ADA, Desk, Opener
from tests.flows.test_library import asked, into, settled
from tests.flows.test_library_views import SAID
from tests.flows.test_profile import into as into_profile

KEYS: dict[str, tuple[str, ...]] = {
    "history.rollback": ("r",),
    "history.take_back": ("b", "?Undo", "y"),
    "library.edit": ("e", "!", "ctrl+s"),
    "library.outdated": ("t", "?no longer true", "e"),
    "library.outdated, until": ("t", "?no longer true", "u", "enter"),
    "library.outdated, turned down": ("t", "?no longer true", "t", *"it was slow", "enter"),
    "library.outdated, delete": ("t", "?no longer true", "d", "?Delete keeps", "y"),
    "library.true": (".",),
    "library.place": ("p", "?where does it hold", "g"),
    "library.place, days": ("p", "?where does it hold", "t", "enter"),
    "library.pin": ("P",),
}
"""By deciding action (and which way) the keys that carry it out; ``?`` waits for a question."""
ELSEWHERE = {"library.edit_external", "library.save", "library.keep_one", "log.undo", "log.redo"}
"""Shown by other tests, or part of the others here."""


def rows(desk: Desk, *ids: str) -> list[Any]:
    """All that the store holds of some memories."""
    found: list[Any] = []
    with desk.store.read() as connection:
        for table in (MemoryRow.__table__, VersionRow.__table__, UsageRow.__table__):  # type: ignore[attr-defined]
            own = table.c.id if "id" in table.c else table.c.memory_id
            found += connection.execute(select(table).where(own.in_(ids)).order_by(own)).all()
    return found


def test_every_action_that_decides_on_a_memory_is_tried_here() -> None:
    tried = {name.partition(",")[0] for name in KEYS}
    for screen in ("library", "profile"):
        deciding = {one.id for one in actions.of_screen(screen) if one.decides or one.alone or one.id == "library.edit"}
        assert deciding - ELSEWHERE <= tried


@pytest.mark.long
@pytest.mark.parametrize("name", KEYS)
async def test_an_action_on_one_row_touches_one_row(desk: Desk, console: Opener, name: str) -> None:
    held = [desk.known(f"Rule {number}", key=f"rule.n{number}") for number in range(3)]
    for one in held:
        history.edit(desk.store, one.id, 1, one.entry.with_(content=f"{one.entry.content}, anew"), by=ADA)
    beside = (held[0].id, held[2].id)
    before, own = rows(desk, *beside), rows(desk, held[1].id)
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        screen.listing.go_to(held[1].id)
        await settled(c, screen)
        for key in KEYS[name]:
            if key.startswith("?") and len(key) > 1:
                await asked(c, screen, key[1:])
            else:
                await c.press(key)
        await c.until(lambda: rows(desk, held[1].id) != own, "done")
        await settled(c, screen)
        assert rows(desk, *beside) == before
        await c.until(lambda: c.app.undo is not None and not screen.saving, "one step")
        # What was taken back is done again: undo after it would go one step further back, to a neighbour's.
        back, word = ("U", "redid") if name == "history.take_back" else ("u", "undid")
        await c.press(back)
        await c.shows(word)
        assert rows(desk, *beside) == before
        assert desk.memory(held[1].id).status == "active"


def endless(*_: object, **__: object) -> Any:
    """Look for ever, until somebody says that it is enough."""
    while not stopping.asked():
        time.sleep(0.001)
    raise stopping.ActStopped


async def test_a_long_look_is_said_and_stopped_and_the_list_stays_as_it_was(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = desk.known("Tests run with pytest")
    async with console() as c:
        screen = await into(c)
        plain = queries.memory_ids
        for key, module, name, words in (
            ("/", queries, "memory_ids", "looking, for 1 s by now …; esc stops it"),
            ("R", rechecking, "due", "looking for what may no longer hold, for 1 s by now"),
        ):
            monkeypatch.setattr(module, name, endless)
            await c.press(key, *("x" if key == "/" else ""))
            await c.shows(words)
            await c.press("escape")
            await c.until(lambda: not screen.busy("ids"), "it has stopped")
            assert list(screen.listing.ids) == [held.id]
            assert (screen.flt.empty, screen.showing) == (True, "")
            monkeypatch.undo()
            if key == "/":
                await c.press("escape")
        monkeypatch.setattr(queries, "memory_ids", endless)
        await c.press("/", "p")
        await c.until(lambda: screen.busy("ids"), "asked")
        monkeypatch.setattr(queries, "memory_ids", plain)
        await c.press("y")  # the newer question: the one before hears that nobody waits for it
        await c.until(lambda: screen.flt.given == "py" and not screen.busy("ids"), "overtaken")
        assert list(screen.listing.ids) == [held.id]
        assert stopping.wanted()


@pytest.mark.long
async def test_what_was_not_compared_is_said_on_the_screen(
    desk: Desk, console: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (*SAID, "Deploys run on Mondays", "用pnpm"):
        desk.known(text)
    monkeypatch.setattr(memory_copies, "MOST", 2)
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await c.press("c")
        await c.shows("Among 2 memories no two say nearly the same.")
        await c.shows("leaves this view; 2 were not compared")
        await c.shows("near-copies 0, 2 not compared")
        monkeypatch.setattr(memory_copies, "MOST", 10)
        await c.press("c")
        await c.until(lambda: len(screen.listing.ids) == 4, "all")
        await c.press("c")
        await c.shows("near-copies 2")
        assert "not compared" not in c.text()


@pytest.mark.long
@pytest.mark.parametrize("screen", ["profile", "outdated"])
async def test_who_was_told_is_asked_wherever_a_memory_is_listed(desk: Desk, console: Opener, screen: str) -> None:
    desk.known("Tests run with pytest", key="build.test")
    async with console() as c:
        if screen == "profile":
            await into_profile(c)
        else:
            await c.press("3")
            await c.until(lambda: isinstance(c.app.screen, OutdatedScreen), "there")
            await c.press("/", *"kind:fact", "enter")
            await c.shows("build.test")
            await c.until(lambda: c.app.screen.situation().history, "its detail")  # type: ignore[attr-defined]
        await c.press("W")
        await c.until(lambda: isinstance(c.app.screen, ToldScreen), "who was told")
        await c.shows("Nobody was told it")
        assert "build.test" in c.text()


@pytest.mark.long
async def test_what_is_due_is_edited_or_leaves_by_one_key_and_comes_back_with_undo(desk: Desk, console: Opener) -> None:
    memory = desk.known("Paging goes to the night team", key="paging", confidence=0.3)
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await c.press("R")
        await c.shows("re-check 1")
        await settled(c, screen)
        await c.press("e", *"No: ", "ctrl+s")
        await c.until(lambda: desk.memory(memory.id).entry.content.startswith("No: "), "edited")
        await settled(c, screen)
        assert screen.showing == "re-check"
        await c.press("t")
        await asked(c, screen, "no longer true?")
        await c.press("e")
        await c.shows("Nothing is due for another look.")
        await c.until(lambda: not screen.saving and c.app.undo is not None and "expired" in c.app.undo.title, "undo")
        await c.press("u")
        await c.until(lambda: list(screen.listing.ids) == [memory.id], "back")
