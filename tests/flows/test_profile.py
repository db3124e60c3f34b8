"""What do you know about me: the words and the order that an agent sees, taken away whole, and deleted from."""

from __future__ import annotations

import pytest

from console.screens.profile import ProfileScreen
from store.block import parse
from tests.flows.conftest import Console, Desk, Opener
from tests.flows.test_library import asked, settled


async def into(c: Console) -> ProfileScreen:
    """Go there from the queue."""
    await c.press("m")
    await c.until(lambda: isinstance(c.app.screen, ProfileScreen), "the profile")
    screen = c.app.screen
    assert isinstance(screen, ProfileScreen)
    await c.until(lambda: not screen.busy("ids"), "ids")
    await settled(c, screen)
    return screen


async def test_it_shows_what_agents_are_told_in_their_words_and_order_and_takes_it_away_whole(
    desk: Desk, console: Opener
) -> None:
    case = desk.known("Retry the deploy twice", kind="experience")
    decision = desk.known("We keep SQLite", kind="decision")
    fact = desk.known("Tests run with pytest", key="build.test", source="manual")
    desk.propose("Nobody has approved this")
    async with console(size=(140, 40)) as c:
        screen = await into(c)
        assert list(screen.listing.ids) == [fact.id, decision.id, case.id]
        await c.shows(f"- [{fact.id[-6:]} fact build.test")
        assert "told 2, find 1" in c.text()
        assert "by search" in c.text()
        assert "Nobody has approved" not in c.text().split("\n", 1)[1]
        await c.press("w")
        await c.until(lambda: screen.prompt.purpose == "file", "a name")
        path = desk.folder / "told.txt"
        await c.press("ctrl+u")
        screen.prompt._input().value = str(path)
        await c.press("enter")
        await c.until(path.exists, "written")
        text = path.read_text(encoding="utf-8")
        told, _, found = text.partition("\n\nFound by search alone:\n")
        assert [one.content for one in parse(told)] == ["Tests run with pytest", "We keep SQLite"]
        assert found.endswith("] Retry the deploy twice")


@pytest.mark.long
async def test_what_is_deleted_there_agents_are_not_told_again(desk: Desk, console: Opener) -> None:
    memory = desk.known("My phone is a secret of mine", kind="preference")
    async with console() as c:
        screen = await into(c)
        await c.press("t")
        await asked(c, screen, "no longer true?")
        await c.press("d")
        await asked(c, screen, "Delete keeps the history")
        await c.press("y")
        await c.until(lambda: desk.memory(memory.id).status == "deleted", "deleted")
        await c.shows("Agents are given nothing here")
        assert desk.contents() == set()
        assert desk.asked("My phone is a secret of mine", kind="preference").status == "rejected_before"
