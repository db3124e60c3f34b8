"""The views of the library: what is due for another look, and what says nearly the same."""

from __future__ import annotations

from datetime import timedelta

import pytest

from console.screens.library import LibraryScreen
from store import tending
from tests.flows.conftest import ADA, Console, Desk, Opener
from tests.flows.test_library import asked, into, settled

SAID = ("Always use uv, never pip, in this repository", "In this repository always use uv, never pip")


async def view(c: Console, screen: LibraryScreen, key: str) -> None:
    """Open a view, and wait for it."""
    await c.press(key)
    await c.until(lambda: not screen.busy("ids") and screen._looked.ids is screen.listing.ids, "looked")
    await settled(c, screen)


@pytest.mark.long
async def test_the_recheck_says_why_and_one_key_says_that_it_still_holds(desk: Desk, console: Opener) -> None:
    desk.known("Use uv, never pip")
    unsure = desk.known("Paging goes to the night team", key="paging", confidence=0.3)
    ending = desk.known("The freeze holds")
    tending.until(desk.store, [(ending.id, 1)], desk.store.now() + timedelta(days=5), by=ADA)
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await view(c, screen, "R")
        assert list(screen.listing.ids) == [ending.id, unsure.id]
        assert "ends soon" in c.text() and "unsure" in c.text() and "re-check 2" in c.text()
        await c.press("O")  # which would change nothing here
        await c.shows("what is most pressing stands first")
        assert screen.order == "updated"
        screen.listing.go_to(unsure.id)
        await settled(c, screen)
        await c.press(".")
        await c.until(lambda: list(screen.listing.ids) == [ending.id], "it is not asked about again")
        await settled(c, screen)
        await c.until(lambda: c.app.undo is not None and "still true: paging" in c.app.undo.title, "one step")
        await c.press("u")
        await c.until(lambda: len(screen.listing.ids) == 2, "undone")
        await settled(c, screen)
        await c.press("escape")
        await c.until(lambda: len(screen.listing.ids) == 3, "the whole library again")


async def test_D014_one_of_the_near_copies_is_kept_and_named_first(desk: Desk, console: Opener) -> None:
    one, other = (desk.known(text) for text in SAID)
    apart = desk.known("Deploys run on Mondays")
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        await view(c, screen, "c")
        assert set(screen.listing.ids) == {one.id, other.id}
        head = screen.listing.ids[0]
        kept, gone = (one, other) if head == one.id else (other, one)
        screen.listing.go_to(head)
        await settled(c, screen)
        await c.press("D")
        await asked(c, screen, "Keep 1, expire 1 near-copy?")
        text = c.text()
        assert text.index("stays") < text.index("expires")
        await c.press("y")
        await c.until(lambda: desk.memory(gone.id).status == "expired", "the other expired")
        assert desk.memory(kept.id).revision == desk.memory(apart.id).revision == 1
        await c.shows("No two memories here say nearly the same")
        await c.until(lambda: not screen.saving and c.app.undo is not None and "expired" in c.app.undo.title, "undo")
        await c.press("u")
        await c.until(lambda: len(screen.listing.ids) == 2, "back")


@pytest.mark.long
async def test_D014_in_bulk_one_of_each_group_stays(desk: Desk, console: Opener) -> None:
    for text in (*SAID, "Write reports in short sentences, always", "Always write reports in short sentences"):
        desk.known(text)
    async with console(size=(80, 24)) as c:
        screen = await into(c)
        await view(c, screen, "c")
        assert len(screen.listing.ids) == 4
        await c.press("*", "D")
        await asked(c, screen, "Keep 2, expire 2 near-copies?")
        await c.press("y")
        await c.until(lambda: len(desk.contents()) == 2, "one of each is left")
        await c.until(lambda: not screen.saving and c.app.undo is not None and "expired 2" in c.app.undo.title, "undo")
        await c.press("u")
        await c.until(lambda: len(desk.contents()) == 4, "one undo")


@pytest.mark.long
async def test_keep_one_is_refused_outside_of_the_view(desk: Desk, console: Opener) -> None:
    desk.known(SAID[0])
    async with console() as c:
        await into(c)
        await c.press("D")
        await c.shows("shows the near-copies first")
        assert len(desk.contents()) == 1


@pytest.mark.long
async def test_the_header_counts_once_a_week_what_is_due(desk: Desk, console: Opener) -> None:
    desk.known("Paging goes to the night team", confidence=0.3)
    async with console(size=(160, 30)) as c:
        c.app.recheck._count()
        await c.shows("1 to re-check")
        screen = await into(c)
        await view(c, screen, "R")
        await c.until(lambda: "to re-check" not in c.text(), "somebody has looked")
        c.app.recheck._count()
        await c.until(lambda: not c.app.busy("recheck"), "counted")
        assert c.app.recheck.number == 0
